package io.locket.aop.call;

import java.util.ArrayList;
import java.util.List;

import io.locket.LeaseLossCause;
import io.locket.aop.TestLeaseService;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedLease}.
 */
class SharedLeaseTests {

	private final TestLeaseService leases = new TestLeaseService();

	private final List<String> ran = new ArrayList<>();

	@Test
	void actionsRunOnceAtTheLoss() {
		SharedLease lease = take();
		lease.onLost(() -> this.ran.add("first"));
		lease.onLost(() -> {
			throw new IllegalStateException("fails");
		});
		lease.onLost(() -> {
			throw new StackOverflowError("fails");
		});
		lease.onLost(() -> this.ran.add("second"));
		this.leases.lose(LeaseLossCause.GONE);
		assertThat(this.ran).containsExactly("first", "second");
		lease.onLost(() -> this.ran.add("late"));
		assertThat(this.ran).containsExactly("first", "second", "late");
	}

	@Test
	void actionThatWasTakenBackDoesNotRun() {
		SharedLease lease = take();
		Runnable silence = lease.onLost(() -> this.ran.add("silenced"));
		lease.onLost(() -> this.ran.add("heard"));
		silence.run();
		silence.run();
		this.leases.lose(LeaseLossCause.GONE);
		assertThat(this.ran).containsExactly("heard");
	}

	@Test
	void manyActionsAreOneListenerOfTheLease() {
		SharedLease lease = take();
		for (int i = 0; i < 1000; i++) {
			lease.onLost(() -> this.ran.add("action")).run();
		}
		assertThat(this.leases.listeners()).isEqualTo(1);
		this.leases.lose(LeaseLossCause.GONE);
		assertThat(this.ran).isEmpty();
	}

	private SharedLease take() {
		LeaseAttempt attempt = this.leases.attempt(LeaseRequest.of(this.leases.keyOf("job")));
		Lease lease = ((LeaseAttempt.Acquired) attempt).lease();
		return new SharedLease(lease, new RunningCalls());
	}

}
