package io.locket.benchmarks.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Waiting;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.Section;
import io.locket.benchmarks.result.Table;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Renewing 10,000 leases by the heartbeat.
 */
public final class RenewalBenchmark {

	private static final int LEASES = 10_000;

	private static final int BEATS = 5;

	/**
	 * A lease that is held for a second is renewed early, in a small group. From its
	 * second beat on, it is renewed with all others.
	 */
	private static final long SETTLING_MILLIS = 6_000;

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		redis.logSlowScripts(100, () -> measure(redis, report));
	}

	private static void measure(BenchmarkRedis redis, Report report) {
		try (ConfigurableApplicationContext context = LocketApplication.start(redis, "renewal",
				"locket.lease.duration=9s", "locket.lease.heartbeat=2s")) {
			LeaseService leases = context.getBean(LeaseService.class);
			List<Lease> holding = new ArrayList<>();
			for (int i = 0; i < LEASES; i++) {
				holding.add(leases.tryAcquire("held", i).orElseThrow());
			}
			Waiting.sleep(SETTLING_MILLIS);
			Timer beats = firstBeat(context.getBean(MeterRegistry.class));
			double[] millis = new double[BEATS];
			double[] longest = new double[BEATS];
			for (int i = 0; i < BEATS; i++) {
				redis.resetStatistics();
				millis[i] = next(beats);
				longest[i] = redis.longestScriptMicros() / 1e3;
			}
			holding.forEach(Lease::close);
			report.section(Section.of("Renewal", "One beat of the heartbeat that renews 10,000 leases.",
					new Table(Chapter.REDIS, List.of("figure", "median of " + BEATS),
							List.of(List.of("duration of a beat, ms", Report.number(Series.median(millis))),
									List.of("longest script, ms", Report.number(Series.median(longest)))))));
			report.gate(Gate.aim("Longest script of a renewal of 10,000 leases, ms", Series.median(longest), 2));
			report.gate(Gate.aim("Renewal of 10,000 leases, ms", Series.median(millis), 80));
		}
	}

	private static Timer firstBeat(MeterRegistry registry) {
		while (true) {
			Timer beats = registry.find("locket.heartbeat.duration").timer();
			if (beats != null) {
				return beats;
			}
			Waiting.sleep(20);
		}
	}

	private static double next(Timer beats) {
		long count = beats.count();
		double total = beats.totalTime(TimeUnit.MILLISECONDS);
		while (beats.count() == count) {
			Waiting.sleep(20);
		}
		return (beats.totalTime(TimeUnit.MILLISECONDS) - total) / (beats.count() - count);
	}

}
