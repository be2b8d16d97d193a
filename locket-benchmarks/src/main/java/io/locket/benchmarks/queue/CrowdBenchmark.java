package io.locket.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.JobState;
import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Threads;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.measure.Waiting;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.redis.FloorScript;
import io.locket.benchmarks.result.Gate;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A hundred free jobs in a queue below one that is full of jobs of a held key.
 */
public final class CrowdBenchmark {

	private static final int CROWD = 10_000;

	private static final int FREE = 100;

	private static final int SLOTS = 8;

	/**
	 * Maximum number of ended jobs that are kept. Otherwise runs would delete the crowds
	 * of those before, also in the turns of other variants.
	 */
	private static final int HISTORY = 1_000_000;

	/**
	 * Free jobs of a run that warms up. A run that counts is so short that its code would
	 * be compiled meanwhile.
	 */
	private static final int WARM_UP = 3_000;

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		redis.logSlowScripts(500, () -> compare(redis, rounds, report));
	}

	private static void compare(BenchmarkRedis redis, Rounds rounds, Report report) {
		StatefulRedisConnection<String, String> connection = redis.connect();
		Variant floor = new FloorCrowd(connection);
		Variant single = new LocketCrowd(redis, 1);
		Variant batch = new LocketCrowd(redis, 8);
		List<Variant> variants = List.of(floor, single, batch);
		variants.forEach((variant) -> {
			variant.prepare(WARM_UP);
			variant.run(WARM_UP);
			variant.rest();
		});
		LocketCrowd.LONGEST.clear();
		Series series = rounds.times(2).compare(FREE, variants);
		report.comparison("A crowd of a held key",
				"100 free jobs in a queue below one that holds 10,000 jobs of a key that is taken, 8 slots. No run"
						+ " deletes jobs that have ended.",
				series, floor.name(), "free job");
		for (Variant variant : List.of(single, batch)) {
			report.gate(Gate.atMost(
					"Redis's time of 100 free jobs behind 10,000 of a held key, " + variant.name() + ", floor = 1",
					series.ratio(variant.name(), floor.name(), Usage::redisMicrosEach), 2));
		}
		double[] longest = LocketCrowd.LONGEST.stream().mapToDouble((micros) -> micros / 1e3).toArray();
		report.gate(Gate.aim("Longest script beside 10,000 jobs of a held key, ms",
				DoubleStream.of(longest).max().orElse(0), 5));
		report.gate(Gate.aim("Median of the longest script of each such run, ms", Series.median(longest), 5));
	}

	/**
	 * The crowd on the floor scripts, which park what is locked.
	 */
	private static final class FloorCrowd implements Variant {

		private final StatefulRedisConnection<String, String> connection;

		private final FloorScript fused;

		private String[] keys = {};

		FloorCrowd(StatefulRedisConnection<String, String> connection) {
			this.connection = connection;
			this.fused = new FloorScript(connection, "fused");
		}

		@Override
		public String name() {
			return "floor";
		}

		@Override
		public void prepare(int operations) {
			String prefix = "crowd-" + UUID.randomUUID() + ":";
			this.keys = new String[] { prefix + "high", prefix + "low", prefix + "flight", prefix + "lease:",
					prefix + "parked:" };
			this.connection.sync().set(this.keys[3] + "held", "another");
			push(this.keys[0], CROWD, "held");
			push(this.keys[1], operations, null);
		}

		private void push(String queue, int count, @Nullable String key) {
			String[] items = new String[count];
			for (int i = 0; i < count; i++) {
				String id = UUID.randomUUID().toString();
				items[i] = queue + "|" + id + "|" + ((key != null) ? key : id) + "|{}";
			}
			this.connection.sync().lpush(queue, items);
		}

		@Override
		public void run(int operations) {
			AtomicInteger ended = new AtomicInteger();
			Threads.run(SLOTS, (slot) -> {
				String token = UUID.randomUUID().toString();
				while (ended.get() < operations) {
					List<String> taken = call(token, "1");
					if (!taken.isEmpty()) {
						String[] parts = taken.get(0).split("\\|", 4);
						call(token, "0", parts[1], parts[2]);
						ended.incrementAndGet();
					}
				}
			});
		}

		private List<String> call(String token, String take, String... ends) {
			List<String> args = new ArrayList<>(List.of(token, "35000", take, "10"));
			args.addAll(List.of(ends));
			return this.fused.call(ScriptOutputType.MULTI, this.keys, args.toArray(String[]::new));
		}

	}

	/**
	 * The crowd on Locket.
	 */
	private static final class LocketCrowd implements Variant {

		/**
		 * Time of the longest script of each run, in microseconds. Redis waits for a
		 * processor now and then, which takes some milliseconds, so their median is
		 * reported, too.
		 */
		private static final List<Long> LONGEST = new ArrayList<>();

		private final BenchmarkRedis redis;

		private final int batch;

		private final ConfigurableApplicationContext context;

		private final Lease held;

		private CountDownLatch started = new CountDownLatch(0);

		LocketCrowd(BenchmarkRedis redis, int batch) {
			this.redis = redis;
			this.batch = batch;
			this.context = LocketApplication.start(redis, "crowd-" + batch, "locket.worker.queues=high,low",
					"locket.worker.concurrency=" + SLOTS, "locket.worker.batch=" + batch, "locket.lease.duration=10m",
					"locket.history.max-size=" + HISTORY, "locket.history.max-age=1d");
			this.held = this.context.getBean(LeaseService.class)
				.tryAcquire(LeaseRequest.of(this.context.getBean(UniqueJobs.class).keyOf(EmptyJobs.LEASED, -1)))
				.orElseThrow();
		}

		@Override
		public String name() {
			return "Locket, batch " + this.batch;
		}

		@Override
		public void prepare(int operations) {
			Jobs jobs = this.context.getBean(Jobs.class);
			JobAdministration administration = this.context.getBean(JobAdministration.class);
			administration.remove("high");
			administration.resume("high");
			this.started = new CountDownLatch(operations);
			this.context.getBean(EmptyJobs.class).countDown(this.started);
			for (String queue : List.of("high", "low")) {
				administration.pause(queue);
			}
			for (int i = 0; i < CROWD; i += 500) {
				jobs.enqueueAll(requests("high", 500, -1));
			}
			jobs.enqueueAll(requests("low", operations, 0));
		}

		private static List<JobRequest> requests(String queue, int count, long first) {
			List<JobRequest> requests = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				requests.add(JobRequest.of(EmptyJobs.LEASED, (first < 0) ? first : first + i)
					.with(EnqueueOptions.now().queue(queue)));
			}
			return requests;
		}

		@Override
		public void run(int operations) {
			JobAdministration administration = this.context.getBean(JobAdministration.class);
			administration.resume("high");
			administration.resume("low");
			Waiting.await(this.started, name());
			LONGEST.add(this.redis.longestScriptMicros());
		}

		@Override
		public void rest() {
			JobAdministration administration = this.context.getBean(JobAdministration.class);
			for (String queue : List.of("high", "low")) {
				administration.pause(queue);
			}
			while (administration.counts("low").in(JobState.RUNNING) > 0) {
				Waiting.sleep(10);
			}
		}

		@Override
		public void close() {
			this.held.close();
			this.context.close();
		}

	}

}
