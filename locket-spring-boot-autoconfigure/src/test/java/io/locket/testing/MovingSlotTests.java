package io.locket.testing;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MovingSlot}.
 */
class MovingSlotTests {

	/**
	 * A master chooses an epoch by those that it knows. Here the source has just chosen a
	 * new one.
	 */
	@Test
	void targetHasAHigherEpochThanTheSource() {
		try (RedisCluster cluster = RedisCluster.start()) {
			RedisServer source = cluster.masters().get(cluster.masterOf("hello"));
			RedisServer target = cluster.masters().get(cluster.masterOf("hello") + 1);
			source.execute("CLUSTER", "BUMPEPOCH");
			MovingSlot slot = cluster.slotOf("hello");
			slot.open();
			slot.finish();
			assertThat(epoch(target)).isGreaterThan(epoch(source));
		}
	}

	private static long epoch(RedisServer master) {
		return MovingSlot.epochs(master).get(master.execute("CLUSTER", "MYID").toString());
	}

}
