package io.locket.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.locket.benchmarks.measure.DelaySource;
import io.locket.benchmarks.measure.Delays;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.peer.Peers;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Delay;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.Section;

/**
 * Time from an enqueue to the start on an idle worker, and from a release to the waiter.
 */
public final class LatencyBenchmark {

	private static final int SAMPLES = 80;

	/**
	 * Delay of the delayed jobs, in milliseconds.
	 */
	private static final long DELAY = 30;

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<DelaySource> starts = new ArrayList<>(List.of(new FloorDelays(redis), new LocketDelays(redis, 0)));
		starts.addAll(Peers.delays(redis));
		List<Delay> measured = Delays.measure(redis, rounds.count(), SAMPLES, starts);
		report.section(Section.delaying("Enqueue to start",
				"From the call that enqueues to the body, one job at a time on an idle worker. The floor is `LPUSH` to "
						+ "a client that waits in `BRPOP`. The costs are those of the whole job, from its enqueue to its "
						+ "end. " + samples(rounds),
				"job", measured));
		List<DelaySource> delayed = new ArrayList<>(List.of(new LocketDelays(redis, DELAY)));
		delayed.addAll(Peers.delayed(redis, DELAY));
		report.section(Section.delaying("Due to start",
				"From the time at which a delayed job is due to the body, one job at a time on an idle worker, with a "
						+ "delay of " + DELAY + " ms. The costs are those of the whole job. " + samples(rounds),
				"delayed job", Delays.measure(redis, rounds.count(), SAMPLES, delayed)));
		report.gate(Gate.aim("Enqueue to start, p50 in ms", locket(measured).p50(), 1.2));
		report.gate(Gate.aim("Enqueue to start, p99 in ms", locket(measured).p99(), 4));
		List<Delay> handovers = Delays.measure(redis, rounds.count(), SAMPLES,
				List.of(new LocketHandover(redis), new RegistryHandover(redis), new RedissonHandover(redis)));
		report.section(Section.delaying("Handover of a lock",
				"From the release to the waiter, which has connections of its own. The costs are those of both locks. "
						+ samples(rounds),
				"handover", handovers));
		report.gate(Gate.aim("Handover to a waiter, p50 in ms", locket(handovers).p50(), 1));
	}

	private static String samples(Rounds rounds) {
		return String.format(Locale.ROOT, "%,d samples each.", rounds.count() * SAMPLES);
	}

	private static Delay locket(List<Delay> delays) {
		return delays.stream().filter(Delay::isLocket).findFirst().orElseThrow();
	}

}
