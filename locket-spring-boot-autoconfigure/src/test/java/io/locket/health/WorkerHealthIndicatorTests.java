package io.locket.health;

import java.util.List;
import java.util.Map;

import io.locket.worker.WorkerStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkerHealthIndicator}.
 */
class WorkerHealthIndicatorTests {

	@Test
	void healthIsUpWithTheGroupsAndTheirRuns() {
		Health health = health(null, null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).isEqualTo(Map.of("groups", Map.of("default", "2 of 4 run a job from [a, b]")));
	}

	@Test
	void healthIsDownWhileAThreadStalls() {
		Health health = health("Thread 7 has ended", null);
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("stalled", "Thread 7 has ended").containsKey("groups");
	}

	@Test
	void healthIsDownWhileNoCallOfTheWorkersSucceeds() {
		Health health = health(null, "No call succeeded for 40 s: READONLY");
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("failing", "No call succeeded for 40 s: READONLY")
			.containsKey("groups")
			.doesNotContainKey("stalled");
	}

	private static Health health(@Nullable String stalled, @Nullable String failing) {
		WorkerStatus status = new WorkerStatus(List.of(new WorkerStatus.Group("default", List.of("a", "b"), 4, 2)),
				stalled, failing);
		return new WorkerHealthIndicator(() -> status).health();
	}

}
