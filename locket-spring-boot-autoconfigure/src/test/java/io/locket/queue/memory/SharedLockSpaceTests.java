package io.locket.queue.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.TestJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunToken;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for leases and a queue in memory that share a {@link LockSpace}.
 */
class SharedLockSpaceTests {

	private static final JobKey KEY = TestJob.key("k");

	private final JobEventPublisher nobody = new JobEventPublisher(List.of());

	private final ManualClock clock = new ManualClock();

	private final LockSpace space = new LockSpace(this.clock);

	private final InMemoryJobQueue queue = new InMemoryJobQueue(this.space, 3, this.nobody);

	private final InMemoryLeaseService leases = new InMemoryLeaseService(this.space,
			new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(2), "host/1/direct", false, 0), new JobKeys(),
			this.nobody, System::nanoTime);

	private int requests;

	@Test
	void directCallAndQueuedRunOfAKeyExcludeOneAnother() {
		this.queue.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, KEY).build());
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		assertThat(reserve()).isEmpty();
		assertThat(state("a")).isEqualTo(JobState.PARKED);
		lease.close();
		ReservedJob run = reserve().get(0);
		assertThat(run.fence()).isGreaterThan(lease.fencingToken());
		assertThat(this.leases.attempt(LeaseRequest.of(KEY))).isInstanceOfSatisfying(LeaseAttempt.Refused.class,
				(refused) -> assertThat(refused.holder().instance()).isEqualTo("worker"));
		assertThat(this.leases.held(10)).singleElement().extracting(HeldLease::job).isEqualTo("job");
		this.queue.settle(List.of(RunEnd.succeeded(run)), null);
		assertThat(this.leases.isAvailable(KEY)).isTrue();
	}

	@Test
	void claimOfADirectCallAndOfAQueuedJobExcludeOneAnother() {
		this.leases.claim(KEY, Duration.ofMinutes(1));
		TestJob job = TestJob.of("a").with(LockStrategy.UNTIL_EXPIRED, KEY);
		assertThat(this.queue.enqueue(job.build())).isEqualTo(new EnqueueResult.Duplicate(null, null));
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.queue.enqueue(job.build())).isEqualTo(new EnqueueResult.Accepted("a"));
		assertThat(this.leases.findClaim(KEY)).isPresent();
		assertThat(this.leases.claim(KEY, Duration.ofMinutes(1))).isInstanceOf(LeaseAttempt.Refused.class);
	}

	@Test
	void timeNeverTakesALeaseFromAHolderWhoLives() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		this.clock.advance(Duration.ofDays(1));
		assertThat(lease.isHeld()).isTrue();
		assertThat(lease.renew()).isTrue();
		assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(27));
		assertThat(this.leases.find(KEY)).get().extracting(HeldLease::remaining).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void restOfAMinimumHoldEndsWithTheClock() {
		this.leases.tryAcquire(LeaseRequest.of(KEY).holdingAtLeast(Duration.ofMinutes(5))).orElseThrow().close();
		this.queue
			.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, KEY).onConflict(ConflictStrategy.PARK).build());
		this.clock.advance(Duration.ofMinutes(5).minusMillis(1));
		assertThat(reserve()).isEmpty();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(reserve()).hasSize(1);
	}

	@Test
	void waitEndsWhenTheClockHasMovedSoFar() throws Exception {
		this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		List<LeaseAttempt> replies = new CopyOnWriteArrayList<>();
		Thread waiter = new Thread(
				() -> replies.add(this.leases.attempt(LeaseRequest.of(KEY).waiting(Duration.ofHours(1)))));
		waiter.start();
		while (waiter.getState() != Thread.State.TIMED_WAITING) {
			Thread.onSpinWait();
		}
		this.clock.advance(Duration.ofHours(2));
		waiter.join(10_000);
		assertThat(replies).singleElement().isInstanceOf(LeaseAttempt.Refused.class);
	}

	@Test
	void evictionOfARunIsALossThatItsRenewalReports() {
		this.queue.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, KEY).build());
		ReservedJob run = reserve().get(0);
		assertThat(this.leases.forceRelease(KEY.digest())).isPresent();
		assertThat(this.queue.renew(List.of(new RunToken("a", run.token())))).singleElement()
			.satisfies((renewal) -> assertThat(renewal.keyLoss()).isEqualTo(LeaseLossCause.GONE));
	}

	@Test
	void workersAreWokenWhenAKeyIsFree() {
		List<String> woken = new ArrayList<>();
		this.queue.listen((queue) -> woken.add(String.valueOf(queue)));
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		this.queue.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, KEY).build());
		assertThat(woken).containsExactly("q");
		reserve();
		lease.close();
		assertThat(woken).containsExactly("q", "null");
	}

	private List<ReservedJob> reserve() {
		return this.queue
			.reserve(new ReservationRequest("r" + ++this.requests, "poller", "worker", "thread",
					List.of(new ReservationRequest.QueueLimit("q", 0)), 1))
			.jobs();
	}

	private JobState state(String id) {
		return this.queue.find(id).orElseThrow().state();
	}

}
