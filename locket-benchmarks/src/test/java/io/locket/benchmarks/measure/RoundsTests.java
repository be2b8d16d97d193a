package io.locket.benchmarks.measure;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.redis.BenchmarkRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Rounds}.
 */
class RoundsTests {

	private static final int LATE_SCRIPTS = 5000;

	private final BenchmarkRedis redis = BenchmarkRedis.start();

	private final StatefulRedisConnection<String, String> connection = this.redis.connect();

	@AfterEach
	void close() {
		this.redis.close();
	}

	@Test
	void scriptsOfEachVariantAreCountedInItsOwnTurns() {
		Series series = new Rounds(this.redis, 1).compare(100,
				List.of(Variant.of("one", (i) -> script()), Variant.of("two", (i) -> {
					script();
					script();
				})));
		assertThat(series.ratio("two", "one", Usage::redisCallsEach)).isEqualTo(2);
	}

	@Test
	void variantThatGoesOnBeyondItsTurnFailsTheRun() {
		try (Restless restless = new Restless(Long.MAX_VALUE)) {
			assertThatIllegalStateException()
				.isThrownBy(() -> new Rounds(this.redis, 1).compare(100,
						List.of(restless, Variant.of("calm", (i) -> script()))))
				.withMessageContaining("other variants ran");
		}
	}

	@Test
	void turnBeginsAfterTheScriptsOfTheOneBefore() {
		try (Restless restless = new Restless(LATE_SCRIPTS)) {
			Series series = new Rounds(this.redis, 1).compare(100,
					List.of(restless, Variant.of("calm", (i) -> script())));
			assertThat(series.median("calm", Usage::redisCallsEach)).isEqualTo(1);
		}
	}

	private void script() {
		this.connection.sync().eval("return 1", ScriptOutputType.INTEGER);
	}

	/**
	 * Sends a number of scripts from its first run on, unless it is closed before.
	 */
	private final class Restless implements Variant {

		private final AtomicBoolean closed = new AtomicBoolean();

		private final Thread sender;

		Restless(long scripts) {
			this.sender = new Thread(() -> {
				for (long sent = 0; sent < scripts && !this.closed.get(); sent++) {
					script();
				}
			}, "restless");
		}

		@Override
		public String name() {
			return "restless";
		}

		@Override
		public void run(int operations) {
			if (this.sender.getState() == Thread.State.NEW) {
				this.sender.start();
			}
		}

		@Override
		public void close() {
			this.closed.set(true);
			try {
				this.sender.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
