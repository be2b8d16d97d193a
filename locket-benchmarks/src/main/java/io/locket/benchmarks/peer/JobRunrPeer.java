package io.locket.benchmarks.peer;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

import org.jobrunr.jobs.lambdas.IocJobLambdaFromStream;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.InMemoryStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/**
 * JobRunr with its store in memory and its shortest poll interval.
 */
final class JobRunrPeer extends JobPeer {

	/**
	 * Share of the jobs of the others, so that a round does not take minutes.
	 */
	private static final int SHARE = 5;

	private final JobRunrBody body = new JobRunrBody(this::body);

	private final InMemoryStorageProvider storage = new InMemoryStorageProvider();

	private final JobScheduler jobs;

	private final BackgroundJobServer server;

	JobRunrPeer() {
		super("JobRunr, in memory");
		Jackson3JsonMapper mapper = new Jackson3JsonMapper();
		this.storage.setJobMapper(new JobMapper(mapper));
		this.jobs = new JobScheduler(this.storage);
		this.server = new BackgroundJobServer(this.storage, mapper, new JobActivator() {

			@Override
			public <T> T activateJob(Class<T> type) {
				return type.cast(JobRunrPeer.this.body);
			}

		}, BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
			.andWorkerCount(THREADS)
			.andPollInterval(Duration.ofMillis(200)));
		this.server.start();
		this.server.pauseProcessing();
	}

	@Override
	public int operations(int operations) {
		return operations / SHARE;
	}

	@Override
	public boolean usesRedis() {
		return false;
	}

	@Override
	void enqueue(int count) {
		IocJobLambdaFromStream<JobRunrBody, Integer> work = (body, number) -> body.work(number);
		this.jobs.<JobRunrBody, Integer>enqueue(IntStream.range(0, count).boxed(), work);
	}

	@Override
	void resume() {
		this.server.resumeProcessing();
	}

	/**
	 * Pauses the server, and deletes the jobs that have ended. A paused server still
	 * reads them with each poll, which would cost the others a tenth of a processor.
	 */
	@Override
	public void rest() {
		this.server.pauseProcessing();
		this.storage.deleteJobsPermanently(StateName.SUCCEEDED, Instant.now());
	}

	@Override
	public void close() {
		this.server.stop();
		this.jobs.shutdown();
	}

}
