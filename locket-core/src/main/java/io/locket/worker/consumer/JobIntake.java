package io.locket.worker.consumer;

import io.locket.worker.WorkerLifecycle;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * Lifecycle that comes before the stop of workers and consumers. None of them takes jobs
 * while another one waits for its bodies.
 */
public final class JobIntake implements SmartLifecycle {

	private final WorkerLifecycle workers;

	private final JobConsumers consumers;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param workers the workers of this process
	 * @param consumers the consumers of this process
	 */
	public JobIntake(WorkerLifecycle workers, JobConsumers consumers) {
		Assert.notNull(workers, "'workers' must not be null");
		Assert.notNull(consumers, "'consumers' must not be null");
		this.workers = workers;
		this.consumers = consumers;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.workers.stopTaking();
		this.consumers.stopTaking();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return WorkerLifecycle.PHASE + 1;
	}

}
