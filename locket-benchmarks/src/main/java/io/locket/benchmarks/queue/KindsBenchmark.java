package io.locket.benchmarks.queue;

import java.util.ArrayList;
import java.util.Collections;
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
 * A busy worker with jobs of several lock strategies, beside the same worker if each job
 * is unique while it runs.
 */
public final class KindsBenchmark {

	private static final int JOBS = 20_000;

	private static final String USUAL = "floor, unique while they run";

	private static final String ALL = "Locket, one of each kind in turn";

	private static final List<String> KINDS = List.of(EmptyJobs.LEASED, EmptyJobs.CLAIMING, EmptyJobs.NUMBERED,
			EmptyJobs.HOLDING, EmptyJobs.WAITING, EmptyJobs.PLAIN, EmptyJobs.WAITING_AND_LEASED, EmptyJobs.REPLACING);

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<Variant> variants = new ArrayList<>();
		variants.add(new LocketWorker(redis, USUAL, EmptyJobs.LEASED));
		variants.add(new LocketWorker(redis, "Locket, unique for a period", EmptyJobs.CLAIMING));
		variants.add(new LocketWorker(redis, "Locket, one of 50 unique for a period", oneOf50(EmptyJobs.CLAIMING)));
		variants.add(new LocketWorker(redis, "Locket, minimum hold", EmptyJobs.HOLDING));
		variants.add(new LocketWorker(redis, "Locket, one of 50 has a minimum hold", oneOf50(EmptyJobs.HOLDING)));
		variants.add(new LocketWorker(redis, "Locket, replaced while they wait", EmptyJobs.REPLACING));
		variants.add(new LocketWorker(redis, "Locket, one of 50 replaced", oneOf50(EmptyJobs.REPLACING)));
		variants.add(new LocketWorker(redis, ALL, KINDS));
		Series series = rounds.compare(JOBS, variants);
		report.comparison("A busy worker, jobs of several kinds",
				"Jobs with an empty body. Locket runs with its defaults. The last variant has eight kinds of jobs in one queue:"
						+ " each lock strategy, a minimum hold, and jobs that were replaced.",
				series, USUAL, "job");
		report.gate(Gate.atLeast("Rate of a worker with jobs of each kind, jobs of one kind = 1",
				series.ratio(ALL, USUAL, Usage::perSecond), 0.8));
		report.gate(Gate.atMost("Redis's time of a job with jobs of each kind, jobs of one kind = 1",
				series.ratio(ALL, USUAL, Usage::redisMicrosEach), 1.5));
	}

	private static List<String> oneOf50(String job) {
		List<String> jobs = new ArrayList<>(Collections.nCopies(49, EmptyJobs.LEASED));
		jobs.add(job);
		return jobs;
	}

}
