package io.locket.benchmarks.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Compilation}.
 */
class CompilationTests {

	private static final long RUN = TimeUnit.SECONDS.toNanos(1);

	private long compiled;

	@Test
	void runIsRepeatedUntilLittleIsCompiledBesideIt() {
		Deque<Integer> compiledBeside = new ArrayDeque<>(List.of(900, 51, 50, 0));
		Compilation.warmUp(() -> {
			this.compiled += compiledBeside.remove();
			return RUN;
		}, () -> this.compiled);
		assertThat(compiledBeside).containsExactly(0);
	}

	@Test
	void runIsRepeatedFifteenTimesAtMost() {
		int[] runs = new int[1];
		Compilation.warmUp(() -> {
			runs[0]++;
			this.compiled += 900;
			return RUN;
		}, () -> this.compiled);
		assertThat(runs[0]).isEqualTo(15);
	}

}
