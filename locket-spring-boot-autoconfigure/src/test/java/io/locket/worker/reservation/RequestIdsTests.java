package io.locket.worker.reservation;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RequestIds}.
 */
class RequestIdsTests {

	@Test
	void eachIdIsGreaterThanThoseBeforeAndAsLong() {
		RequestIds ids = new RequestIds();
		List<String> drawn = Stream.generate(ids::next).limit(2000).toList();
		assertThat(drawn).isSorted().doesNotHaveDuplicates().allMatch((id) -> id.matches(".+-\\d{13}"));
	}

	@Test
	void sendersDiffer() {
		assertThat(new RequestIds().next()).isNotEqualTo(new RequestIds().next());
	}

}
