package io.locket.benchmarks.queue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.peer.Peers;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Gate;

/**
 * A busy worker with jobs of which some fail, once or for good, beside the same worker
 * when none does.
 */
public final class FailureBenchmark {

	private static final int JOBS = 20_000;

	private static final String NONE_FAILS = "floor, no job fails";

	private static final String SOME_FAIL = "Locket, defaults";

	private static final String EACH_DIES = "Locket, each job dies";

	private static final String QUIET = "logging.level.io.locket.worker.run=error";

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		run(redis, rounds, report, 50, 0.7, 1.5);
		run(redis, rounds, report, 10, 0.5, 2);
		runDying(redis, rounds, report);
	}

	private static void runDying(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<String> oneOf50 = new ArrayList<>(Collections.nCopies(49, EmptyJobs.LEASED));
		oneOf50.add(EmptyJobs.DYING);
		Series series = rounds.compare(JOBS,
				List.of(new LocketWorker(redis, NONE_FAILS, EmptyJobs.LEASED),
						new LocketWorker(redis, "Locket, one of 50 dies", oneOf50, QUIET),
						new LocketWorker(redis, EACH_DIES, EmptyJobs.DYING, QUIET)));
		report.comparison("A busy worker, jobs that become dead letters",
				"Jobs with an empty body, which some leave with an exception. They have no further attempt. Locket runs with its"
						+ " defaults, but failed attempts are not logged.",
				series, NONE_FAILS, "job");
		report.gate(Gate.atLeast("Rate of a worker if each job becomes a dead letter, none = 1",
				series.ratio(EACH_DIES, NONE_FAILS, Usage::perSecond), 0.25));
		report.gate(Gate.atMost("Redis's time of a job if each becomes a dead letter, none = 1",
				series.ratio(EACH_DIES, NONE_FAILS, Usage::redisMicrosEach), 5));
	}

	private static void run(BenchmarkRedis redis, Rounds rounds, Report report, int failEach, double least,
			double most) {
		List<Variant> variants = new ArrayList<>(
				List.of(worker(redis, NONE_FAILS, 0), worker(redis, SOME_FAIL, failEach)));
		variants.addAll(Peers.failing(redis, failEach));
		Series series = rounds.compare(JOBS, variants);
		report.comparison("A busy worker, one job of " + failEach + " fails",
				"Jobs with an empty body, which some leave with an exception when they run for the first time. They are repeated"
						+ " after 5 ms. Locket runs with its defaults, but failed attempts are not logged.",
				series, NONE_FAILS, "job");
		report.gate(Gate.atLeast("Rate of a worker if one job of " + failEach + " fails, none = 1",
				series.ratio(SOME_FAIL, NONE_FAILS, Usage::perSecond), least));
		report.gate(Gate.atMost("Redis's time of a job if one of " + failEach + " fails, none = 1",
				series.ratio(SOME_FAIL, NONE_FAILS, Usage::redisMicrosEach), most));
	}

	private static Variant worker(BenchmarkRedis redis, String name, int failEach) {
		return new LocketWorker(redis, name, EmptyJobs.FAILING, LocketApplication.FAIL_EACH + "=" + failEach, QUIET);
	}

}
