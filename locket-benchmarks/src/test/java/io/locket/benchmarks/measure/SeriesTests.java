package io.locket.benchmarks.measure;

import io.locket.benchmarks.result.Gate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Series}.
 */
class SeriesTests {

	private final Series series = new Series();

	@Test
	void ratioIsTheMedianOfTheRatiosOfEachRound() {
		add("ours", 2, 30, 1);
		add("theirs", 1, 10, 1);
		assertThat(this.series.ratio("ours", "theirs", Usage::redisMicrosEach)).isEqualTo(2);
	}

	@Test
	void medianOfAnEvenNumberIsTheMiddleOfTwo() {
		assertThat(Series.median(4, 1, 3, 2)).isEqualTo(2.5);
	}

	@Test
	void unknownVariantIsRefused() {
		add("ours", 1);
		assertThatIllegalArgumentException().isThrownBy(() -> this.series.median("their", Usage::perSecond))
			.withMessageContaining("their")
			.withMessageContaining("ours");
	}

	@Test
	void gateKnowsItsDirection() {
		assertThat(Gate.atMost("cost", 2, 2).isKept()).isTrue();
		assertThat(Gate.atMost("cost", 2.1, 2).isKept()).isFalse();
		assertThat(Gate.atLeast("rate", 2, 2).isKept()).isTrue();
		assertThat(Gate.atLeast("rate", 1.9, 2).isKept()).isFalse();
	}

	private void add(String variant, long... redisMicros) {
		for (long micros : redisMicros) {
			this.series.add(variant, new Usage(1, 1, micros, 1, 1, 1));
		}
	}

}
