package io.locket.job.administration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link MergedIterator}.
 */
class MergedIteratorTests {

	@Test
	void elementsComeInOneOrder() {
		Iterator<Integer> merged = merge(
				List.of(List.of(1, 4, 9).iterator(), List.<Integer>of().iterator(), List.of(2, 3, 4).iterator()));
		assertThat(merged).toIterable().containsExactly(1, 2, 3, 4, 4, 9);
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(merged::next);
	}

	@Test
	void elementsAreFetchedOnlyWhenTheyAreNeeded() {
		List<Integer> fetched = new ArrayList<>();
		Iterator<Integer> merged = merge(List.of(Stream.of(1, 5, 6).peek(fetched::add).iterator(),
				Stream.of(2, 3).peek(fetched::add).iterator()));
		assertThat(fetched).containsExactly(1, 2);
		assertThat(merged.next()).isEqualTo(1);
		assertThat(fetched).containsExactly(1, 2);
		assertThat(merged.next()).isEqualTo(2);
		assertThat(fetched).containsExactly(1, 2, 5);
	}

	private static Iterator<Integer> merge(List<Iterator<Integer>> sources) {
		return new MergedIterator<>(sources, Comparator.naturalOrder());
	}

}
