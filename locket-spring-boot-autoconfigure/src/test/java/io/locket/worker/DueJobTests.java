package io.locket.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.heartbeat.RunLeases;
import io.locket.lease.redis.LeaseKeys;
import io.locket.observer.JobObservers;
import io.locket.queue.JobRecord;
import io.locket.queue.redis.QueueSettings;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.queue.redis.RedisJobStore;
import io.locket.queue.spi.NewJob;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.run.QueueRunRenewer;
import io.locket.worker.run.RunParts;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.RetrySettings;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerSettings;
import io.locket.worker.settings.WorkerThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the start of jobs while workers poll only once a minute. Measures the delay
 * between the due time and the start of a delayed job. Both times are those of Redis.
 * Prints its measurements.
 */
class DueJobTests {

	private static final Duration BOUND = Duration.ofMillis(100);

	private static final int JOBS = 8;

	/**
	 * Number of rounds. Other load of the machine can delay a single round.
	 */
	private static final int ROUNDS = 5;

	private final List<WorkerLifecycle> workers = new ArrayList<>();

	private final List<RunLeases> leases = new ArrayList<>();

	private final String namespace = RedisServer.newNamespace();

	private final LettuceConnectionFactory connectionFactory = connect();

	private final RedisConnections connections = new RedisConnections(this.connectionFactory, this.connectionFactory,
			Duration.ofSeconds(2), this.connectionFactory::destroy);

	private final RedisJobQueue queue = queue();

	private final RedisJobStore store = new RedisJobStore(this.connections, LeaseKeys.of(this.namespace),
			new JobEventPublisher(List.of()));

	private volatile CountDownLatch over = new CountDownLatch(0);

	@AfterEach
	void close() {
		this.over.countDown();
		this.workers.forEach(WorkerLifecycle::stop);
		this.leases.forEach(RunLeases::close);
		this.store.close();
		this.queue.close();
		this.connections.close();
	}

	/**
	 * The bodies continue until all jobs have started, so that each worker that starts
	 * one is busy when the next is due.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void jobsStartWithinAHundredMillisecondsOfTheirTime(int processes) {
		startOnTime(processes, this.queue::enqueue);
	}

	/**
	 * Only the first of these jobs notifies the workers. The queue is known before,
	 * because the fast path leaves its first job to the general script.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void jobsThatAreEnqueuedOneByOneStartOnTimeToo(int processes) {
		this.queue.enqueue(job("before", Duration.ZERO));
		this.store.cancel("before");
		startOnTime(processes, (jobs) -> jobs.forEach(this.queue::enqueue));
	}

	private void startOnTime(int processes, Consumer<List<NewJob>> enqueue) {
		IntStream.range(0, processes).forEach(this::startWorker);
		long worst = Long.MAX_VALUE;
		for (int round = 0; round < ROUNDS && worst > BOUND.toMillis(); round++) {
			List<Long> late = round(round, enqueue);
			worst = Math.min(worst, late.get(JOBS - 1));
			System.out.printf("%d process(es): delayed jobs started %d ms after their time (median), %d ms (worst)%n",
					processes, late.get(JOBS / 2), late.get(JOBS - 1));
			assertThat(late).allMatch((millis) -> millis >= 0);
		}
		assertThat(worst).as("ms after its time").isLessThanOrEqualTo(BOUND.toMillis());
	}

	/**
	 * Enqueues behind ready jobs publish nothing, so the slots wake one another.
	 */
	@Test
	void jobsThatAreEnqueuedOneByOneStartInAllSlotsOfAllProcesses() {
		IntStream.range(0, 3).forEach(this::startWorker);
		int slots = 3 * (JOBS + 2);
		this.over = new CountDownLatch(1);
		IntStream.range(0, slots).forEach((i) -> this.queue.enqueue(job("job" + i, Duration.ZERO)));
		await().atMost(Duration.ofSeconds(10)).until(() -> this.store.counts("q").in(JobState.RUNNING) == slots);
		this.over.countDown();
		await().atMost(Duration.ofSeconds(10)).until(() -> this.store.counts("q").in(JobState.SUCCEEDED) == slots);
	}

