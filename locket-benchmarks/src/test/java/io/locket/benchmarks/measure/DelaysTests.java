package io.locket.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Delay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Delays}.
 */
class DelaysTests {

	private static final int SAMPLES = 3;

	private final BenchmarkRedis redis = BenchmarkRedis.start();

	private final StatefulRedisConnection<String, String> connection = this.redis.connect();

	private final List<String> warmUps = new ArrayList<>();

	private final List<String> turns = new ArrayList<>();

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@Test
	void sourcesTakeTurnsAndTheWarmUpDoesNotCount() {
		List<Delay> delays = Delays.measure(this.redis, 2, SAMPLES,
				List.of(new Source("one", 1, true), new Source("other", 2, false)));
		assertThat(this.warmUps).startsWith("one").endsWith("other");
		assertThat(this.turns).containsExactly("one", "other", "other", "one", "one closed", "other closed");
		assertThat(delays).extracting(Delay::variant).containsExactly("one", "other");
		assertThat(delays).extracting(Delay::p50).containsExactly(1.0, 2.0);
		assertThat(delays).extracting(Delay::p99).containsExactly(1.0, 2.0);
		assertThat(delays).extracting(Delay::calls).containsExactly(2.0, 0.0);
		assertThat(delays.get(0).redisMicros()).isPositive();
		assertThat(delays.get(1)).isEqualTo(new Delay("other", 2, 2, 0, 0, 0));
	}

	@Test
	void percentilesAndCostsAreOfAllSamples() {
		Delays delays = new Delays();
		double[] hundred = new double[100];
		Arrays.setAll(hundred, (i) -> i);
		delays.add("one", new RedisCost(1000, 3000, 150), Arrays.copyOfRange(hundred, 0, 50));
		delays.add("one", new RedisCost(2000, 4000, 150), Arrays.copyOfRange(hundred, 50, 100));
		assertThat(delays.summary()).containsExactly(new Delay("one", 50, 99, 30, 70, 3));
	}

	/**
	 * Source that sends two commands for each sample.
	 */
	private final class Source implements DelaySource {

		private final String name;

		private final double millis;

		private final boolean redis;

		Source(String name, double millis, boolean redis) {
			this.name = name;
			this.millis = millis;
			this.redis = redis;
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public Set<String> directCommands() {
			return Set.of("lpush");
		}

		@Override
		public boolean usesRedis() {
			return this.redis;
		}

		@Override
		public double[] measure(int samples, long pause) {
			((samples == SAMPLES) ? DelaysTests.this.turns : DelaysTests.this.warmUps).add(this.name);
			for (int i = 0; i < 2 * samples; i++) {
				DelaysTests.this.connection.sync().lpush("list", "value");
			}
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
