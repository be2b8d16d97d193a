package io.locket.benchmarks.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.JobState;
import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Threads;
import io.locket.benchmarks.measure.Waiting;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application whose namespace is crowded: many jobs wait in its queue, or many keys
 * have parked jobs.
 */
final class Crowd implements AutoCloseable {

	private static final String QUEUE = "default";

	private static final String PARKED = "parked";

	private static final int BULK = 500;

	private static final int THREADS = 4;

	private final AtomicLong numbers = new AtomicLong(10_000_000);

	private final int size;

	/**
	 * Number of jobs that wait in the queue between two runs.
	 */
	private int waiting;

	private final ConfigurableApplicationContext context;

	private Crowd(BenchmarkRedis redis, String name, int size) {
		this.size = size;
		this.context = LocketApplication.start(redis, name + "-" + size, "locket.worker.queues=" + PARKED + "," + QUEUE,
				"locket.worker.concurrency=8", "locket.lease.duration=1h", "locket.lease.heartbeat=15m");
	}

	static Crowd queued(BenchmarkRedis redis, int size) {
		Crowd crowd = new Crowd(redis, "queued", size);
		crowd.enqueue(QUEUE, -1, 1);
		crowd.administration().pause(QUEUE);
		crowd.inBulks(QUEUE);
		crowd.waiting = crowd.waiting();
		return crowd;
	}

	static Crowd parked(BenchmarkRedis redis, int size) {
		Crowd crowd = new Crowd(redis, "parked", size);
		crowd.hold();
		crowd.enqueue(QUEUE, -1, 1);
		crowd.administration().pause(QUEUE);
		crowd.inBulks(PARKED);
		while (crowd.administration().counts(PARKED).in(JobState.PARKED) < size) {
			Waiting.sleep(20);
		}
		crowd.waiting = crowd.waiting();
		return crowd;
	}

	private void hold() {
		LeaseService leases = this.context.getBean(LeaseService.class);
		UniqueJobs jobs = this.context.getBean(UniqueJobs.class);
		Threads.run(THREADS, (thread) -> {
			for (int i = thread; i < this.size; i += THREADS) {
				leases.tryAcquire(LeaseRequest.of(jobs.keyOf(EmptyJobs.LEASED, (long) i))).orElseThrow();
			}
		});
	}

	private void inBulks(String queue) {
		AtomicInteger next = new AtomicInteger();
		Threads.run(THREADS, (thread) -> {
			for (int from = next.getAndAdd(BULK); from < this.size; from = next.getAndAdd(BULK)) {
				enqueue(queue, from, Math.min(BULK, this.size - from));
			}
		});
	}

	private List<String> enqueue(String queue, long first, int count) {
		List<JobRequest> requests = new ArrayList<>();
		for (long number = first; number < first + count; number++) {
			requests.add(JobRequest.of(EmptyJobs.LEASED, number).with(EnqueueOptions.now().queue(queue)));
		}
		return this.context.getBean(Jobs.class).enqueueAll(requests).stream().map(Crowd::id).toList();
	}

	private static String id(EnqueueResult result) {
		if (result instanceof EnqueueResult.Accepted accepted) {
			return accepted.id();
		}
		throw new IllegalStateException("A free job was not accepted: " + result);
	}

	int size() {
		return this.size;
	}

	JobAdministration administration() {
		return this.context.getBean(JobAdministration.class);
	}

	/**
	 * Enqueues as many jobs as have run beyond those that were enqueued, so that all
	 * operations are measured beside the same number.
	 * @throws IllegalStateException if there are more jobs than at the beginning
	 */
	void restore() {
		while (administration().counts(QUEUE).in(JobState.RUNNING) > 0) {
			Waiting.sleep(10);
		}
		int missing = this.waiting - waiting();
		if (missing < 0) {
			throw new IllegalStateException("The crowd of " + this.size + " has grown by " + -missing);
		}
		for (int from = 0; from < missing; from += BULK) {
			enqueueFree(Math.min(BULK, missing - from));
		}
	}

	private int waiting() {
		return Math.toIntExact(administration().counts(QUEUE).in(JobState.READY));
	}

	String enqueueOne() {
		return id(this.context.getBean(Jobs.class).enqueue(EmptyJobs.LEASED, this.numbers.incrementAndGet()));
	}

	/**
	 * Enqueues free jobs in bulk.
	 * @param count the number of jobs
	 * @return their ids
	 */
	List<String> enqueueFree(int count) {
		return enqueue(QUEUE, this.numbers.getAndAdd(count), count);
	}

	/**
	 * Runs jobs. Jobs beyond the number wait in their bodies until the queue is paused
	 * again, so that hardly more is measured than that number.
	 * @param count the number of jobs
	 */
	void work(int count) {
		AtomicInteger started = new AtomicInteger();
		CountDownLatch all = new CountDownLatch(count);
		CountDownLatch paused = new CountDownLatch(1);
		this.context.getBean(EmptyJobs.class).onStart((number) -> {
			if (started.incrementAndGet() > count) {
				Waiting.await(paused, "beyond");
			}
			all.countDown();
		});
		administration().resume(QUEUE);
		Waiting.await(all, "crowd");
		administration().pause(QUEUE);
		paused.countDown();
	}

	@Override
	public void close() {
		this.context.close();
	}

}
