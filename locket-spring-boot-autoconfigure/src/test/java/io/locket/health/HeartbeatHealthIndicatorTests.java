package io.locket.health;

import java.time.Duration;

import io.locket.lease.heartbeat.LeaseHeartbeat;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link HeartbeatHealthIndicator}.
 */
class HeartbeatHealthIndicatorTests {

	private final LeaseHeartbeat heartbeat = mock(LeaseHeartbeat.class);

	private final HeartbeatHealthIndicator indicator = new HeartbeatHealthIndicator(this.heartbeat);

	@Test
	void healthIsUpWhileRenewalsAreOverdueByLessThanAnInterval() {
		given(this.heartbeat.size()).willReturn(3);
		given(this.heartbeat.overdue()).willReturn(Duration.ofMillis(2500));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("leases", 3)
			.containsEntry("overdue", "2500ms")
			.doesNotContainKey("reason");
	}

	@Test
	void healthIsDownWhenTheHeartbeatIsLate() {
		given(this.heartbeat.overdue()).willReturn(Duration.ofSeconds(12));
		given(this.heartbeat.isLate()).willReturn(true);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("overdue", "12000ms");
		assertThat(health.getDetails().get("reason")).asString().contains("Check Redis");
	}

}
