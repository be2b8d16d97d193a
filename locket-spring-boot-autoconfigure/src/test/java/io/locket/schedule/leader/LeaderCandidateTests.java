package io.locket.schedule.leader;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.event.JobEvent;
import io.locket.event.LeadershipLost;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderCandidate} that need access to its steps. Those of
 * {@link LeaderElection} test it as a whole.
 */
class LeaderCandidateTests {

	private static final Duration TTL = Duration.ofMinutes(3);

	private final AtomicReference<Boolean> interruptedAtLoss = new AtomicReference<>();

	private final JobEventPublisher events = new JobEventPublisher(List.of(this::onEvent));

	private final InMemoryLeaseService leases = new InMemoryLeaseService(new LockSpace(Clock.systemUTC()),
			new LeaseSettings(TTL, Duration.ofSeconds(2), "test", false, 0), new JobKeys(), this.events,
			System::nanoTime);

	private final CountDownLatch performing = new CountDownLatch(1);

	private final CountDownLatch hanging = new CountDownLatch(1);

	private void onEvent(JobEvent event) {
		if (event instanceof LeadershipLost) {
			this.interruptedAtLoss.set(Thread.currentThread().isInterrupted());
		}
	}

	/**
	 * Checks a thread that stops a candidate whose task hangs, and is interrupted before
	 * it releases the lease.
	 */
	@Test
	void interruptOfTheStoppingThreadIsKeptAndDoesNotAffectTheRelease() throws Exception {
		Leadership leadership = new Leadership(this.leases, "namespace", "group");
		LeaderTask task = (lease) -> this::hang;
		LeaderCandidate candidate = new LeaderCandidate(this.leases, leadership,
				LeaseRequest.of(leadership.key()).lasting(TTL).waitingForRelease(TTL), task,
				new ElectionEntry(task, TTL, TTL), this.events, Duration.ofSeconds(1), System::nanoTime);
		Thread runner = new Thread(candidate);
		runner.start();
		assertThat(this.performing.await(5, TimeUnit.SECONDS)).isTrue();
		candidate.stop();
		Thread.currentThread().interrupt();
		assertThat(candidate.resign()).isTrue();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.interruptedAtLoss).hasValue(false);
		assertThat(this.leases.held(10)).isEmpty();
		this.hanging.countDown();
		runner.join();
	}

	private Duration hang() {
		this.performing.countDown();
		try {
			this.hanging.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return TTL;
	}

}
