package io.locket.lease.redis;

import io.locket.JobKey;
import io.locket.LeaseUnavailableException;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for an application's {@link LeaseService} that implements only the mandatory
 * methods.
 */
class OwnLeaseServiceTests {

	private final LeaseService leases = mock();

	private final LeaseRequest request = LeaseRequest.of(new JobKey("job", "digest", "[]"));

	@Test
	void asynchronousAttemptIsTheOtherOneOnTheCallingThread() {
		given(this.leases.attemptAsync(any())).willCallRealMethod();
		LeaseAttempt attempt = new LeaseAttempt.Refused(null, null);
		given(this.leases.attempt(this.request)).willReturn(attempt);
		assertThat(this.leases.attemptAsync(this.request)).isCompletedWithValue(attempt);
	}

	@Test
	void failureOfAnAttemptIsThatOfItsFuture() {
		given(this.leases.attemptAsync(any())).willCallRealMethod();
		given(this.leases.attempt(this.request)).willThrow(new LeaseUnavailableException("no reply", null));
		assertThat(this.leases.attemptAsync(this.request)).isCompletedExceptionally();
	}

}
