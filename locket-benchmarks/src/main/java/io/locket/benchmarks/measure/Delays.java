package io.locket.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.locket.benchmarks.result.Delay;
import io.locket.benchmarks.result.Rounding;

/**
 * Latencies of several sources that take turns.
 */
public final class Delays {

	/**
	 * Number of samples of a source in a run before the rounds.
	 */
	private static final int WARM_UP = 3000;

	private static final long WARM_UP_PAUSE = 1;

	private static final long PAUSE = 10;

	private final Map<String, List<Double>> millis = new LinkedHashMap<>();

	/**
	 * Warms each source up, measures each once in each round, and closes them at the end.
	 * @param rounds the number of rounds
	 * @param samples the number of samples of a source in a round
	 * @param sources the sources
	 * @return the latencies
	 */
	public static List<Delay> measure(int rounds, int samples, List<DelaySource> sources) {
		Delays delays = new Delays();
		try {
			sources.forEach((source) -> Compilation.warmUp(() -> warmUp(source)));
			Compilation.awaitQuiet();
			for (int round = 0; round < rounds; round++) {
				for (int turn = 0; turn < sources.size(); turn++) {
					DelaySource source = sources.get((turn + round) % sources.size());
					delays.add(source.name(), source.measure(samples, PAUSE));
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
		source.measure(WARM_UP, WARM_UP_PAUSE);
		return System.nanoTime() - started;
	}

	void add(String source, double... measured) {
		List<Double> all = this.millis.computeIfAbsent(source, (name) -> new ArrayList<>());
		Arrays.stream(measured).forEach(all::add);
	}

	List<Delay> summary() {
		return this.millis.entrySet().stream().map((entry) -> delay(entry.getKey(), entry.getValue())).toList();
	}

	private static Delay delay(String source, List<Double> measured) {
		double[] sorted = measured.stream().mapToDouble(Double::doubleValue).sorted().toArray();
		return new Delay(source, Rounding.of(sorted[sorted.length / 2]), Rounding.of(sorted[sorted.length * 99 / 100]));
	}

}
