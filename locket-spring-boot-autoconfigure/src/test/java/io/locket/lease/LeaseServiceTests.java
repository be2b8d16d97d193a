package io.locket.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobKey;
import io.locket.LeaseKind;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import io.locket.LeaseRefusedException;
import io.locket.event.JobEvent;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseForced;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.key.JobKeys;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for every {@link LeaseService} with a lock space of its own.
 */
@ParameterizedClass
@EnumSource(LeaseUnderTest.class)
class LeaseServiceTests {

	@Parameter
	LeaseUnderTest implementation;

	private LeaseHarness harness;

	private LeaseService service;

	@BeforeEach
	void createService() {
		this.harness = this.implementation.create();
		this.service = this.harness.service();
	}

	@AfterEach
	void close() {
		this.harness.close();
	}

	@Test
	void nullIsNamed() {
		assertNullIsNamed("'name'", () -> this.service.tryAcquire(null, "a"));
		assertNullIsNamed("'name'", () -> this.service.keyOf(null));
		assertNullIsNamed("'key'", () -> this.service.keyOf("report", (Object[]) null));
		assertNullIsNamed("'key'", () -> this.service.find(null));
		assertNullIsNamed("'key'", () -> this.service.isAvailable(null));
		assertNullIsNamed("'key'", () -> this.service.findClaim(null));
		assertNullIsNamed("'key'", () -> this.service.claim(null, Duration.ofMinutes(1)));
		assertNullIsNamed("A period", () -> this.service.claim(key("report", 1), null));
		assertNullIsNamed("'digest'", () -> this.service.forceRelease(null));
		assertNullIsNamed("'request'", () -> this.service.tryAcquire(null));
		assertNullIsNamed("'request'", () -> this.service.attempt(null));
		assertNullIsNamed("'request'", () -> this.service.attemptAsync(null));
		assertNullIsNamed("A wait", () -> LeaseRequest.of(key("report", 1)).waiting(null));
		assertNullIsNamed("The duration of a lease", () -> LeaseRequest.of(key("report", 1)).lasting(null));
	}

	private static void assertNullIsNamed(String parameter, ThrowingCallable call) {
		assertThatNullPointerException().isThrownBy(call).withMessageStartingWith(parameter + " must not be null");
	}

