package io.locket.lease.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.LeaseRefusedException;
import io.locket.event.JobEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link InMemoryLeaseService} with a manual clock.
 */
class InMemoryLeaseServiceTests {

	private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");

	private static final Duration WAIT = Duration.ofSeconds(10);

	private final AtomicLong millis = new AtomicLong(START.toEpochMilli());

	private final Clock clock = mock(Clock.class);

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	private final AtomicReference<Runnable> onEvent = new AtomicReference<>(() -> {
	});

	private final List<AssertionError> failures = new CopyOnWriteArrayList<>();

	private LockSpace space;

	@BeforeEach
	void startClock() {
		given(this.clock.millis()).willAnswer((call) -> this.millis.get());
	}

	@Test
	void restOfAMinimumHoldIsNotLongerThanTheHoldWhenTheClockHasRunBack() {
		InMemoryLeaseService service = service(System::nanoTime);
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

	@Test
	void restOfAMinimumHoldIsHeldWithoutAnOwner() {
		InMemoryLeaseService service = service(System::nanoTime);
		JobKey key = service.keyOf("job", "x");
		service.tryAcquire(LeaseRequest.of(key).holdingAtLeast(Duration.ofSeconds(5))).ifPresent((lease) -> {
			assertThat(service.owned()).isEqualTo(service.held(10)).hasSize(1);
			lease.close();
		});
		assertThat(service.held(10)).hasSize(1);
		assertThat(service.owned()).isEmpty();
	}

	@Test
	@Timeout(30)
	void waitEndsWhenTheClockHasAdvancedByExactlyItsTime() {
		AtomicInteger looks = new AtomicInteger();
		InMemoryLeaseService service = service(() -> {
			if (looks.incrementAndGet() == 2) {
				setTime(START.plus(WAIT));
			}
			return 0;
		});
		JobKey key = service.keyOf("job", "x");
		service.attempt(LeaseRequest.of(key));
		assertThat(service.attempt(LeaseRequest.of(key).waiting(WAIT))).isInstanceOf(LeaseAttempt.Refused.class);
	}

	@Test
	void asynchronousWaitEndsWhenTheClockHasAdvancedByExactlyItsTime() {
		InMemoryLeaseService service = service(() -> 0);
		JobKey key = service.keyOf("job", "x");
		service.attempt(LeaseRequest.of(key));
		CompletableFuture<LeaseAttempt> attempt = service.attemptAsync(LeaseRequest.of(key).waiting(WAIT));
		setTime(START.plus(WAIT));
		assertThat(attempt).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(LeaseAttempt.Refused.class);
	}

	/**
	 * The holder closes the lease before it is notified of the loss.
	 */
	@Test
	void leaseThatWasLostWhenItIsClosedIsReportedAsLost() {
		InMemoryLeaseService service = service(System::nanoTime);
		JobKey key = service.keyOf("job", "x");
		Lease lease = service.tryAcquire(LeaseRequest.of(key)).orElseThrow();
		AtomicInteger losses = new AtomicInteger();
		lease.onLost(losses::incrementAndGet);
		this.space.atomically(() -> {
			this.space.evict(key.digest());
			lease.close();
			return true;
		});
		assertThat(losses).hasValue(1);
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.GONE);
		assertThat(this.events).extracting((event) -> event.getClass().getSimpleName())
			.containsExactly("LeaseAcquired", "LeaseLost");
	}

	/**
	 * A listener may wait for another thread that uses leases or queues.
	 */
	@Test
	void eventsArePublishedOutsideOfTheStep() {
		InMemoryLeaseService service = service(System::nanoTime);
		this.onEvent.set(() -> assertThat(CompletableFuture.supplyAsync(() -> this.space.atomically(this.space::now)))
			.succeedsWithin(Duration.ofSeconds(10)));
		JobKey key = service.keyOf("job", "x");
		service.tryAcquire(LeaseRequest.of(key)).orElseThrow().close();
		service.tryAcquire(LeaseRequest.of(key));
		service.forceRelease(key.digest());
		assertThat(this.failures).isEmpty();
		assertThat(this.events).extracting((event) -> event.getClass().getSimpleName())
			.contains("LeaseAcquired", "LeaseReleased", "LeaseForced", "LeaseLost");
	}

	@Test
	@Timeout(30)
	void waitFailsWhenTheServiceIsClosed() {
		AtomicReference<InMemoryLeaseService> created = new AtomicReference<>();
		InMemoryLeaseService service = service(() -> {
			created.get().close();
			return 0;
		});
		created.set(service);
		JobKey key = service.keyOf("job", "x");
		service.attempt(LeaseRequest.of(key));
		assertThatExceptionOfType(LeaseRefusedException.class)
			.isThrownBy(() -> service.attempt(LeaseRequest.of(key).waiting(WAIT)))
			.withMessageContaining("closed");
	}

	@Test
	void noLeaseIsTakenByAnAttemptDuringTheClose() {
		InMemoryLeaseService service = service(System::nanoTime);
		JobKey key = service.keyOf("job", "x");
		closeAtTheNextStep(service);
		assertThatExceptionOfType(LeaseRefusedException.class).isThrownBy(() -> service.attempt(LeaseRequest.of(key)));
		assertThat(service.held(1)).isEmpty();
	}

	@Test
	void noLeaseIsTakenByAnAsynchronousAttemptDuringTheClose() {
		InMemoryLeaseService service = service(System::nanoTime);
		JobKey key = service.keyOf("job", "x");
		closeAtTheNextStep(service);
		assertThat(service.attemptAsync(LeaseRequest.of(key))).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LeaseRefusedException.class);
		assertThat(service.held(1)).isEmpty();
	}

	@Test
	void noPeriodIsClaimedDuringTheClose() {
		InMemoryLeaseService service = service(System::nanoTime);
		JobKey key = service.keyOf("job", "x");
		closeAtTheNextStep(service);
		assertThatExceptionOfType(LeaseRefusedException.class).isThrownBy(() -> service.claim(key, WAIT));
		assertThat(service.findClaim(key)).isEmpty();
	}

	/**
	 * Closes the service at the beginning of the next step, which would take the lease.
	 */
	private void closeAtTheNextStep(InMemoryLeaseService service) {
		given(this.clock.millis()).willAnswer((call) -> {
			service.close();
			return this.millis.get();
		});
	}

	private InMemoryLeaseService service(LongSupplier nanoTime) {
		this.space = new LockSpace(this.clock);
		return new InMemoryLeaseService(this.space,
				new LeaseSettings(Duration.ofSeconds(35), Duration.ofSeconds(2), "test", false, 0), new JobKeys(),
				new JobEventPublisher(List.of(this::onEvent)), nanoTime);
	}

	private void onEvent(JobEvent event) {
		this.events.add(event);
		try {
			this.onEvent.get().run();
		}
		catch (AssertionError ex) {
			this.failures.add(ex);
		}
	}

	private void setTime(Instant time) {
		this.millis.set(time.toEpochMilli());
	}

}
