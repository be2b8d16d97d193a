package io.locket.testing;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

/**
 * Seeds of tests that are random. They are new in each run, unless the environment
 * variable {@code LOCKET_SEEDS} has a text from which they follow. {@code .ci/run} sets
 * it to the commit, so that a repeated run of a commit repeats its tests.
 */
public final class Seeds {

	private static final @Nullable String SOURCE = System.getenv("LOCKET_SEEDS");

	private Seeds() {
	}

	/**
	 * Returns the seed of a test.
	 * @param test the test
	 * @return the seed, at least 0
	 */
	public static long of(Class<?> test) {
		return of(test, 1).findFirst().orElseThrow();
	}

	/**
	 * Returns seeds of a test.
	 * @param test the test
	 * @param count the number of seeds
	 * @return the seeds, at least 0
	 */
	public static LongStream of(Class<?> test, int count) {
		return of(SOURCE, test, count);
	}

	static LongStream of(@Nullable String source, Class<?> test, int count) {
		Random random = (source != null) ? new Random((source + test.getName()).hashCode())
				: new Random(ThreadLocalRandom.current().nextLong());
		return random.longs(count, 0, Long.MAX_VALUE);
	}

}