	@Test
	void allJobsOfSeveralProducersRunWithoutAPoll() throws Exception {
		IntStream.range(0, 3).forEach(this::startWorker);
		int producers = 4;
		int jobs = 100;
		ExecutorService executor = Executors.newFixedThreadPool(producers);
		try {
			List<Future<?>> ends = new ArrayList<>();
			for (int producer = 0; producer < producers; producer++) {
				String prefix = "job-" + producer + "-";
				ends.add(executor.submit(() -> IntStream.range(0, jobs)
					.forEach((i) -> this.queue.enqueue(job(prefix + i, Duration.ZERO)))));
			}
			for (Future<?> end : ends) {
				end.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		await().atMost(Duration.ofSeconds(10))
			.until(() -> this.store.counts("q").in(JobState.SUCCEEDED) == producers * jobs);
	}

	/**
	 * Returns the delay of each job, in order.
	 */
	private List<Long> round(int round, Consumer<List<NewJob>> enqueue) {
		this.over = new CountDownLatch(1);
		List<String> ids = IntStream.range(0, JOBS).mapToObj((i) -> "job-" + round + "-" + i).toList();
		enqueue.accept(
				IntStream.range(0, JOBS).mapToObj((i) -> job(ids.get(i), Duration.ofMillis(250 + 60 * i))).toList());
		await().pollInterval(Duration.ofMillis(50))
			.atMost(Duration.ofSeconds(10))
			.until(() -> ids.stream().allMatch((id) -> record(id).startedAt() != null));
		this.over.countDown();
		await().pollInterval(Duration.ofMillis(20))
			.atMost(Duration.ofSeconds(10))
			.until(() -> this.store.counts("q").in(JobState.SUCCEEDED) == JOBS * (round + 1));
		return ids.stream().map(this::record).map(DueJobTests::late).sorted().toList();
	}

	private JobRecord record(String id) {
		return this.store.find(id).orElseThrow();
	}

	private static long late(JobRecord job) {
		return Duration.between(job.startAt(), job.startedAt()).toMillis();
	}

	private void startWorker(int number) {
		RedisJobQueue own = queue();
		JobEventPublisher events = new JobEventPublisher(List.of());
		LeaseThreads threads = LeaseThreads.create();
		LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofSeconds(5), threads.heartbeat(), threads.watch(),
				threads.notifier(), events, System::nanoTime);
		RunLeases runs = new RunLeases(new QueueRunRenewer(own), heartbeat, threads, events, System::nanoTime,
				own::close);
		this.leases.add(runs);
		GroupSettings group = new GroupSettings("test", List.of(new WeightedQueue("q", 1)), QueueOrder.STRICT, JOBS + 2,
				WorkerThreads.PLATFORM, 1, Duration.ofSeconds(1), Duration.ofMinutes(1));
		WorkerSettings settings = new WorkerSettings("test", "host/" + number + "/test", List.of(group), Map.of(),
				Duration.ofSeconds(5), true, Duration.ofSeconds(5),
				new RetrySettings(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), 0.1));
		WorkerLifecycle worker = new WorkerLifecycle(settings, own, new RunParts(runs, new JobKeys(),
				(job) -> Optional.of(new TestHandler(job, this::body)), JobObservers.none(), System::nanoTime),
				List.of(new IdleQueueFilter()), threads.watch());
		this.workers.add(worker);
		worker.start();
	}

	private Object body() throws InterruptedException {
		this.over.await();
		return "done";
	}

	private static NewJob job(String id, Duration delay) {
		return NewJob.builder(id, "job", "q").start(NewJob.Start.in(delay)).retries(3).build();
	}

	private RedisJobQueue queue() {
		return new RedisJobQueue(this.connections, LeaseKeys.of(this.namespace),
				new QueueSettings(Duration.ofSeconds(2), 3, Duration.ofHours(1), 1000, Duration.ofDays(1), 1000),
				new JobEventPublisher(List.of()));
	}

	private static LettuceConnectionFactory connect() {
		LettuceConnectionFactory connectionFactory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(RedisServer.shared().host(), RedisServer.shared().port()));
		connectionFactory.afterPropertiesSet();
		connectionFactory.start();
		return connectionFactory;
	}

}
