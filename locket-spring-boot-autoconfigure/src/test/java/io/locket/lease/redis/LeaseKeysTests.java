package io.locket.lease.redis;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseKeys}.
 */
class LeaseKeysTests {

	@Test
	void allKeysOfANamespaceShareItsHashTag() {
		LeaseKeys keys = LeaseKeys.of("shop");
		assertThat(Stream.of(keys.lock("d"), keys.claim("d"), keys.index(), keys.fence(), keys.replicated(),
				keys.jobs(), keys.running(), keys.due(), keys.work(), keys.channel()))
			.allMatch((key) -> key.startsWith("{shop}:"))
			.doesNotHaveDuplicates();
		assertThat(keys.isInOneSlot(ClusterSlotHashUtil::calculateSlot)).isTrue();
	}

	@Test
	void locksOfAnotherRegistryKeyMayBeInOtherSlots() {
		LeaseKeys keys = new LeaseKeys("shop", "locks");
		assertThat(keys.lock("d")).isEqualTo("locks:d");
		assertThat(keys.isInOneSlot(ClusterSlotHashUtil::calculateSlot)).isFalse();
		assertThat(new LeaseKeys("shop", "locks{shop}").isInOneSlot(ClusterSlotHashUtil::calculateSlot)).isTrue();
	}

	@Test
	void channelsAreAPatternOfThisRegistryKeyOnly() {
		assertThat(new LeaseKeys("shop", "a*b?c[d]\\").channels()).isEqualTo("a\\*b\\?c\\[d\\]\\\\-channel:*");
	}

}
