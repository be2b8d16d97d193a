package io.locket.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.locket.lease.heartbeat.BatchRefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.RedisSystemException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SlotRefusal}.
 */
class SlotRefusalTests {

	@ParameterizedTest
	@CsvSource({ "TRYAGAIN Multiple keys request during rehashing of slot, true", "ASK 3999 127.0.0.1:6381, true",
			"MOVED 3999 127.0.0.1:6381, false", "CLUSTERDOWN The cluster is down, false",
			"CLUSTERDOWN Hash slot not served, false",
			"ERR Error running script: Lua script attempted to access a non local key in a cluster node, true",
			"ERR Script attempted to access a non local key in a cluster node script: f_1 on @user_script:1., true",
			"ERR Unable to execute command 'mget' in script because undeclared keys were accessed during rehashing of the slot, true" })
	void refusalOfAClusterIsTransient(String error, boolean moving) {
		RuntimeException failure = new RedisSystemException("Error in execution",
				new RedisCommandExecutionException(error));
		assertThat(SlotRefusal.isCause(failure)).isTrue();
		assertThat(SlotRefusal.isOfMovingSlot(failure)).isEqualTo(moving);
	}

	@ParameterizedTest
	@CsvSource({ "WRONGTYPE Operation against a key", "OOM command not allowed", "READONLY You can't write",
			"ERR value says MOVED 1 host", "NOPERM this user has no permissions" })
	void otherErrorIsNoRefusal(String error) {
		assertThat(SlotRefusal.isCause(new RedisCommandExecutionException(error))).isFalse();
	}

	@Test
	void failureWithoutAMessageIsNoRefusal() {
		assertThat(SlotRefusal.isCause(new IllegalStateException())).isFalse();
	}

	@Test
	void batchIsRefusedWhenTheSlotOfItsKeysMoves() {
		RuntimeException failure = new RedisCommandExecutionException("TRYAGAIN Multiple keys request");
		assertThat(SlotRefusal.ofBatch(failure)).isInstanceOf(BatchRefusedException.class)
			.hasMessageContaining("TRYAGAIN")
			.hasCause(failure);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "CLUSTERDOWN The cluster is down", "MOVED 3999 127.0.0.1:6381", "OOM command not allowed" })
	void otherFailureOfABatchStaysItself(String error) {
		RuntimeException failure = new RedisCommandExecutionException(error);
		assertThat(SlotRefusal.ofBatch(failure)).isSameAs(failure);
	}

}
