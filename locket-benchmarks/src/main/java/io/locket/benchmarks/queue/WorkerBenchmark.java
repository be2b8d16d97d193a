package io.locket.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.peer.Peers;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Gate;

/**
 * A busy worker of eight slots with an empty body, beside the floor.
 */
public final class WorkerBenchmark {

	private static final int JOBS = 20_000;

	private static final int SLOTS = 8;

	private static final String TWO_TRIPS = "floor, two round trips";

	private static final String FUSED = "floor, fused";

	private static final String FUSED_8 = "floor, fused, batch 8";

	private static final String LEASED = "Locket, batch 1";

	private static final String LEASED_8 = "Locket, batch 8";

	private static final String DEFAULTS = "Locket, defaults";

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		Rounds more = rounds.times(2);
		Series series = more.compare(JOBS, variants(redis));
		report.comparison("A busy worker",
				"Jobs with an empty body and a key of their own, 8 slots unless the variant runs with Locket's defaults. "
						+ "Quartz and JobRunr keep jobs in the memory of one process, without a key and without Redis. "
						+ "JobRunr begins with its next poll, up to 200 ms late. " + more.count() + " rounds.",
				series, TWO_TRIPS, "job");
		report.gate(Gate.atMost("Redis's time of a leased job, batch 1, floor = 1",
				series.ratio(LEASED, FUSED, Usage::redisMicrosEach), 2.5));
		report.gate(Gate.atMost("Redis's time of a leased job, batch 8, floor = 1",
				series.ratio(LEASED_8, FUSED_8, Usage::redisMicrosEach), 2));
		report.gate(Gate.atLeast("Rate of a worker, batch 1, two round trips = 1",
				series.ratio(LEASED, TWO_TRIPS, Usage::perSecond), 1));
		report.gate(Gate.atLeast("Rate of a worker, batch 8, two round trips = 1",
				series.ratio(LEASED_8, TWO_TRIPS, Usage::perSecond), 2.5));
		if (series.variants().contains(Peers.BULLMQ)) {
			report.gate(Gate.atLeast("Rate of a worker with Locket's defaults, BullMQ = 1",
					series.ratio(DEFAULTS, Peers.BULLMQ, Usage::perSecond), 1));
		}
		cpuGates(series, report);
	}

	private static void cpuGates(Series series, Report report) {
		report.gate(Gate.atMost("CPU of the JVM for a job, batch 1, floor = 1",
				series.ratio(LEASED, FUSED, Usage::cpuMicrosEach), 120.0 / 86));
		report.gate(Gate.atMost("CPU of the JVM for a job, batch 8, floor = 1",
				series.ratio(LEASED_8, FUSED_8, Usage::cpuMicrosEach), 30.0 / 16));
		report.gate(
				Gate.aim("CPU of the JVM for a job, batch 1, in us", series.median(LEASED, Usage::cpuMicrosEach), 120));
		report.gate(Gate.aim("CPU of the JVM for a job, batch 8, in us", series.median(LEASED_8, Usage::cpuMicrosEach),
				30));
	}

	private static List<Variant> variants(BenchmarkRedis redis) {
		StatefulRedisConnection<String, String> connection = redis.connect();
		String slots = "locket.worker.concurrency=" + SLOTS;
		List<Variant> variants = new ArrayList<>(List.of(new FloorWorker(TWO_TRIPS, connection, SLOTS, 1, true),
				new FloorWorker(FUSED, connection, SLOTS, 1, false),
				new FloorWorker(FUSED_8, connection, SLOTS, 8, false),
				new LocketWorker(redis, LEASED, EmptyJobs.LEASED, slots, "locket.worker.batch=1"),
				new LocketWorker(redis, LEASED_8, EmptyJobs.LEASED, slots, "locket.worker.batch=8"),
				new LocketWorker(redis, DEFAULTS, EmptyJobs.LEASED),
				new LocketWorker(redis, "Locket, NONE, batch 1", EmptyJobs.PLAIN, slots, "locket.worker.batch=1"),
				new LocketWorker(redis, "Locket, NONE, batch 8", EmptyJobs.PLAIN, slots, "locket.worker.batch=8")));
		variants.addAll(Peers.workers(redis));
		return variants;
	}

}
