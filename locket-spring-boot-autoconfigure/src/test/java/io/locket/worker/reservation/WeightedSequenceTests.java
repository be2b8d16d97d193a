package io.locket.worker.reservation;

import java.util.ArrayList;
import java.util.List;

import io.locket.worker.settings.WeightedQueue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WeightedSequence}.
 */
class WeightedSequenceTests {

	private final WeightedSequence sequence = new WeightedSequence(
			List.of(new WeightedQueue("a", 5), new WeightedQueue("b", 1), new WeightedQueue("c", 1)));

	@Test
	void headsFollowTheWeightsSmoothly() {
		assertThat(heads(14, List.of("a", "b", "c"))).containsExactly("a", "a", "b", "a", "c", "a", "a", "a", "a", "b",
				"a", "c", "a", "a");
	}

	@Test
	void othersFollowByWhatTheyHave() {
		assertThat(this.sequence.order(List.of("a", "b", "c"))).containsExactly("a", "b", "c");
		assertThat(this.sequence.order(List.of("a", "b", "c"))).containsExactly("a", "b", "c");
		assertThat(this.sequence.order(List.of("a", "b", "c"))).containsExactly("b", "c", "a");
	}

	@Test
	void queueThatIsLeftOutTakesNoTurns() {
		assertThat(heads(4, List.of("b", "c"))).containsExactly("b", "c", "b", "c");
		assertThat(heads(3, List.of("c"))).containsExactly("c", "c", "c");
		assertThat(heads(7, List.of("a", "b", "c"))).containsExactly("a", "a", "b", "a", "c", "a", "a");
	}

	private List<String> heads(int count, List<String> queues) {
		List<String> heads = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			heads.add(this.sequence.order(queues).get(0));
		}
		return heads;
	}

}
