package io.locket.actuate;

import java.time.Duration;
import java.util.Optional;

import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.LeaseDescriptor;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeasesSection}.
 */
class LeasesSectionTests {

	private static final String DIGEST = "d".repeat(22);

	private final LeaseService leases = mock(LeaseService.class);

	private final LeasesSection section = new LeasesSection(this.leases);

	@Test
	void claimIsFoundForAKeyWithoutALease() {
		given(this.leases.find(LeasesSection.keyOf(DIGEST))).willReturn(Optional.empty());
		given(this.leases.findClaim(LeasesSection.keyOf(DIGEST))).willReturn(Optional.of(new HeldLease(DIGEST, "job",
				"[1]", LeaseHolder.foreign(), Duration.ZERO, Duration.ofHours(1), LeaseKind.CLAIM)));
		assertThat(entry().kind()).isEqualTo(LeaseKind.CLAIM);
	}

	/**
	 * Checks a lock registry, which has no claims and fails if it is queried for them.
	 */
	@Test
	void keyWithoutALeaseIsUnknownInALockRegistry() {
		given(this.leases.isThreadBound()).willReturn(true);
		given(this.leases.find(LeasesSection.keyOf(DIGEST))).willReturn(Optional.empty());
		given(this.leases.findClaim(LeasesSection.keyOf(DIGEST))).willThrow(new UnsupportedOperationException());
		assertThatExceptionOfType(UnknownEntryException.class).isThrownBy(this::entry).withMessageContaining(DIGEST);
	}

	private LeaseDescriptor entry() {
		ListQuery query = new ListQuery(null, null, null, null, null, null, null, null, null);
		return this.section.entry(DIGEST, query, mock(ArgumentMask.class));
	}

}
