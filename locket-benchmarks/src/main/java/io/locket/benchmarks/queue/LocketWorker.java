package io.locket.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.measure.Waiting;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Locket's worker on a queue that is full when it starts, in one or more applications.
 * They live until the end, as those of users do. Each new one would have code to compile
 * again. In the turns of the others an application is idle and sends less than one
 * command a second.
 */
final class LocketWorker implements Variant {

	private static final String QUEUE = "default";

	private final String name;

	private final List<String> jobs;

	private final int keys;

	private final BenchmarkRedis redis;

	private final String[] properties;

	private final int applications;

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private CountDownLatch started = new CountDownLatch(0);

	/**
	 * Number of the last job of this variant, so that each one has another number.
	 */
	private int last;

	LocketWorker(BenchmarkRedis redis, String name, String job, String... properties) {
		this(redis, name, List.of(job), properties);
	}

	/**
	 * Creates a worker.
	 * @param redis the Redis to use
	 * @param name the name of the variant
	 * @param jobs the names of the jobs, which take turns
	 * @param properties the properties of the application
	 */
	LocketWorker(BenchmarkRedis redis, String name, List<String> jobs, String... properties) {
		this(redis, name, jobs, Integer.MAX_VALUE, 1, properties);
	}

	/**
	 * Creates a worker.
	 * @param redis the Redis to use
	 * @param name the name of the variant
	 * @param jobs the names of the jobs, which take turns
	 * @param keys the number of keys that the jobs share
	 * @param applications the number of applications that share the jobs
	 * @param properties the properties of each application
	 */
	LocketWorker(BenchmarkRedis redis, String name, List<String> jobs, int keys, int applications,
			String... properties) {
		this.name = name;
		this.jobs = jobs;
		this.keys = keys;
		this.applications = applications;
		this.redis = redis;
		List<String> all = new ArrayList<>(List.of("locket.worker.queues=" + QUEUE));
		all.addAll(List.of(properties));
		this.properties = all.toArray(String[]::new);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void prepare(int operations) {
		this.started = new CountDownLatch(operations);
		while (this.contexts.size() < this.applications) {
			this.contexts.add(LocketApplication.start(this.redis, this.name.replaceAll("\\W+", "-"), this.properties));
		}
		this.contexts.forEach((context) -> context.getBean(EmptyJobs.class).countDown(this.started));
		Jobs enqueuer = this.contexts.get(0).getBean(Jobs.class);
		enqueuer.enqueueAll(next(1));
		administration().pause(QUEUE);
		for (int i = 1; i < operations; i += 500) {
			enqueuer.enqueueAll(next(Math.min(operations - i, 500)));
		}
	}

	private List<JobRequest> next(int count) {
		List<JobRequest> requests = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			this.last++;
			String job = this.jobs.get(this.last % this.jobs.size());
			JobRequest request = JobRequest.of(job, this.last % this.keys);
			requests.add(request);
			if (job.equals(EmptyJobs.REPLACING)) {
				requests.add(request);
			}
		}
		return requests;
	}

	@Override
	public void run(int operations) {
		administration().resume(QUEUE);
		Waiting.await(this.started, name());
	}

	private JobAdministration administration() {
		return this.contexts.get(0).getBean(JobAdministration.class);
	}

	@Override
	public void close() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.contexts.clear();
	}

}
