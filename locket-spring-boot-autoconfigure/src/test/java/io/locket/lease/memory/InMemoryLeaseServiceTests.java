package io.locket.lease.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.JobKey;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link InMemoryLeaseService} with a manual clock.
 */
class InMemoryLeaseServiceTests {

	private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");

	private final Clock clock = mock(Clock.class);

	@Test
	void restOfAMinimumHoldIsNotLongerThanTheHoldWhenTheClockHasRunBack() {
		setTime(START);
		InMemoryLeaseService service = new InMemoryLeaseService(new LockSpace(this.clock),
				new LeaseSettings(Duration.ofSeconds(35), Duration.ofSeconds(2), "test", false, 0), new JobKeys(),
				new JobEventPublisher(List.of()), System::nanoTime);
		JobKey key = service.keyOf("job", "x");
		Instant later = START.minus(Duration.ofHours(1));
		service.tryAcquire(LeaseRequest.of(key).holdingAtLeast(Duration.ofSeconds(5))).ifPresent((lease) -> {
			setTime(later);
			lease.close();
		});
		assertThat(service.isAvailable(key)).isFalse();
		setTime(later.plusMillis(5001));
		assertThat(service.isAvailable(key)).isTrue();
	}

	private void setTime(Instant time) {
		given(this.clock.millis()).willReturn(time.toEpochMilli());
	}

}
