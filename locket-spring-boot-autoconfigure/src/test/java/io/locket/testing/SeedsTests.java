package io.locket.testing;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Seeds}.
 */
class SeedsTests {

	@Test
	void seedsFollowFromTheSourceAndTheTest() {
		long[] seeds = Seeds.of("commit", SeedsTests.class, 3).toArray();
		assertThat(seeds).hasSize(3).doesNotHaveDuplicates();
		assertThat(LongStream.of(seeds)).allMatch((seed) -> seed >= 0);
		assertThat(Seeds.of("commit", SeedsTests.class, 3).toArray()).isEqualTo(seeds);
		assertThat(Seeds.of("another", SeedsTests.class, 3).toArray()).doesNotContain(seeds);
		assertThat(Seeds.of("commit", Seeds.class, 3).toArray()).doesNotContain(seeds);
	}

	@Test
	void seedsWithoutASourceAreNew() {
		assertThat(Seeds.of(null, SeedsTests.class, 3).toArray())
			.doesNotContain(Seeds.of(null, SeedsTests.class, 3).toArray());
	}

}
