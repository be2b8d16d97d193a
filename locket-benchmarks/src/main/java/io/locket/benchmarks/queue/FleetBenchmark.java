package io.locket.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Gate;

/**
 * Busy workers of several applications on one queue. Calls take longer the more
 * applications there are, because they share the processor and Redis.
 */
public final class FleetBenchmark {

	private static final int JOBS = 20_000;

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<Variant> variants = new ArrayList<>();
		for (int batch : List.of(1, 8)) {
			for (int applications : List.of(1, 4, 8)) {
				variants.add(
						new LocketWorker(redis, name(applications, batch), List.of(EmptyJobs.LEASED), Integer.MAX_VALUE,
								applications, "locket.worker.concurrency=8", "locket.worker.batch=" + batch));
			}
		}
		Series series = rounds.compare(JOBS, variants);
		report.comparison("A fleet",
				"Jobs with an empty body and a key of their own, 8 slots in each application. All applications share one "
						+ "JVM, so they also share its processors.",
				series, name(1, 1), "job");
		report.gate(Gate.atLeast("Rate of 4 applications, batch 1, 1 application = 1",
				series.ratio(name(4, 1), name(1, 1), Usage::perSecond), 1));
		report.gate(Gate.atMost("Commands for a job of 8 applications, batch 1",
				series.median(name(8, 1), Usage::redisCallsEach), 0.5));
	}

	private static String name(int applications, int batch) {
		return "Locket, " + applications + ((applications == 1) ? " application" : " applications") + ", batch "
				+ batch;
	}

}
