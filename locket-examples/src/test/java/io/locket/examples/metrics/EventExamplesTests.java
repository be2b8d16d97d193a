package io.locket.examples.metrics;

import io.locket.examples.Examples;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/metrics.md.
 */
class EventExamplesTests {

	@Test
	void lossOfALeaseIsPublished() {
		Examples.application(Listeners.class).run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			try (Lease lease = leases.tryAcquire("nightly", "report").orElseThrow()) {
				leases.forceRelease(lease.key().digest());
			}
			Listeners.Alarms alarms = context.getBean(Listeners.Alarms.class);
			await().untilAsserted(() -> assertThat(alarms.raised()).containsExactly("nightly GONE"));
		});
	}

}
