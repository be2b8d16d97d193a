package io.locket.lease.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.LongSupplier;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.LeaseRefusedException;
import io.locket.LeaseUnavailableException;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.LeaseForced;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseUnavailable;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseScripts.Waiting;
import io.locket.redis.RedisConnections;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisLeaseService}.
 */
class RedisLeaseServiceTests {

	private final LeaseFixture fixture = LeaseFixture.create();

	private final RedisLeaseService service = this.fixture.service;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void writesLockInTheFormatOfTheRegistry() {
		Lease lease = this.fixture.acquire("x");
		String name = "{" + this.fixture.keys.namespace() + "}:lease:" + lease.key().digest();
		assertThat(this.fixture.redis.opsForValue().get(name)).startsWith(((RedisLease) lease).token() + " ");
		assertThat(this.fixture.redis.getExpire(name, TimeUnit.MILLISECONDS)).isBetween(30_000L, 35_000L);
		lease.close();
		assertThat(this.fixture.redis.keys("{" + this.fixture.keys.namespace() + "}:*"))
			.containsExactly(this.fixture.keys.fence());
	}

	@Test
	void nestedKeysOfOneStripeAreBothGoneFromRedisAfterRelease() {
		JobKey first = this.fixture.key("first");
		JobKey second = null;
		for (int i = 0; second == null; i++) {
			JobKey candidate = this.fixture.key("second", i);
			second = (stripe(candidate) == stripe(first)) ? candidate : null;
		}
		Lease outer = this.service.tryAcquire(LeaseRequest.of(first)).orElseThrow();
		Lease inner = this.service.tryAcquire(LeaseRequest.of(second)).orElseThrow();
		inner.close();
		assertThat(this.fixture.owner(second)).isNull();
		outer.close();
		assertThat(this.fixture.owner(first)).isNull();
	}

	private int stripe(JobKey key) {
		return this.fixture.keys.lock(key.digest()).hashCode() & 0xFF;
	}

	@Test
	void fencingTokenGrowsAndSurvivesALossOfAllData() {
		Set<Long> seen = new HashSet<>();
		long last = 0;
		for (int i = 0; i < 50; i++) {
			Lease lease = this.fixture.acquire("x", i % 3);
			lease.close();
			assertThat(lease.fencingToken()).isGreaterThan(last);
			last = lease.fencingToken();
			assertThat(seen.add(last)).isTrue();
		}
		this.fixture.redis.delete(this.fixture.keys.fence());
		try (Lease lease = this.fixture.acquire("x")) {
			assertThat(lease.fencingToken()).isGreaterThan(last);
		}
		this.fixture.redis.opsForValue().set(this.fixture.keys.fence(), "9000000000000000");
		try (Lease lease = this.fixture.acquire("x")) {
			assertThat(lease.fencingToken()).isEqualTo(9000000000000001L);
		}
	}

