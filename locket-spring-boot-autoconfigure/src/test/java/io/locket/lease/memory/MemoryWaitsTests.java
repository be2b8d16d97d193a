package io.locket.lease.memory;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.JobKey;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link MemoryWaits}.
 */
class MemoryWaitsTests {

	private static final Duration WAIT = Duration.ofHours(1);

	private static final Duration SOON = Duration.ofSeconds(30);

	private final LockSpace space = new LockSpace(Clock.systemUTC());

	private final InMemoryLeaseService leases = new InMemoryLeaseService(this.space,
			new LeaseSettings(Duration.ofSeconds(35), Duration.ofSeconds(2), "test", false, 0), new JobKeys(),
			new JobEventPublisher(List.of()), System::nanoTime);

	private final JobKey key = this.leases.keyOf("job", "x");

	private final LeaseAttempt.Acquired acquired = (LeaseAttempt.Acquired) this.leases
		.attempt(LeaseRequest.of(this.key));

	private final LeaseAttempt refused = this.leases.attempt(LeaseRequest.of(this.key));

	private final AtomicReference<LeaseAttempt.Acquired> grant = new AtomicReference<>();

	@Test
	void waitIsServedAfterAThreadCouldNotBeStarted() {
		AtomicInteger threads = new AtomicInteger();
		MemoryWaits waits = new MemoryWaits(this.space, System::nanoTime, (wait) -> {
			if (threads.incrementAndGet() == 1) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			return new Thread(wait);
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> add(waits));
		CompletableFuture<LeaseAttempt> second = add(waits);
		grant();
		assertThat(second).succeedsWithin(SOON).isEqualTo(this.acquired);
	}

	@Test
	void waitWhoseThreadCouldNotBeStartedTakesNoLease() {
		AtomicInteger threads = new AtomicInteger();
		AtomicInteger grants = new AtomicInteger();
		MemoryWaits waits = new MemoryWaits(this.space, System::nanoTime, (wait) -> {
			if (threads.incrementAndGet() == 1) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			return new Thread(wait);
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> waits.add(() -> {
			grants.incrementAndGet();
			return null;
		}, () -> this.refused, WAIT));
		CompletableFuture<LeaseAttempt> second = add(waits);
		grant();
		assertThat(second).succeedsWithin(SOON);
		assertThat(grants).hasValue(0);
	}

	@Test
	void otherWaitsGoOnWhenACallbackInterruptsTheThread() {
		MemoryWaits waits = new MemoryWaits(this.space, System::nanoTime);
		CompletableFuture<LeaseAttempt> other = add(waits);
		AtomicReference<LeaseAttempt.Acquired> first = new AtomicReference<>();
		CompletableFuture<Void> interrupted = waits.add(first::get, () -> this.refused, WAIT)
			.thenRun(() -> Thread.currentThread().interrupt());
		first.set(this.acquired);
		assertThat(interrupted).succeedsWithin(SOON);
		grant();
		assertThat(other).succeedsWithin(SOON).isEqualTo(this.acquired);
	}

	@Test
	void otherWaitsGoOnWhenAGrantThrowsAnError() {
		MemoryWaits waits = new MemoryWaits(this.space, System::nanoTime);
		CompletableFuture<LeaseAttempt> other = add(waits);
		CompletableFuture<LeaseAttempt> failing = waits.add(() -> {
			throw new OutOfMemoryError("heap");
		}, () -> this.refused, WAIT);
		assertThat(failing).failsWithin(SOON).withThrowableThat().havingCause().isInstanceOf(OutOfMemoryError.class);
		grant();
		assertThat(other).succeedsWithin(SOON).isEqualTo(this.acquired);
	}

	private CompletableFuture<LeaseAttempt> add(MemoryWaits waits) {
		return waits.add(this.grant::get, () -> this.refused, WAIT);
	}

	/**
	 * Lets the waits that use the grant end.
	 */
	private void grant() {
		this.grant.set(this.acquired);
	}

}
