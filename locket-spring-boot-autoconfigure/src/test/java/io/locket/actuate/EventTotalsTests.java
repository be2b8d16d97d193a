package io.locket.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.actuate.EventTotals.EventTotalsDescriptor;
import io.locket.event.JobDuplicated;
import io.locket.event.JobReclaimed;
import io.locket.event.LeaseLost;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventTotals}.
 */
class EventTotalsTests {

	private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");

	private final EventTotals totals = new EventTotals(Clock.fixed(START, ZoneOffset.UTC));

	@Test
	void eventsAreCountedByType() {
		assertThat(this.totals.describe()).isEqualTo(new EventTotalsDescriptor(START, 0, 0, 0));
		this.totals.onEvent(new JobReclaimed("id", "job", "queue", 1, Duration.ZERO));
		for (int i = 0; i < 2; i++) {
			this.totals.onEvent(new JobDuplicated("id", "job", "queue", "other", DuplicateStrategy.REJECT));
		}
		for (int i = 0; i < 3; i++) {
			this.totals.onEvent(new LeaseLost(new JobKey("job", "digest", "key"), 1, LeaseLossCause.GONE));
		}
		assertThat(this.totals.describe()).isEqualTo(new EventTotalsDescriptor(START, 1, 2, 3));
	}

}
