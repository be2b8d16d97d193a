package io.locket.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * A busy worker with few and many slots, on platform threads, and on virtual threads if
 * this Java has them.
 */
public final class SlotsBenchmark {

	private static final int JOBS = 20_000;

	private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

	private static final List<Integer> SLOTS = List.of(8, 64);

	private static final String PLATFORM = "platform";

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		Series series = rounds.compare(JOBS, variants(redis));
		report.comparison("Slots and threads",
				"A busy worker with Locket's default batch, and jobs with an empty body and a key of their own.",
				series, name(SLOTS.get(0), PLATFORM), "job");
	}

	private static List<Variant> variants(BenchmarkRedis redis) {
		List<String> kinds = (Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS) ? List.of(PLATFORM, "virtual")
				: List.of(PLATFORM);
		List<Variant> variants = new ArrayList<>();
		for (String threads : kinds) {
			for (int slots : SLOTS) {
				variants.add(new LocketWorker(redis, name(slots, threads), EmptyJobs.LEASED,
						"locket.worker.concurrency=" + slots, "locket.worker.threads=" + threads));
			}
		}
		return variants;
	}

	private static String name(int slots, String threads) {
		return "Locket, " + slots + " slots, " + threads + " threads";
	}

}
