package io.locket.autoconfigure.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.locket.testing.ChildJvm;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory that a worker allocates for a job with an empty body, with meters
 * and observations.
 */
@Tag("scale")
class RunAllocationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	@Test
	void runOfAJobInABatchAllocatesAtMost13Kilobytes() {
		assertThat(allocated()).isBetween(1_000L, 13_000L);
	}

	@Test
	void runOfAJobWithACallOfItsOwnAllocatesAtMost18Kilobytes() {
		assertThat(allocated("locket.worker.batch=1")).isBetween(1_000L, 18_000L);
	}

	private static long allocated(String... properties) {
		List<String> all = new ArrayList<>(List.of("locket.namespace=" + RedisServer.newNamespace()));
		Collections.addAll(all, RedisServer.shared().properties());
		Collections.addAll(all, properties);
		try (ChildJvm process = ChildJvm.start(RunAllocation.class, all.toArray(String[]::new))) {
			return Long
				.parseLong(process.awaitLine(RunAllocation.BYTES, PATIENCE).substring(RunAllocation.BYTES.length()));
		}
	}

}
