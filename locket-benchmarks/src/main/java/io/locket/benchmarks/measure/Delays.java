package io.locket.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Delay;
import io.locket.benchmarks.result.Rounding;

/**
 * Latencies of several sources that take turns.
 */
public final class Delays {

	private static final long WARM_UP_PAUSE = 1;

	private static final long PAUSE = 10;

	private final Map<String, List<Double>> millis = new LinkedHashMap<>();

	private final Map<String, RedisCost> costs = new HashMap<>();

	/**
	 * Warms each source up, measures each once in each round, and closes them at the end.
	 * @param redis the Redis whose time is measured
	 * @param rounds the number of rounds
	 * @param samples the number of samples of a source in a round
	 * @param sources the sources
	 * @return the latencies
	 */
	public static List<Delay> measure(BenchmarkRedis redis, int rounds, int samples, List<DelaySource> sources) {
		Delays delays = new Delays();
		try {
			sources.forEach((source) -> Compilation.warmUp(() -> warmUp(source)));
			Compilation.awaitQuiet();
			for (int round = 0; round < rounds; round++) {
				for (int turn = 0; turn < sources.size(); turn++) {
					DelaySource source = sources.get((turn + round) % sources.size());
					RedisCost.Meter meter = new RedisCost.Meter(redis, source);
					double[] millis = source.measure(samples, PAUSE);
					delays.add(source.name(), meter.cost(), millis);
				}
			}
		}
		finally {
			sources.forEach(DelaySource::close);
		}
		return delays.summary();
	}

	private static long warmUp(DelaySource source) {
		long started = System.nanoTime();
		source.measure(source.warmUpSamples(), WARM_UP_PAUSE);
		return System.nanoTime() - started;
	}

	void add(String source, RedisCost cost, double... measured) {
		this.costs.merge(source, cost, RedisCost::plus);
		List<Double> all = this.millis.computeIfAbsent(source, (name) -> new ArrayList<>());
		Arrays.stream(measured).forEach(all::add);
	}

	List<Delay> summary() {
		return this.millis.entrySet()
			.stream()
			.map((entry) -> delay(entry.getKey(), entry.getValue(),
					this.costs.getOrDefault(entry.getKey(), RedisCost.NONE)))
			.toList();
	}

	private static Delay delay(String source, List<Double> measured, RedisCost cost) {
		double[] sorted = measured.stream().mapToDouble(Double::doubleValue).sorted().toArray();
		int samples = sorted.length;
		return new Delay(source, Rounding.of(sorted[samples / 2]), Rounding.of(sorted[samples * 99 / 100]),
				Rounding.of((double) cost.micros() / samples), Rounding.of((double) cost.cpuMicros() / samples),
				Rounding.of((double) cost.calls() / samples));
	}

}
