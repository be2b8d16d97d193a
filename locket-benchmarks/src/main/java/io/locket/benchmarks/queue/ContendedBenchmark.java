package io.locket.benchmarks.queue;

import java.util.List;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Gate;

/**
 * A busy worker with more slots than its jobs have keys, so that most jobs are parked.
 */
public final class ContendedBenchmark {

	private static final int JOBS = 2_000;

	private static final int SLOTS = 8;

	private static final int KEYS = 4;

	private static final String FLOOR = "floor, fused";

	private static final String NO_RUN_FAILS = "floor, no run fails";

	private static final String SOME_FAIL = "Locket, one run of 20 fails";

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		StatefulRedisConnection<String, String> connection = redis.connect();
		String slots = "locket.worker.concurrency=" + SLOTS;
		Series series = rounds.compare(JOBS,
				List.of(new FloorWorker(FLOOR, connection, SLOTS, 1, false, KEYS),
						new LocketWorker(redis, "Locket, 4 keys, batch 1", List.of(EmptyJobs.LEASED), KEYS, 1, slots,
								"locket.worker.batch=1"),
						new LocketWorker(redis, "Locket, 4 keys, defaults", List.of(EmptyJobs.LEASED), KEYS, 1)));
		report.comparison("A worker with few keys",
				"Jobs with an empty body, of which each fourth one has the same key. Most jobs are parked once.",
				series, FLOOR, "job");
		runFailing(redis, rounds, report);
	}

	private static void runFailing(BenchmarkRedis redis, Rounds rounds, Report report) {
		Series series = rounds.compare(10 * JOBS,
				List.of(worker(redis, NO_RUN_FAILS, 0), worker(redis, SOME_FAIL, 20)));
		report.comparison("A worker with 40 keys, one run of 20 fails",
				"Jobs with an empty body, of which each 40th one has the same key. Some runs leave with an exception, and are"
						+ " repeated after 5 ms. Locket runs with its defaults, but failed attempts are not logged.",
				series, NO_RUN_FAILS, "job");
		report.gate(Gate.atLeast("Rate of a worker with 40 keys if one run of 20 fails, none = 1",
				series.ratio(SOME_FAIL, NO_RUN_FAILS, Usage::perSecond), 0.45));
		report.gate(Gate.atMost("Redis's time of a job with 40 keys if one run of 20 fails, none = 1",
				series.ratio(SOME_FAIL, NO_RUN_FAILS, Usage::redisMicrosEach), 2.2));
	}

	private static Variant worker(BenchmarkRedis redis, String name, int failEach) {
		return new LocketWorker(redis, name, List.of(EmptyJobs.UNRELIABLE), 10 * KEYS, 1,
				LocketApplication.FAIL_EACH + "=" + failEach, "logging.level.io.locket.worker.run=error");
	}

}