	@Test
	void acquiresFreeKeyAndRefusesTakenKeyWithItsHolder() {
		Lease lease = acquire("report", 42);
		assertThat(lease.isHeld()).isTrue();
		assertThat(lease.remaining()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(35));
		LeaseAttempt second = this.service.attempt(LeaseRequest.of(key("report", 42)));
		assertThat(second).isInstanceOfSatisfying(LeaseAttempt.Refused.class, (refused) -> {
			assertThat(refused.holder().instance()).isEqualTo("test/1/a");
			assertThat(refused.holder().thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(refused.holder().since()).isEqualTo(lease.since());
			assertThat(refused.holder().fencingToken()).isEqualTo(lease.fencingToken());
			assertThat(refused.remaining()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(35));
		});
		lease.close();
		assertThat(this.service.tryAcquire("job", "report", 42)).hasValueSatisfying(Lease::close);
	}

	@Test
	void publishesEventsOfALeasesLife() {
		Lease lease = acquire("x");
		this.service.tryAcquire("job", "x");
		lease.close();
		assertThat(this.harness.events()).satisfiesExactly(
				(event) -> assertThat(event).isEqualTo(new LeaseAcquired(lease.key(), lease.fencingToken(), false)),
				(event) -> assertThat(event).isInstanceOfSatisfying(LeaseConflicted.class,
						(conflicted) -> assertThat(conflicted.holder().instance()).isEqualTo("test/1/a")),
				(event) -> assertThat(event).isInstanceOfSatisfying(LeaseReleased.class,
						(released) -> assertThat(released.fencingToken()).isEqualTo(lease.fencingToken())));
	}

	@Test
	void grantsEachOfTwoThousandDistinctKeysHeldAtOnce() throws Exception {
		int threads = 32;
		int each = 63;
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<List<Lease>>> futures = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				int thread = i;
				futures.add(executor.submit(() -> {
					List<Lease> leases = new ArrayList<>();
					for (int n = 0; n < each; n++) {
						leases.add(acquire(thread, n));
					}
					return leases;
				}));
			}
			List<Lease> all = new ArrayList<>();
			for (Future<List<Lease>> future : futures) {
				all.addAll(future.get(60, TimeUnit.SECONDS));
			}
			assertThat(all).hasSize(2016).allMatch(Lease::isHeld);
			assertThat(this.service.held(3000)).hasSize(2016);
			assertThat(events(LeaseConflicted.class)).isEmpty();
			all.forEach(Lease::close);
			assertThat(this.service.held(3000)).isEmpty();
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void refusesSecondThreadAfterManyOtherKeysWereUsed() throws Exception {
		try (Lease lease = acquire("held")) {
			for (int i = 0; i < 600; i++) {
				acquire("other", i).close();
			}
			ExecutorService executor = Executors.newSingleThreadExecutor();
			try {
				assertThat(executor.submit(() -> this.service.tryAcquire("job", "held")).get(10, TimeUnit.SECONDS))
					.isEmpty();
			}
			finally {
				executor.shutdownNow();
			}
			assertThat(lease.isHeld()).isTrue();
		}
	}

	@Test
	void lateReleaseNeverRemovesTheNextHoldersLease() {
		Lease late = acquire("x");
		this.harness.vanish(late.key());
		Lease next = acquire("x");
		late.close();
		assertThat(this.service.find(next.key()))
			.hasValueSatisfying((held) -> assertThat(held.holder().fencingToken()).isEqualTo(next.fencingToken()));
		assertThat(next.isHeld()).isTrue();
		assertThat(late.lossCause()).isNotNull();
		Awaitility.await()
			.untilAsserted(() -> assertThat(events(LeaseLost.class))
				.containsExactly(new LeaseLost(late.key(), late.fencingToken(), late.lossCause())));
		assertThat(events(LeaseReleased.class)).isEmpty();
		next.close();
	}

	@Test
	void releasedLeaseDoesNotPassTheCheckAndIsNotLost() {
		Lease lease = acquire("x");
		lease.ensureHeld();
		lease.close();
		assertThatIllegalStateException().isThrownBy(lease::ensureHeld)
			.withMessageStartingWith("The lease of job job[\"x\"] was released");
		assertThat(lease.lossCause()).isNull();
	}

	@Test
	void lostLeaseIsReportedAsLostAlsoAfterItsRelease() {
		Lease lease = acquire("x");
		this.service.forceRelease(lease.key().digest());
		lease.renew();
		lease.close();
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::ensureHeld);
	}

