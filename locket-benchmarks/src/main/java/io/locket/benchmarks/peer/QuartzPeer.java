package io.locket.benchmarks.peer;

import java.util.Properties;
import java.util.UUID;

import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/**
 * Quartz with its store in memory: no other process sees its jobs.
 */
final class QuartzPeer extends JobPeer {

	private final Scheduler scheduler;

	QuartzPeer() {
		super("Quartz, in memory");
		Properties properties = new Properties();
		properties.setProperty("org.quartz.threadPool.threadCount", String.valueOf(THREADS));
		properties.setProperty("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", String.valueOf(THREADS));
		properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
		try {
			this.scheduler = new StdSchedulerFactory(properties).getScheduler();
			this.scheduler.setJobFactory((bundle, owner) -> (context) -> body());
		}
		catch (SchedulerException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public boolean usesRedis() {
		return false;
	}

	@Override
	void enqueue(int count) {
		try {
			for (int i = 0; i < count; i++) {
				this.scheduler.scheduleJob(
						JobBuilder.newJob(Job.class).withIdentity(UUID.randomUUID().toString()).build(),
						TriggerBuilder.newTrigger().startNow().build());
			}
		}
		catch (SchedulerException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	void resume() {
		try {
			this.scheduler.start();
		}
		catch (SchedulerException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void rest() {
		try {
			this.scheduler.standby();
		}
		catch (SchedulerException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.scheduler.shutdown();
		}
		catch (SchedulerException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
