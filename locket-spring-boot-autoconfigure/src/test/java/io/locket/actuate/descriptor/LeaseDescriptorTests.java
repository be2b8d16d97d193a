package io.locket.actuate.descriptor;

import java.time.Duration;
import java.time.Instant;

import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.lease.HeldLease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaseDescriptor}.
 */
class LeaseDescriptorTests {

	private static final Instant SINCE = Instant.parse("2026-11-22T10:00:00Z");

	private final ArgumentMask mask = mock(ArgumentMask.class);

	@Test
	void eachValueIsInItsOwnComponent() {
		given(this.mask.key("job", "[1]")).willReturn("[masked]");
		HeldLease lease = new HeldLease("digest", "job", "[1]", new LeaseHolder("instance", "thread", SINCE, 7),
				Duration.ofSeconds(2), Duration.ofSeconds(3), LeaseKind.CLAIM);
		assertThat(LeaseDescriptor.of(lease, this.mask))
			.isEqualTo(new LeaseDescriptor(new KeyDescriptor("digest", "[masked]"), "job", "instance", "thread", SINCE,
					7L, 2000L, 3000L, LeaseKind.CLAIM));
	}

	@Test
	void leaseOfALockRegistryHasNoFencingToken() {
		HeldLease lease = new HeldLease("digest", "job", "[1]", new LeaseHolder("instance", "thread", SINCE, 0),
				Duration.ZERO, null, LeaseKind.KEY);
		LeaseDescriptor descriptor = LeaseDescriptor.of(lease, this.mask);
		assertThat(descriptor.fencingToken()).isNull();
		assertThat(descriptor.thread()).isEqualTo("thread");
		assertThat(descriptor.remainingMs()).isNull();
	}

	@Test
	void holderWithoutARecordHasNeitherThreadNorFencingToken() {
		HeldLease lease = new HeldLease("digest", null, null, LeaseHolder.foreign(), null, Duration.ofSeconds(3),
				LeaseKind.FOREIGN);
		LeaseDescriptor descriptor = LeaseDescriptor.of(lease, this.mask);
		assertThat(descriptor.instance()).isEqualTo(LeaseHolder.FOREIGN);
		assertThat(descriptor.thread()).isNull();
		assertThat(descriptor.fencingToken()).isNull();
		assertThat(descriptor.ageMs()).isNull();
	}

}