	@Test
	void negativeLimitIsRefusedAndZeroListsNothing() {
		try (Lease lease = acquire("x")) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.service.held(-1))
				.withMessage("'limit' must not be negative: -1");
			assertThat(this.service.held(0)).isEmpty();
			assertThat(lease.isHeld()).isTrue();
		}
	}

	@Test
	void tooShortDurationFailsTheAttemptAndTheFuture() {
		LeaseRequest request = LeaseRequest.of(key("x")).lasting(Duration.ofMillis(1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.service.attempt(request))
			.withMessageContaining("too short");
		assertThatIllegalArgumentException().isThrownBy(() -> this.service.tryAcquire(request));
		assertThat(this.service.attemptAsync(request)).failsWithin(Duration.ZERO)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(IllegalArgumentException.class);
		assertThat(this.service.isAvailable(request.key())).isTrue();
	}

	@Test
	void releasesFromAnotherThread() throws Exception {
		Lease lease = acquire("x");
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			executor.submit(lease::close).get(10, TimeUnit.SECONDS);
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.service.isAvailable(lease.key())).isTrue();
	}

	@Test
	void releasesWhileTheThreadIsInterrupted() {
		Lease lease = acquire("x");
		Thread.currentThread().interrupt();
		lease.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.service.isAvailable(lease.key())).isTrue();
	}

	@Test
	void releaseOfAVanishedKeyIsALoss() {
		Lease lease = acquire("x");
		AtomicInteger told = new AtomicInteger();
		lease.onLost(told::incrementAndGet);
		this.harness.vanish(lease.key());
		lease.close();
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.GONE);
		Awaitility.await().until(() -> told.get() == 1);
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::ensureHeld)
			.withMessageContaining("job[\"x\"]");
	}

	@Test
	void callbackThatFailsWithAnErrorAffectsNoOtherCallbackAndNoListener() {
		Lease lease = acquire("x");
		AtomicInteger told = new AtomicInteger();
		lease.onLost(() -> {
			throw new AssertionError("callback");
		});
		lease.onLost(told::incrementAndGet);
		this.service.forceRelease(lease.key().digest());
		lease.renew();
		Awaitility.await().untilAsserted(() -> {
			assertThat(told).hasValue(1);
			assertThat(events(LeaseLost.class)).hasSize(1);
		});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void callbackOfAMaskedKeyIsLoggedWithoutItsMessageWhenItFails(CapturedOutput output) {
		JobKey key = new JobKeys().keyOf("job", "x", true);
		Lease lease = this.service.tryAcquire(LeaseRequest.of(key)).orElseThrow();
		lease.onLost(() -> {
			throw new IllegalStateException("customer Miller");
		});
		this.service.forceRelease(key.digest());
		lease.renew();
		Awaitility.await().until(() -> output.toString().contains("IllegalStateException"));
		assertThat(output).contains("Lease-loss callback of job job[***]").doesNotContain("Miller");
	}

	@Test
	void closingTwiceReleasesOnce() {
		Lease first = acquire("x");
		first.close();
		Lease second = acquire("x");
		first.close();
		assertThat(second.isHeld()).isTrue();
		assertThat(this.service.isAvailable(second.key())).isFalse();
		assertThat(events(LeaseReleased.class)).hasSize(1);
		second.close();
	}

	@Test
	void waitEndsWhenTheTimeIsUp() {
		try (Lease lease = acquire("x")) {
			long start = System.nanoTime();
			assertThat(this.service.tryAcquire(LeaseRequest.of(lease.key()).waiting(Duration.ofMillis(300)))).isEmpty();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300),
					Duration.ofMillis(900));
		}
	}

	@Test
	void manyWaitersOfOneKeyAllGetTheirTurn() throws Exception {
		int waiters = 20;
		ExecutorService executor = Executors.newFixedThreadPool(waiters);
		CountDownLatch done = new CountDownLatch(waiters);
		Set<Long> fences = ConcurrentHashMap.newKeySet();
		try {
			for (int i = 0; i < waiters; i++) {
				executor.submit(() -> {
					try (Lease lease = this.service
						.tryAcquire(LeaseRequest.of(key("x")).waiting(Duration.ofSeconds(30)))
						.orElseThrow()) {
						fences.add(lease.fencingToken());
						done.countDown();
					}
				});
			}
			assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(fences).hasSize(waiters);
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void interruptEndsAWaitAndStaysPending() throws Exception {
		try (Lease lease = acquire("x")) {
			CountDownLatch started = new CountDownLatch(1);
			List<Boolean> outcome = new ArrayList<>();
			Thread thread = new Thread(() -> {
				started.countDown();
				outcome.add(this.service.tryAcquire(LeaseRequest.of(lease.key()).waiting(Duration.ofSeconds(30)))
					.isPresent());
				outcome.add(Thread.currentThread().isInterrupted());
			});
			thread.start();
			assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
			thread.interrupt();
			thread.join(10_000);
			assertThat(outcome).containsExactly(false, true);
		}
	}

	@Test
	void holdAtLeastKeepsTheRestAfterRelease() {
		JobKey key = key("x");
		Lease lease = this.service.tryAcquire(LeaseRequest.of(key).holdingAtLeast(Duration.ofMillis(700)))
			.orElseThrow();
		lease.close();
		assertThat(this.service.tryAcquire(LeaseRequest.of(key))).isEmpty();
		assertThat(this.service.find(key)).hasValueSatisfying((held) -> {
			assertThat(held.remaining()).isLessThanOrEqualTo(Duration.ofMillis(700));
			assertThat(held.holder().fencingToken()).isEqualTo(lease.fencingToken());
		});
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> this.service.isAvailable(key));
		assertThat(events(LeaseReleased.class)).hasSize(1);
	}

	@Test
	void waiterGetsAKeyWhoseRestHasPassed() {
		JobKey key = key("x");
		this.service.tryAcquire(LeaseRequest.of(key).holdingAtLeast(Duration.ofMillis(400))).orElseThrow().close();
		long start = System.nanoTime();
		try (Lease next = this.service.tryAcquire(LeaseRequest.of(key).waiting(Duration.ofSeconds(5))).orElseThrow()) {
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300),
					Duration.ofMillis(1200));
			assertThat(next.isHeld()).isTrue();
		}
	}

	@Test
	void claimLastsForItsPeriodWhateverItsHolderDoes() {
		JobKey key = key("x");
		LeaseAttempt first = this.service.claim(key, Duration.ofMillis(600));
		assertThat(first).isInstanceOfSatisfying(LeaseAttempt.Acquired.class, (acquired) -> acquired.lease().close());
		assertThat(this.service.claim(key, Duration.ofMillis(600))).isInstanceOfSatisfying(LeaseAttempt.Refused.class,
				(refused) -> assertThat(refused.holder().instance()).isEqualTo("test/1/a"));
		assertThat(this.service.findClaim(key)).isPresent();
		assertThat(this.service.isAvailable(key)).isTrue();
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> this.service.findClaim(key).isEmpty());
		assertThat(this.service.claim(key, Duration.ofMillis(600))).isInstanceOf(LeaseAttempt.Acquired.class);
	}

	@Test
	void claimThatIsReleasedEndsBeforeItsPeriod() {
		JobKey key = key("x");
		ClaimLease first = claim(key);
		first.release();
		Awaitility.await().until(() -> this.service.findClaim(key).isEmpty());
		ClaimLease second = claim(key);
		first.release();
		ClaimLease other = claim(key("y"));
		other.release();
		Awaitility.await().until(() -> this.service.findClaim(other.key()).isEmpty());
		assertThat(this.service.findClaim(key))
			.hasValueSatisfying((held) -> assertThat(held.holder().fencingToken()).isEqualTo(second.fencingToken()));
	}

	private ClaimLease claim(JobKey key) {
		return (ClaimLease) ((LeaseAttempt.Acquired) this.service.claim(key, Duration.ofHours(1))).lease();
	}

	@Test
	void severalLeasesAreFoundInTheOrderOfTheirKeys() {
		try (Lease one = acquire("x"); Lease other = acquire("y")) {
			assertThat(this.service.findAll(List.of(other.key(), key("free"), one.key()))).extracting(HeldLease::digest)
				.containsExactly(other.key().digest(), one.key().digest());
		}
		assertThat(this.service.findAll(List.of(key("x"), key("y")))).isEmpty();
		assertThat(this.service.findAll(List.of())).isEmpty();
	}

	@Test
	void findTakesAndFreesNothing() {
		JobKey key = key("x");
		assertThat(this.service.find(key)).isEmpty();
		assertThat(this.service.isAvailable(key)).isTrue();
		try (Lease lease = acquire("x")) {
			assertThat(this.service.isAvailable(key)).isFalse();
			assertThat(this.service.find(key)).hasValueSatisfying((held) -> {
				assertThat(held.job()).isEqualTo("job");
				assertThat(held.key()).isEqualTo("[\"x\"]");
				assertThat(held.digest()).isEqualTo(key.digest());
				assertThat(held.age()).isLessThan(Duration.ofSeconds(5));
			});
			assertThat(lease.isHeld()).isTrue();
		}
	}

	@Test
	void forcedReleaseAdvancesTheFenceAndTheHolderIsNotified() {
		Lease evicted = acquire("x");
		assertThat(this.service.forceRelease(evicted.key().digest()))
			.hasValueSatisfying((held) -> assertThat(held.holder().fencingToken()).isEqualTo(evicted.fencingToken()));
		assertThat(this.service.isAvailable(evicted.key())).isTrue();
		assertThat(evicted.renew()).isFalse();
		assertThat(evicted.lossCause()).isEqualTo(LeaseLossCause.GONE);
		assertThat(this.service.forceRelease(evicted.key().digest())).isEmpty();
	}

	@Test
	void forcedReleaseReturnsTheFormerHolder() {
		Lease evicted = this.service.tryAcquire("forced", 1).orElseThrow();
		this.service.forceRelease(evicted.key().digest());
		this.service.forceRelease(evicted.key().digest());
		assertThat(this.harness.events()).filteredOn(LeaseForced.class::isInstance)
			.singleElement(InstanceOfAssertFactories.type(LeaseForced.class))
			.satisfies((event) -> {
				assertThat(event.key()).isEqualTo(evicted.key());
				assertThat(event.key().job()).isEqualTo("forced");
				assertThat(event.key().text()).isEqualTo(evicted.key().text());
				assertThat(event.holder().instance()).isEqualTo("test/1/a");
				assertThat(event.holder().fencingToken()).isEqualTo(evicted.fencingToken());
			});
	}

	@Test
	void forcedReleaseOfARestFreesTheKey() {
		JobKey key = key("x");
		this.service.tryAcquire(LeaseRequest.of(key).holdingAtLeast(Duration.ofMinutes(5))).orElseThrow().close();
		assertThat(this.service.forceRelease(key.digest())).isPresent();
		assertThat(this.service.isAvailable(key)).isTrue();
	}

	@Test
	void claimIsFreedByForceAndTheFenceMoves() {
		JobKey key = key("x");
		Lease claim = ((LeaseAttempt.Acquired) this.service.claim(key, Duration.ofHours(24))).lease();
		assertThat(this.service.findClaim(key)).hasValueSatisfying((held) -> {
			assertThat(held.kind()).isEqualTo(LeaseKind.CLAIM);
			assertThat(held.remaining()).isGreaterThan(Duration.ofHours(23));
		});
		assertThat(this.service.forceRelease(key.digest())).hasValueSatisfying((held) -> {
			assertThat(held.kind()).isEqualTo(LeaseKind.CLAIM);
			assertThat(held.jobKey()).isEqualTo(key);
			assertThat(held.holder().fencingToken()).isEqualTo(claim.fencingToken());
		});
		assertThat(this.service.findClaim(key)).isEmpty();
		assertThat(this.service.forceRelease(key.digest())).isEmpty();
		assertThat(events(LeaseForced.class)).extracting(LeaseForced::kind).containsExactly(LeaseKind.CLAIM);
		assertThat(this.service.claim(key, Duration.ofHours(24))).isInstanceOfSatisfying(LeaseAttempt.Acquired.class,
				(again) -> assertThat(again.lease().fencingToken()).isGreaterThan(claim.fencingToken() + 1));
	}

	@Test
	void leaseIsFreedByForceBeforeTheClaimOfItsKey() {
		Lease lease = acquire("x");
		this.service.claim(lease.key(), Duration.ofHours(24));
		assertThat(this.service.forceRelease(lease.key().digest()))
			.hasValueSatisfying((held) -> assertThat(held.kind()).isEqualTo(LeaseKind.KEY));
		assertThat(this.service.findClaim(lease.key())).isPresent();
	}

	@Test
	void leasesOfLocketAreDistinguishedFromOthers() {
		Lease own = this.service.tryAcquire("locket.test", "x").orElseThrow();
		Lease user = acquire("x");
		assertThat(this.service.find(own.key()).orElseThrow().kind()).isEqualTo(LeaseKind.INTERNAL);
		assertThat(this.service.find(user.key()).orElseThrow().kind()).isEqualTo(LeaseKind.KEY);
		assertThat(this.service.held(10)).extracting(HeldLease::kind)
			.containsExactlyInAnyOrder(LeaseKind.INTERNAL, LeaseKind.KEY);
		own.close();
		user.close();
		assertThat(events(LeaseAcquired.class)).extracting(LeaseAcquired::kind)
			.containsExactly(LeaseKind.INTERNAL, LeaseKind.KEY);
		assertThat(events(LeaseReleased.class)).extracting(LeaseReleased::kind)
			.containsExactly(LeaseKind.INTERNAL, LeaseKind.KEY);
	}

	@Test
	void leaseShorterThanThreeCommandTimeoutsIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.service.tryAcquire(LeaseRequest.of(key("x")).lasting(Duration.ofSeconds(5))))
			.withMessageContaining("locket.redis.command-timeout");
	}

	@Test
	void fencingTokenGrowsWithEachLeaseClaimAndEviction() {
		long last = 0;
		for (int i = 0; i < 10; i++) {
			Lease lease = acquire("x", i % 3);
			assertThat(lease.fencingToken()).isGreaterThan(last);
			last = lease.fencingToken();
			lease.close();
		}
		Lease claim = ((LeaseAttempt.Acquired) this.service.claim(key("x"), Duration.ofMinutes(1))).lease();
		assertThat(claim.fencingToken()).isGreaterThan(last);
		Lease evicted = acquire("y");
		this.service.forceRelease(evicted.key().digest());
		assertThat(acquire("y").fencingToken()).isGreaterThan(evicted.fencingToken() + 1);
	}

	@Test
	void claimPublishesThatItWasTakenAndIsNeverReleased() {
		Lease claim = ((LeaseAttempt.Acquired) this.service.claim(key("x"), Duration.ofMinutes(1))).lease();
		claim.close();
		assertThat(claim.isHeld()).isTrue();
		assertThat(claim.renew()).isFalse();
		assertThat(claim.remaining()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
		this.service.claim(key("x"), Duration.ofMinutes(1));
		assertThat(this.harness.events()).satisfiesExactly(
				(event) -> assertThat(event).isEqualTo(new LeaseAcquired(claim.key(), claim.fencingToken(), true)),
				(event) -> assertThat(event).isInstanceOf(LeaseConflicted.class));
	}

	@Test
	void waiterGetsAKeyThatIsReleased() throws Exception {
		Lease lease = acquire("x");
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<Boolean> waiter = executor
				.submit(() -> this.service.tryAcquire(LeaseRequest.of(lease.key()).waiting(Duration.ofSeconds(20)))
					.orElseThrow()
					.isHeld());
			lease.close();
			assertThat(waiter.get(10, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void listsWhatIsHeld() {
		try (Lease first = acquire("x"); Lease second = acquire("y")) {
			assertThat(this.service.held(10)).extracting(HeldLease::digest)
				.containsExactlyInAnyOrder(first.key().digest(), second.key().digest());
			assertThat(this.service.held(1)).hasSize(1);
		}
		assertThat(this.service.held(10)).isEmpty();
	}

	@Test
	void listsInTheOrderOfExpiry() {
		Lease last = this.service.tryAcquire(LeaseRequest.of(key("x")).lasting(Duration.ofMinutes(2))).orElseThrow();
		Lease second = this.service.tryAcquire(LeaseRequest.of(key("z")).lasting(Duration.ofMinutes(1))).orElseThrow();
		try (last; second; Lease first = acquire("y")) {
			assertThat(last.renew()).isTrue();
			assertThat(this.service.held(10)).extracting(HeldLease::digest)
				.containsExactly(first.key().digest(), second.key().digest(), last.key().digest());
		}
	}

	@Test
	void takesNoLeaseAfterItWasClosed() {
		Lease lease = acquire("x");
		this.harness.close();
		assertThatExceptionOfType(LeaseRefusedException.class).isThrownBy(() -> acquire("y"))
			.withMessageContaining("closed");
		lease.close();
	}

	@Test
	void asynchronousWaitFailsWhenTheServiceIsClosed() {
		Lease lease = acquire("x");
		CompletableFuture<LeaseAttempt> wait = this.service.attemptAsync(waiting("x", Duration.ofSeconds(30)));
		this.harness.close();
		assertThat(wait).failsWithin(Duration.ofSeconds(10))
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(LeaseRefusedException.class);
		lease.close();
	}

	@Test
	void waitFailsWhenTheServiceIsClosed() throws Exception {
		Lease lease = acquire("x");
		LeaseRequest request = LeaseRequest.of(lease.key()).waitingForRelease(Duration.ofSeconds(30));
		FutureTask<LeaseAttempt> wait = new FutureTask<>(() -> this.service.attempt(request));
		Thread thread = new Thread(wait);
		thread.start();
		Awaitility.await().until(() -> isWaiting(thread));
		this.harness.close();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> wait.get(10, TimeUnit.SECONDS))
			.withCauseInstanceOf(LeaseRefusedException.class);
		lease.close();
	}

	/**
	 * Checks a waiter that only a notification wakes before the end of the lease.
	 */
	@Test
	void waiterForAReleaseLearnsThatTheMinimumHoldEndsSoonerThanTheLease() throws Exception {
		JobKey key = key("x");
		Lease lease = this.service.tryAcquire(LeaseRequest.of(key).holdingAtLeast(Duration.ofMillis(1500)))
			.orElseThrow();
		FutureTask<LeaseAttempt> wait = new FutureTask<>(
				() -> this.service.attempt(LeaseRequest.of(key).waitingForRelease(Duration.ofSeconds(30))));
		Thread thread = new Thread(wait);
		thread.start();
		Awaitility.await().until(() -> isWaiting(thread));
		lease.close();
		assertThat(wait.get(10, TimeUnit.SECONDS)).isInstanceOfSatisfying(LeaseAttempt.Acquired.class,
				(acquired) -> acquired.lease().close());
	}

	private static boolean isWaiting(Thread thread) {
		return thread.getState() == Thread.State.TIMED_WAITING && Stream.of(thread.getStackTrace())
			.anyMatch((frame) -> frame.getMethodName().equals("await") && frame.getClassName().contains(".lease."));
	}

	@Test
	void asynchronousAttemptFailsAfterTheServiceWasClosed() {
		this.harness.close();
		assertThat(this.service.attemptAsync(waiting("x", Duration.ofSeconds(30)))).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LeaseRefusedException.class);
	}

	private JobKey key(Object... parts) {
		return this.service.keyOf("job", parts);
	}

	@Test
	void asynchronousAttemptOfAFreeKeyIsGrantedAtOnce() throws Exception {
		LeaseAttempt attempt = this.service.attemptAsync(waiting("x", Duration.ofSeconds(10))).get(0, TimeUnit.SECONDS);
		assertThat(attempt).isInstanceOf(LeaseAttempt.Acquired.class);
		((LeaseAttempt.Acquired) attempt).lease().close();
		assertThat(this.service.tryAcquire("job", "x")).hasValueSatisfying(Lease::close);
	}

	@Test
	void asynchronousAttemptWithoutAWaitIsRefusedAtOnce() throws Exception {
		try (Lease other = acquire("x")) {
			assertThat(this.service.attemptAsync(LeaseRequest.of(key("x"))).get(0, TimeUnit.SECONDS))
				.isInstanceOfSatisfying(LeaseAttempt.Refused.class,
						(refused) -> assertThat(refused.holder().fencingToken()).isEqualTo(other.fencingToken()));
		}
		assertThat(this.harness.events()).filteredOn(LeaseConflicted.class::isInstance).hasSize(1);
	}

	@Test
	void asynchronousWaitsAreGrantedOneAfterAnother() throws Exception {
		Lease first = acquire("x");
		List<CompletableFuture<LeaseAttempt>> waits = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			waits.add(this.service.attemptAsync(waiting("x", Duration.ofSeconds(20))));
		}
		assertThat(waits).noneMatch(CompletableFuture::isDone);
		AtomicInteger holders = new AtomicInteger();
		List<CompletableFuture<Void>> ends = waits.stream().map((wait) -> wait.thenAcceptAsync((attempt) -> {
			assertThat(holders.incrementAndGet()).isEqualTo(1);
			holders.decrementAndGet();
			((LeaseAttempt.Acquired) attempt).lease().close();
		})).toList();
		first.close();
		CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
		assertThat(this.service.tryAcquire("job", "x")).hasValueSatisfying(Lease::close);
		assertThat(this.harness.events()).filteredOn(LeaseAcquired.class::isInstance).hasSize(22);
		assertThat(this.harness.events()).noneMatch(LeaseConflicted.class::isInstance);
	}

	@Test
	void asynchronousWaitEndsWithARefusal() throws Exception {
		try (Lease other = acquire("x")) {
			LeaseAttempt attempt = this.service.attemptAsync(waiting("x", Duration.ofMillis(50)))
				.get(5, TimeUnit.SECONDS);
			assertThat(attempt).isInstanceOfSatisfying(LeaseAttempt.Refused.class,
					(refused) -> assertThat(refused.holder().fencingToken()).isEqualTo(other.fencingToken()));
		}
		assertThat(this.harness.events()).filteredOn(LeaseConflicted.class::isInstance).hasSize(1);
	}

	@Test
	void cancelledAsynchronousWaitPassesTheKeyOn() throws Exception {
		Lease first = acquire("x");
		CompletableFuture<LeaseAttempt> cancelled = this.service.attemptAsync(waiting("x", Duration.ofSeconds(20)));
		CompletableFuture<LeaseAttempt> next = this.service.attemptAsync(waiting("x", Duration.ofSeconds(20)));
		cancelled.cancel(true);
		first.close();
		LeaseAttempt attempt = next.get(10, TimeUnit.SECONDS);
		assertThat(attempt).isInstanceOf(LeaseAttempt.Acquired.class);
		((LeaseAttempt.Acquired) attempt).lease().close();
	}

	/**
	 * Cancels waits at different moments. Each has a key of its own, because an attempt
	 * that is under way may take the key, and give it back, after the cancellation.
	 */
	@Test
	void cancellationsOfAsynchronousWaitsAtAnyMomentLeaveNoLease() {
		int waits = 200;
		for (int i = 0; i < waits; i++) {
			Lease first = acquire(i);
			CompletableFuture<LeaseAttempt> wait = this.service.attemptAsync(waiting(i, Duration.ofSeconds(20)));
			first.close();
			for (int spin = 0; spin < i * 100; spin++) {
				Thread.onSpinWait();
			}
			if (!wait.cancel(true)) {
				((LeaseAttempt.Acquired) wait.join()).lease().close();
			}
		}
		Awaitility.await()
			.during(Duration.ofMillis(200))
			.until(() -> IntStream.range(0, waits).allMatch((i) -> this.service.find(key(i)).isEmpty()));
	}

	private LeaseRequest waiting(Object part, Duration wait) {
		return LeaseRequest.of(key(part)).waiting(wait);
	}

	private Lease acquire(Object... parts) {
		return this.service.tryAcquire("job", parts).orElseThrow();
	}

	private <E extends JobEvent> List<E> events(Class<E> type) {
		return this.harness.events().stream().filter(type::isInstance).map(type::cast).toList();
	}

}
