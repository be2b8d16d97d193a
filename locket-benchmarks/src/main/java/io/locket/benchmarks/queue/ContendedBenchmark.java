package io.locket.benchmarks.queue;

import java.util.List;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * A busy worker with more slots than its jobs have keys, so that most jobs are parked.
 */
public final class ContendedBenchmark {

	private static final int JOBS = 2_000;

	private static final int SLOTS = 8;

	private static final int KEYS = 4;

	private static final String FLOOR = "floor, fused";

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
	}

}
