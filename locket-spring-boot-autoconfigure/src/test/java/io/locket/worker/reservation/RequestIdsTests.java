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
		List<String> ids = Stream.generate(RequestIds::next).limit(2000).toList();
		assertThat(ids).isSorted().doesNotHaveDuplicates().allMatch((id) -> id.matches(".+-\\d{12}9"));
	}

}