	@Test
	void lockAndReleaseAreOneCommandEach() {
		this.fixture.acquire("warm up").close();
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			Lease lease = this.fixture.acquire("x");
			lease.close();
			assertThat(counter.commandsMentioning(this.fixture.keys.namespace())).hasSize(2);
		}
	}

	@Test
	void lockAndReleaseWithoutWaitersRunFewCommandsAndPublishNothing() {
		try (RedisServer server = RedisServer.start();
				LeaseFixture alone = LeaseFixture.create(server, RedisServer.newNamespace(),
						new LeaseFixture.Settings());
				CommandCounter counter = CommandCounter.on(server)) {
			alone.acquire("warm up").close();
			counter.reset();
			alone.acquire("x").close();
			assertThat(counter.commands()).containsExactly("EVALSHA", "EVALSHA");
			assertThat(counter.innerCommands()).doesNotContain("PUBLISH", "ZSCORE").hasSizeLessThanOrEqualTo(7);
		}
	}

	@Test
	void releaseIsPublishedForThoseWhoWait() throws Exception {
		try (RedisServer server = RedisServer.start();
				LeaseFixture alone = LeaseFixture.create(server, RedisServer.newNamespace(),
						new LeaseFixture.Settings());
				CommandCounter counter = CommandCounter.on(server)) {
			Lease lease = alone.acquire("x");
			LeaseRequest waiting = LeaseRequest.of(lease.key()).waiting(Duration.ofSeconds(20));
			CompletableFuture<LeaseAttempt> first = alone.service.attemptAsync(waiting);
			CompletableFuture<LeaseAttempt> second = alone.service.attemptAsync(waiting);
			lease.close();
			CompletableFuture.allOf(released(first), released(second)).get(10, TimeUnit.SECONDS);
			alone.acquire("x").close();
			assertThat(counter.innerCommands()).filteredOn("PUBLISH"::equals).hasSizeGreaterThanOrEqualTo(2);
		}
	}

	/**
	 * Returns a future for the release of a lease, because either attempt may be granted
	 * first.
	 */
	private static CompletableFuture<Void> released(CompletableFuture<LeaseAttempt> attempt) {
		return attempt.thenAcceptAsync((reply) -> ((LeaseAttempt.Acquired) reply).lease().close());
	}

	@Test
	void refusedAttemptWithoutAWaitIsOneCommand() {
		try (Lease lease = this.fixture.acquire("x");
				CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			assertThat(this.service.tryAcquire("job", "x")).isEmpty();
			assertThat(counter.commandsMentioning(lease.key().digest())).hasSize(1);
		}
	}

	@Test
	void waiterOfAPlainRegistryIsWokenByTheRelease() throws Exception {
		Lease lease = this.fixture.acquire("x");
		ExecutorService executor = Executors.newSingleThreadExecutor();
		RedisLockRegistry registry = new RedisLockRegistry(this.fixture.connectionFactory,
				this.fixture.keys.registryKey());
		registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			Lock lock = registry.obtain(lease.key().digest());
			Future<Long> waiter = executor.submit(() -> {
				assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
				long lockedAt = System.nanoTime();
				lock.unlock();
				return lockedAt;
			});
			awaitSubscription(counter);
			long releasedAt = System.nanoTime();
			lease.close();
			assertThat(Duration.ofNanos(waiter.get(30, TimeUnit.SECONDS) - releasedAt))
				.isLessThan(Duration.ofMillis(2500));
		}
		finally {
			executor.shutdownNow();
			registry.destroy();
		}
	}

	@Test
	void waiterIsWokenByTheReleaseOfAPlainRegistry() throws Exception {
		ExecutorService executor = Executors.newSingleThreadExecutor();
		RedisLockRegistry registry = new RedisLockRegistry(this.fixture.connectionFactory,
				this.fixture.keys.registryKey());
		registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
		JobKey key = this.fixture.key("x");
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			Lock lock = registry.obtain(key.digest());
			assertThat(lock.tryLock()).isTrue();
			Future<Long> waiter = executor.submit(() -> {
				try (Lease next = this.service.tryAcquire(LeaseRequest.of(key).waiting(Duration.ofSeconds(20)))
					.orElseThrow()) {
					assertThat(next.isHeld()).isTrue();
					return System.nanoTime();
				}
			});
			awaitSubscription(counter);
			long releasedAt = System.nanoTime();
			lock.unlock();
			assertThat(Duration.ofNanos(waiter.get(10, TimeUnit.SECONDS) - releasedAt))
				.isLessThan(Duration.ofMillis(500));
		}
		finally {
			executor.shutdownNow();
			registry.destroy();
		}
	}

	private void awaitSubscription(CommandCounter counter) {
		Awaitility.await()
			.until(() -> counter.commandsMentioning(this.fixture.keys.channel())
				.stream()
				.anyMatch((command) -> command.toLowerCase().startsWith("psubscribe")));
	}

	@Test
	void waiterIsWokenByTheRelease() throws Exception {
		Lease lease = this.fixture.acquire("x");
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			Future<Long> waiter = executor.submit(() -> {
				try (Lease next = this.service.tryAcquire(LeaseRequest.of(lease.key()).waiting(Duration.ofSeconds(20)))
					.orElseThrow()) {
					assertThat(next.isHeld()).isTrue();
					return System.nanoTime();
				}
			});
			awaitSubscription(counter);
			long releasedAt = System.nanoTime();
			lease.close();
			long wokenAt = waiter.get(10, TimeUnit.SECONDS);
			assertThat(Duration.ofNanos(wokenAt - releasedAt)).isLessThan(Duration.ofMillis(500));
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void interruptsOfAThreadCostNoLeaseAndLeaveNone() throws Exception {
		CountDownLatch done = new CountDownLatch(1);
		AtomicInteger acquired = new AtomicInteger();
		Thread thread = new Thread(() -> {
			for (int i = 0; i < 300; i++) {
				try (Lease lease = this.fixture.acquire(i)) {
					acquired.addAndGet(lease.isHeld() ? 1 : 0);
				}
			}
			done.countDown();
		});
		thread.start();
		while (!done.await(1, TimeUnit.MILLISECONDS)) {
			thread.interrupt();
		}
		assertThat(acquired).hasValue(300);
		assertThat(this.fixture.events(LeaseLost.class)).isEmpty();
		Awaitility.await().until(() -> this.fixture.redis.keys(this.fixture.keys.lock("*")).isEmpty());
	}

	@Test
	void forcedReleaseDoesNotEvictALaterHolder() {
		Lease first = this.fixture.acquire("x");
		String seen = this.fixture.redis.opsForValue().get(this.fixture.keys.lock(first.key().digest()));
		first.close();
		Lease second = this.fixture.acquire("x");
		assertThat(this.fixture.scripts.forceRelease(second.key().digest(), seen)).isNull();
		assertThat(second.renew()).isTrue();
		second.close();
	}

	@Test
	void forcedReleaseThatRedisRefusesIsReportedAsSuch() {
		Lease lease = this.fixture.acquire("x");
		this.fixture.redis.opsForList().rightPush(this.fixture.keys.index(), "not a sorted set");
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.fixture.service.forceRelease(lease.key().digest()))
			.withMessageContaining("refused to: release the lease of " + lease.key().digest() + " by force");
		this.fixture.redis.delete(this.fixture.keys.index());
		lease.close();
	}

	@Test
	void forcedReleaseOfAPlainLockHasItsDigest() {
		String digest = this.fixture.service.keyOf("x", "foreign").digest();
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(digest), "foreign");
		assertThat(this.fixture.service.forceRelease(digest)).isPresent();
		assertThat(this.fixture.events).singleElement(InstanceOfAssertFactories.type(LeaseForced.class))
			.satisfies((event) -> {
				assertThat(event.key().job()).isEqualTo("(foreign)");
				assertThat(event.key().digest()).isEqualTo(digest);
				assertThat(event.key().text()).isEqualTo(digest);
				assertThat(event.holder()).isEqualTo(LeaseHolder.foreign());
				assertThat(event.kind()).isEqualTo(LeaseKind.FOREIGN);
			});
	}

	@Test
	void entriesOfDeadHoldersArePruned() {
		try (LeaseFixture shortLived = LeaseFixture.create(RedisServer.shared(), this.fixture.keys.namespace(),
				LeaseFixture.Settings.ofMillis(60, 60_000, 20))) {
			JobKey dying = shortLived.key("dying");
			shortLived.scripts.acquire(dying, "dead-token", Duration.ofMillis(50), "{}", Waiting.NONE);
			this.fixture.redis.opsForZSet().add(this.fixture.keys.index(), dying.digest(), System.currentTimeMillis());
			Awaitility.await().until(() -> this.service.isAvailable(dying));
			assertThat(this.service.held(10)).isEmpty();
			Lease lease = this.fixture.acquire("x");
			assertThat(lease.renew()).isTrue();
			assertThat(this.fixture.redis.opsForZSet().range(this.fixture.keys.index(), 0, -1))
				.containsExactly(lease.key().digest());
			lease.close();
			assertThat(this.fixture.redis.opsForZSet().zCard(this.fixture.keys.index())).isZero();
		}
	}

	@Test
	void processListsItsOwnLeasesAtOnceAndOthersListThemSoon() {
		try (LeaseFixture other = LeaseFixture.create(RedisServer.shared(), this.fixture.keys.namespace(),
				new LeaseFixture.Settings())) {
			Lease lease = this.fixture.acquire("x");
			assertThat(this.service.held(10)).extracting(HeldLease::digest).containsExactly(lease.key().digest());
			assertThat(other.service.find(lease.key())).isPresent();
			Awaitility.await()
				.atMost(Duration.ofSeconds(5))
				.untilAsserted(() -> assertThat(other.service.held(10)).extracting(HeldLease::digest)
					.containsExactly(lease.key().digest()));
			assertThat(this.service.held(10)).hasSize(1);
			lease.close();
			assertThat(other.service.held(10)).isEmpty();
		}
	}

	@Test
	void grantThatComesLateIsRenewedBeforeTheBodyMayStart() {
		AtomicInteger calls = new AtomicInteger();
		// The reply to the acquire takes ten seconds, the reply to the renewal no time.
		LongSupplier clock = () -> (calls.getAndIncrement() == 0) ? 0 : Duration.ofSeconds(10).toNanos();
		try (LeaseFixture late = LeaseFixture.create(LeaseFixture.Settings.ofMillis(3000, 1000, 500), clock)) {
			Lease lease = late.acquire("x");
			assertThat(lease.isHeld()).isTrue();
			assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(2700));
			lease.close();
		}
	}

	@Test
	void grantThatStaysLateIsReleasedAndNoBodyStarts() {
		Thread caller = Thread.currentThread();
		AtomicLong seconds = new AtomicLong();
		LongSupplier clock = () -> Duration
			.ofSeconds((Thread.currentThread() == caller) ? seconds.addAndGet(100) : seconds.get())
			.toNanos();
		try (LeaseFixture late = LeaseFixture.create(LeaseFixture.Settings.ofMillis(600_000, 1000, 500), clock)) {
			LeaseRequest request = LeaseRequest.of(late.key("x")).lasting(Duration.ofSeconds(50));
			assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> late.service.attempt(request))
				.withMessageContaining("too late");
			assertThat(late.events).hasOnlyElementsOfType(LeaseUnavailable.class);
			Awaitility.await().until(() -> late.owner(late.key("x")) == null);
			assertThat(late.redis.opsForZSet().size(late.keys.index())).isZero();
		}
	}

	@Test
	void leaseWhoseRenewalCannotBeScheduledIsReleased() {
		ManualScheduler time = new ManualScheduler();
		LeaseHeartbeat beats = new LeaseHeartbeat(Duration.ofSeconds(10), time, time, Runnable::run,
				new JobEventPublisher(List.of()), time::nanoTime);
		try (RedisLeaseService service = service(beats, () -> {
		})) {
			time.refuse(1);
			assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> service.tryAcquire("job", "x"));
			Awaitility.await().until(() -> this.fixture.owner(this.fixture.key("x")) == null);
		}
	}

	@Test
	void callersThatWaitAreRefusedBeforeTheConnectionsAreClosed() throws Exception {
		CountDownLatch refused = new CountDownLatch(1);
		AtomicBoolean inTime = new AtomicBoolean();
		RedisLeaseService service = service(this.fixture.heartbeat, () -> {
			try {
				inTime.set(refused.await(5, TimeUnit.SECONDS));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		Lease held = this.fixture.acquire("x");
		Thread waiting = new Thread(() -> {
			try {
				service.attempt(LeaseRequest.of(held.key()).waitingForRelease(Duration.ofMinutes(1)));
			}
			catch (LeaseRefusedException ex) {
				refused.countDown();
			}
		});
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
		service.close();
		waiting.join();
		held.close();
		assertThat(inTime).isTrue();
	}

	/**
	 * Returns a service that is the only user of its connections.
	 */
	private RedisLeaseService service(LeaseHeartbeat heartbeat, Runnable onClose) {
		LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(35), Duration.ofSeconds(2), "test/1/a", false, 0);
		try (RedisConnections connections = new RedisConnections(this.fixture.connectionFactory,
				this.fixture.connectionFactory, Duration.ofSeconds(2), onClose)) {
			return new RedisLeaseService(connections, this.fixture.keys, settings, LeaseFixture.JOB_KEYS, heartbeat,
					LeaseThreads.create(), new JobEventPublisher(List.of()), System::nanoTime);
		}
	}

	@Test
	void listenerThatThrowsWhateverCostsNoLease() {
		try (LeaseFixture fixture = LeaseFixture.create(LeaseFixture.Settings.ofMillis(1500, 200, 400))) {
			fixture.onEvent = (event) -> {
				throw new AssertionError("a listener that fails");
			};
			Lease lease = fixture.acquire("x");
			Awaitility.await()
				.during(Duration.ofSeconds(2))
				.atMost(Duration.ofSeconds(5))
				.until(() -> lease.isHeld() && fixture.owner(lease.key()) != null);
			lease.close();
			assertThat(fixture.owner(lease.key())).isNull();
		}
	}

	@Test
	void listenerThatBlocksCostsNoLease() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		try (LeaseFixture fixture = LeaseFixture.create(LeaseFixture.Settings.ofMillis(1500, 200, 400))) {
			fixture.onEvent = (event) -> {
				if (event instanceof HeartbeatCompleted) {
					await(blocked);
				}
			};
			Lease lease = fixture.acquire("x");
			Awaitility.await()
				.during(Duration.ofSeconds(2))
				.atMost(Duration.ofSeconds(5))
				.until(() -> lease.isHeld() && fixture.owner(lease.key()) != null);
			blocked.countDown();
			lease.close();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void takesNoLeaseAfterItWasClosed() {
		Lease lease = this.fixture.acquire("x");
		this.service.close();
		assertThatExceptionOfType(LeaseRefusedException.class).isThrownBy(() -> this.fixture.acquire("y"))
			.withMessageContaining("closed");
		assertThat(this.fixture.owner(lease.key())).isNotNull();
		lease.close();
		Awaitility.await().until(() -> !this.fixture.connectionFactory.isRunning());
		assertThat(this.fixture.threads.heartbeat().isShutdown()).isTrue();
	}

}
