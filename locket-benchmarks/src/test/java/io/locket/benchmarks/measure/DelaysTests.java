package io.locket.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.locket.benchmarks.result.Delay;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Delays}.
 */
class DelaysTests {

	private static final int SAMPLES = 3;

	private final List<String> warmUps = new ArrayList<>();

	private final List<String> turns = new ArrayList<>();

	@Test
	void sourcesTakeTurnsAndTheWarmUpDoesNotCount() {
		List<Delay> delays = Delays.measure(2, SAMPLES, List.of(new Source("one", 1), new Source("other", 2)));
		assertThat(this.warmUps).startsWith("one").endsWith("other");
		assertThat(this.turns).containsExactly("one", "other", "other", "one", "one closed", "other closed");
		assertThat(delays).containsExactly(new Delay("one", 1, 1), new Delay("other", 2, 2));
	}

	@Test
	void percentilesAreOfAllSamples() {
		Delays delays = new Delays();
		double[] hundred = new double[100];
		Arrays.setAll(hundred, (i) -> i);
		delays.add("one", hundred);
		assertThat(delays.summary()).containsExactly(new Delay("one", 50, 99));
	}

	private final class Source implements DelaySource {

		private final String name;

		private final double millis;

		Source(String name, double millis) {
			this.name = name;
			this.millis = millis;
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public double[] measure(int samples, long pause) {
			((samples == SAMPLES) ? DelaysTests.this.turns : DelaysTests.this.warmUps).add(this.name);
			double[] measured = new double[samples];
			Arrays.fill(measured, (samples == SAMPLES) ? this.millis : 99);
			return measured;
		}

		@Override
		public void close() {
			DelaysTests.this.turns.add(this.name + " closed");
		}

	}

}
