package io.locket.lease.registry;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.LeaseRefusedException;
import io.locket.LeaseUnavailableException;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseReleased;
import io.locket.event.LeaseUnavailable;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseFixture;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;

/**
 * Tests for {@link LockRegistryLeaseService} on the registries of Redis and JDBC and on a
 * registry without a time to live.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockRegistryLeaseServiceTests {

	private final LeaseFixture redis = LeaseFixture.create();

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	private final List<LockRegistryLeaseService> services = new ArrayList<>();

	private final List<EmbeddedDatabase> databases = new ArrayList<>();

	@AfterEach
	void close() {
		this.services.forEach(LockRegistryLeaseService::close);
		this.redis.close();
		this.databases.forEach(EmbeddedDatabase::shutdown);
	}

	@Test
	void redisRegistryExcludesAndIsExcludedByScripts() {
		LockRegistryLeaseService service = onRedis();
		Lease lease = service.tryAcquire("job", "x").orElseThrow();
		assertThat(lease.fencingToken()).isZero();
		assertThat(this.redis.service.tryAcquire("job", "x")).isEmpty();
		lease.close();
		try (Lease other = this.redis.acquire("x")) {
			LeaseAttempt attempt = service.attempt(LeaseRequest.of(other.key()));
			assertThat(attempt).isInstanceOfSatisfying(LeaseAttempt.Refused.class,
					(refused) -> assertThat(refused.holder().instance()).isEqualTo("test/1/a"));
		}
		assertThat(this.events).hasAtLeastOneElementOfType(LeaseReleased.class)
			.hasAtLeastOneElementOfType(LeaseConflicted.class);
	}

	@Test
	void lockWhoseRenewalCannotBeScheduledIsReleased() {
		ManualScheduler time = new ManualScheduler();
		LeaseHeartbeat beats = new LeaseHeartbeat(Duration.ofSeconds(1), time, time, Runnable::run,
				new JobEventPublisher(List.of()), time::nanoTime);
		LockRegistryLeaseService service = service(registry(3000), probe(), Duration.ofSeconds(3),
				LeaseThreads.create(), beats, System::nanoTime);
		time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> service.tryAcquire("job", "x"));
		assertThat(this.events).doesNotHaveAnyElementsOfTypes(LeaseAcquired.class, LeaseReleased.class);
		this.redis.acquire("x").close();
		service.tryAcquire("job", "x").orElseThrow().close();
	}

	@Test
	void redisRegistryIsRenewedByTheHeartbeat() {
		LockRegistryLeaseService service = service(registry(3000), probe(), Duration.ofSeconds(3),
				Duration.ofMillis(300));
		try (Lease lease = service.tryAcquire("job", "x").orElseThrow()) {
			Awaitility.await()
				.during(Duration.ofMillis(3500))
				.atMost(Duration.ofSeconds(8))
				.until(() -> lease.isHeld() && !this.redis.service.isAvailable(lease.key()));
		}
	}

	@Test
	void renewalThatFailsHoldsUpNoOtherOfTheBatch(CapturedOutput output) {
		ManualScheduler time = new ManualScheduler();
		LeaseHeartbeat beats = new LeaseHeartbeat(Duration.ofSeconds(10), time, time, Runnable::run,
				new JobEventPublisher(List.of()), time::nanoTime);
		LeaseThreads threads = spy(LeaseThreads.create());
		given(threads.registry()).willReturn(time);
		LockRegistryLeaseService service = service(registry(60_000), probe(), Duration.ofSeconds(60), threads, beats,
				time::nanoTime);
		List<Lease> leases = IntStream.range(0, 10)
			.mapToObj((i) -> service.tryAcquire("job", i).orElseThrow())
			.toList();
		String damaged = this.redis.keys.lock(leases.get(5).key().digest());
		this.redis.redis.delete(damaged);
		this.redis.redis.opsForList().rightPush(damaged, "no lock");
		time.advance(Duration.ofSeconds(55));
		assertThat(leases).filteredOn((lease) -> !lease.isHeld()).containsExactly(leases.get(5));
		assertThat(output.getOut().lines().filter((line) -> line.contains("Could not renew leases"))).hasSize(1)
			.allMatch((line) -> line.contains("WRONGTYPE"));
		this.redis.redis.delete(damaged);
		leases.forEach(Lease::close);
	}

	@Test
	void registryThatHangsDelaysNoRenewalOfOtherLeases() throws Exception {
		HangingRegistry registry = new HangingRegistry(registry(30_000));
		try (LeaseFixture other = LeaseFixture.create(LeaseFixture.Settings.ofMillis(30_000, 100, 2000))) {
			LockRegistryLeaseService service = service(registry, null, Duration.ofSeconds(30), other.threads,
					other.heartbeat, System::nanoTime);
			Lease hanging = service.tryAcquire("job", "x").orElseThrow();
			assertThat(registry.called().await(10, TimeUnit.SECONDS)).isTrue();
			Lease lease = other.acquire("y");
			Awaitility.await()
				.until(() -> other.events(HeartbeatCompleted.class).stream().anyMatch((beat) -> beat.leases() == 1));
			registry.reply().countDown();
			lease.close();
			hanging.close();
		}
	}

	@Test
	void lossIsNotifiedWhenTheRegistryCannotRenew() {
		LockRegistryLeaseService service = service(registry(3000), probe(), Duration.ofSeconds(3),
				Duration.ofMillis(300));
		Lease lease = service.tryAcquire("job", "x").orElseThrow();
		this.redis.redis.delete(this.redis.keys.lock(lease.key().digest()));
		Awaitility.await().atMost(Duration.ofSeconds(3)).until(() -> lease.lossCause() == LeaseLossCause.GONE);
		lease.close();
	}

	@Test
	void lockThatWasGrantedLateIsReturned() {
		try (RedisServer server = RedisServer.start();
				LeaseFixture frozen = LeaseFixture.create(server, RedisServer.newNamespace(),
						LeaseFixture.Settings.ofMillis(3000, 500, 300))) {
			RedisLockRegistry registry = new RedisLockRegistry(frozen.connectionFactory, frozen.keys.registryKey(),
					Duration.ofMinutes(5));
			registry.setExecutor(Runnable::run);
			LockRegistryLeaseService service = service(registry,
					new LockProbe(frozen.connectionFactory, frozen.keys, registry, frozen::retainConnections),
					Duration.ofMinutes(5), Duration.ofSeconds(5));
			service.tryAcquire("job", "warm up").orElseThrow().close();
			JobKey key = service.keyOf("job", "x");
			server.freeze();
			assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> service.tryAcquire("job", "x"));
			server.resume();
			Awaitility.await()
				.atMost(Duration.ofSeconds(1))
				.ignoreException(QueryTimeoutException.class)
				.until(() -> frozen.owner(key) == null);
			Awaitility.await()
				.during(Duration.ofMillis(500))
				.atMost(Duration.ofSeconds(2))
				.until(() -> frozen.owner(key) == null);
		}
	}

	@Test
	void refusalOfAFreeKeyIsRetried() {
		LockRegistryLeaseService service = service(refusing(3), probe(), Duration.ofSeconds(30), Duration.ofSeconds(5));
		assertThat(service.tryAcquire("job", "x")).hasValueSatisfying(Lease::close);
		assertThat(this.events).doesNotHaveAnyElementsOfTypes(LeaseConflicted.class);
	}

	@Test
	void probeTriesAnotherLockIfTheRegistryRefusesOne() {
		AtomicInteger refusals = new AtomicInteger(3);
		LockRegistry<Lock> registry = (path) -> new ReentrantLock() {

			@Override
			public boolean tryLock() {
				return refusals.getAndDecrement() <= 0 && super.tryLock();
			}

		};
		assertThat(probe(registry).isSameSpace()).isFalse();
		assertThat(refusals).hasNegativeValue();
	}

	@Test
	void refusalOfAFreeKeyThatLastsIsAnErrorAndNeverAConflict() {
		LockRegistryLeaseService service = service(refusing(Integer.MAX_VALUE), probe(), Duration.ofSeconds(30),
				Duration.ofSeconds(5));
		assertThatExceptionOfType(LeaseRefusedException.class).isThrownBy(() -> service.tryAcquire("job", "x"))
			.withMessageContaining("cache capacity")
			.withMessageContaining("locket.lease.store=redis");
		assertThat(this.events).doesNotHaveAnyElementsOfTypes(LeaseConflicted.class);
	}

	@Test
	void noFreeKeyOfACrowdedRegistryIsAConflict() throws Exception {
		RedisLockRegistry registry = registry(30_000);
		registry.setCacheCapacity(1);
		LockRegistryLeaseService service = service(registry, probe(), Duration.ofSeconds(30), Duration.ofSeconds(5));
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Lease held = executor.submit(() -> service.tryAcquire("job", "held").orElseThrow())
				.get(10, TimeUnit.SECONDS);
			int replies = 0;
			for (int i = 0; i < 20; i++) {
				try {
					service.tryAcquire("job", "free", i).orElseThrow().close();
					replies++;
				}
				catch (LeaseRefusedException ex) {
					replies++;
				}
			}
			assertThat(replies).isEqualTo(20);
			assertThat(held.isHeld()).isTrue();
			assertThat(this.events).doesNotHaveAnyElementsOfTypes(LeaseConflicted.class);
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void lockThatTheRegistryHasNoRoomForIsRefusedAndNoOutage() {
		LockRegistryLeaseService service = service((path) -> {
			throw new CannotAcquireLockException("Cannot obtain more at the moment");
		}, probe(), Duration.ofSeconds(30), Duration.ofSeconds(5));
		assertThatExceptionOfType(LeaseRefusedException.class).isThrownBy(() -> service.tryAcquire("job", "x"))
			.withMessageContaining("Raise its cache capacity")
			.withMessageEndingWith("Cannot obtain more at the moment");
		assertThat(this.events).isEmpty();
	}

	@Test
	void probeThatGotNoReplyIsRepeated() {
		AtomicInteger left = new AtomicInteger(1);
		RedisLockRegistry registry = registry(30_000);
		LockProbe probe = probe((path) -> {
			if (left.getAndDecrement() > 0) {
				throw new IllegalStateException("no reply");
			}
			return registry.obtain(path);
		});
		assertThatIllegalStateException().isThrownBy(probe::isSameSpace);
		assertThat(probe.isSameSpace()).isTrue();
	}

	@Test
	void probeThatGetsNoReplyIsNoConflict() {
		LockProbe silent = probe((path) -> {
			throw new IllegalStateException("no reply");
		});
		LockRegistryLeaseService service = service(refusing(Integer.MAX_VALUE), silent, Duration.ofSeconds(30),
				Duration.ofSeconds(5));
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> service.tryAcquire("job", "x"));
		assertThat(this.events).hasOnlyElementsOfType(LeaseUnavailable.class);
	}

	@Test
	void lockThatIsGrantedLateIsReleasedAndNoBodyStarts() {
		AtomicLong seconds = new AtomicLong();
		RedisLockRegistry registry = registry(30_000);
		LockRegistryLeaseService service = service(registry, probe(), Duration.ofSeconds(30), Duration.ofSeconds(5),
				() -> Duration.ofSeconds(seconds.addAndGet(40)).toNanos());
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> service.tryAcquire("job", "x"))
			.withMessageContaining("too late");
		assertThat(this.redis.service.isAvailable(this.redis.key("x"))).isTrue();
	}

	@Test
	void lockWhoseGrantHadALateReplyAfterAWaitIsNotHeldForTooLong() {
		ManualScheduler time = new ManualScheduler();
		SlowRegistry registry = new SlowRegistry(time);
		LeaseHeartbeat beats = new LeaseHeartbeat(Duration.ofSeconds(10), time, time, Runnable::run,
				new JobEventPublisher(List.of()), time::nanoTime);
		LockRegistryLeaseService service = service(registry, null, Duration.ofSeconds(30), LeaseThreads.create(), beats,
				time::nanoTime);
		LeaseRequest request = LeaseRequest.of(service.keyOf("job", "x")).waiting(Duration.ofMinutes(1));
		try (Lease lease = service.tryAcquire(request).orElseThrow()) {
			assertThat(lease.remaining().toNanos()).isPositive().isLessThan(registry.expiry.get() - time.nanoTime());
		}
		registry.renewal = () -> {
			throw new IllegalArgumentException("no reply");
		};
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> service.tryAcquire(request));
		registry.renewal = () -> {
			throw new IllegalStateException("The lock is gone");
		};
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> service.tryAcquire(request))
			.withMessageContaining("too late");
		assertThat(registry.lock.isLocked()).isFalse();
	}

	@Test
	void lockThatWasGrantedLateAndCannotBeUnlockedIsReleasedLater() {
		ManualScheduler time = new ManualScheduler();
		SlowRegistry registry = new SlowRegistry(time);
		LockProbe probe = mock();
		given(probe.retain(any())).willReturn(mock());
		given(probe.isSameSpace()).willReturn(true);
		given(probe.find(any())).willReturn(mock());
		LeaseHeartbeat beats = new LeaseHeartbeat(Duration.ofSeconds(10), time, time, Runnable::run,
				new JobEventPublisher(List.of()), time::nanoTime);
		LockRegistryLeaseService service = service(registry, probe, Duration.ofSeconds(30), LeaseThreads.create(),
				beats, time::nanoTime);
		registry.renewal = () -> {
			throw new IllegalArgumentException("no reply");
		};
		registry.lock.failures = 1;
		LeaseRequest request = LeaseRequest.of(service.keyOf("job", "x")).waiting(Duration.ofMinutes(1));
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> service.tryAcquire(request))
			.withMessageContaining("too late");
		Awaitility.await().untilAsserted(() -> assertThat(registry.lock.unlocks).hasValue(2));
	}

	@Test
	void interruptEndsAWaitAlsoIfTheKeyIsFreeByThen() {
		LockRegistryLeaseService service = service(refusing(Integer.MAX_VALUE), probe(), Duration.ofSeconds(30),
				Duration.ofSeconds(5));
		Thread.currentThread().interrupt();
		assertThat(service.tryAcquire("job", "x")).isEmpty();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void interruptEndsAWaitForALockOfAnotherProcess() throws Exception {
		LockRegistryLeaseService service = onRedis();
		try (Lease other = this.redis.acquire("x")) {
			LeaseRequest request = LeaseRequest.of(other.key()).waiting(Duration.ofMinutes(1));
			AtomicBoolean interrupted = new AtomicBoolean();
			FutureTask<Optional<Lease>> wait = new FutureTask<>(() -> {
				try {
					return service.tryAcquire(request);
				}
				finally {
					interrupted.set(Thread.interrupted());
				}
			});
			Thread thread = new Thread(wait);
			thread.start();
			Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
			thread.interrupt();
			assertThat(wait.get(10, TimeUnit.SECONDS)).isEmpty();
			assertThat(interrupted).isTrue();
			assertThat(this.events).doesNotHaveAnyElementsOfTypes(LeaseUnavailable.class);
		}
	}

	@Test
	void freeKeyIsTakenWhileTheThreadIsInterruptedIfTheRequestDoesNotWait() {
		LockRegistryLeaseService service = onRedis();
		Thread.currentThread().interrupt();
		Optional<Lease> lease = service.tryAcquire("job", "x");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(lease).isPresent();
		lease.get().close();
	}

	@Test
	void leaseIsReleasedWhileTheThreadIsInterrupted() {
		LockRegistryLeaseService service = onRedis();
		Lease lease = service.tryAcquire("job", "x").orElseThrow();
		Thread.currentThread().interrupt();
		lease.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(lease.lossCause()).isNull();
		assertThat(this.redis.service.isAvailable(lease.key())).isTrue();
	}

	@Test
	void onlyTheThreadThatTookTheLeaseReleasesIt() throws Exception {
		LockRegistryLeaseService service = onRedis();
		Lease lease = service.tryAcquire("job", "x").orElseThrow();
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
				.isThrownBy(() -> executor.submit(lease::close).get(10, TimeUnit.SECONDS))
				.withMessageContaining("lock-registry");
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(lease.isHeld()).isTrue();
		lease.close();
		assertThat(this.redis.service.isAvailable(lease.key())).isTrue();
	}

	@Test
	void secondLeaseOfAKeyOnTheSameThreadIsRefused() {
		LockRegistryLeaseService service = onRedis();
		try (Lease lease = service.tryAcquire("job", "x").orElseThrow()) {
			assertThat(service.tryAcquire("job", "x")).isEmpty();
			assertThat(service.tryAcquire(LeaseRequest.of(lease.key()).waiting(Duration.ofSeconds(20)))).isEmpty();
		}
	}

	@Test
	void jdbcRegistriesExcludeOneAnother() {
		EmbeddedDatabase database = database();
		LockRegistryLeaseService one = service(jdbc(database), null, Duration.ofSeconds(30), Duration.ofSeconds(5));
		LockRegistryLeaseService two = service(jdbc(database), null, Duration.ofSeconds(30), Duration.ofSeconds(5));
		Lease lease = one.tryAcquire("job", "x").orElseThrow();
		assertThat(two.tryAcquire("job", "x")).isEmpty();
		assertThat(two.tryAcquire("job", "y")).hasValueSatisfying(Lease::close);
		lease.close();
		assertThat(two.tryAcquire("job", "x")).hasValueSatisfying(Lease::close);
	}

	@Test
	void jdbcLeaseWithoutRenewalIsLostBeforeItsTimeToLiveEnds() {
		LockRegistryLeaseService service = service(jdbc(database()), null, Duration.ofMillis(1500),
				Duration.ofMillis(300));
		Lease lease = service.tryAcquire("job", "x").orElseThrow();
		long start = System.nanoTime();
		Awaitility.await().atMost(Duration.ofSeconds(3)).until(() -> !lease.isHeld());
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1500));
		lease.close();
	}

	@Test
	void lockWithoutATimeToLiveIsNeverLost() {
		LockRegistryLeaseService service = service(new DefaultLockRegistry(), null, Duration.ofMillis(600),
				Duration.ofMillis(100));
		try (Lease lease = service.tryAcquire("job", "x").orElseThrow()) {
			Awaitility.await().during(Duration.ofMillis(900)).atMost(Duration.ofSeconds(3)).until(lease::isHeld);
			assertThat(service.held(10)).singleElement().satisfies((held) -> assertThat(held.remaining()).isNull());
		}
	}

	@Test
	void refusalOfALockWithoutATimeToLiveHasNoRemainingTime() {
		LockRegistryLeaseService service = service(new DefaultLockRegistry(), null, Duration.ofSeconds(30),
				Duration.ofSeconds(5));
		try (Lease lease = service.tryAcquire("job", "x").orElseThrow()) {
			assertThat(service.attempt(LeaseRequest.of(lease.key()))).isInstanceOfSatisfying(LeaseAttempt.Refused.class,
					(refused) -> assertThat(refused.remaining()).isNull());
		}
	}

	@Test
	void messageNamesWhatSuchALockCannotDo() {
		LockRegistryLeaseService service = service(new DefaultLockRegistry(), null, Duration.ofSeconds(30),
				Duration.ofSeconds(5));
		JobKey key = this.redis.key("x");
		assertThat(service.isThreadBound()).isTrue();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> service.claim(key, Duration.ofMinutes(1)))
			.withMessageContaining("UNTIL_EXPIRED");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> service.attempt(LeaseRequest.of(key).holdingAtLeast(Duration.ofSeconds(1))));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> service.forceRelease(key.digest()));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> service.find(key));
	}

	@Test
	void probeDetectsWhetherARegistryIsOnLocketsKey() {
		assertThat(probe(registry(30_000)).isSameSpace()).isTrue();
		assertThat(probe(new RedisLockRegistry(this.redis.connectionFactory, "another-key")).isSameSpace()).isFalse();
		assertThat(probe(new DefaultLockRegistry()).isSameSpace()).isFalse();
	}

	@Test
	void takesNoLeaseAfterItWasClosed() {
		LockRegistryLeaseService service = onRedis();
		service.close();
		assertThatExceptionOfType(LeaseRefusedException.class).isThrownBy(() -> service.tryAcquire("job", "x"))
			.withMessageContaining("closed");
	}

	@Test
	void waitThatIsGrantedAfterTheCloseGivesTheLockBack() {
		ReentrantLock lock = new ReentrantLock();
		AtomicReference<LockRegistryLeaseService> closing = new AtomicReference<>();
		LockRegistryLeaseService service = service((LockRegistry<Lock>) (path) -> new ReentrantLock() {

			@Override
			public boolean tryLock(long time, TimeUnit unit) {
				closing.get().close();
				return lock.tryLock();
			}

			@Override
			public void unlock() {
				lock.unlock();
			}

		}, null, Duration.ofSeconds(30), Duration.ofSeconds(5));
		closing.set(service);
		assertThatExceptionOfType(LeaseRefusedException.class)
			.isThrownBy(
					() -> service.attempt(LeaseRequest.of(service.keyOf("job", "x")).waiting(Duration.ofSeconds(1))))
			.withMessageContaining("closed");
		assertThat(lock.isLocked()).isFalse();
		assertThat(service.held(1)).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> service.held(-1)).withMessageContaining("'limit'");
		assertThat(this.events).doesNotHaveAnyElementsOfTypes(LeaseAcquired.class);
	}

	/**
	 * Returns a registry whose locks refuse a number of times, whether they are held or
	 * not.
	 */
	private static LockRegistry<Lock> refusing(int times) {
		AtomicInteger left = new AtomicInteger(times);
		return (path) -> new ReentrantLock() {

			@Override
			public boolean tryLock(long time, TimeUnit unit) {
				return left.getAndDecrement() <= 0 && tryLock();
			}

		};
	}

	private LockRegistryLeaseService onRedis() {
		return service(registry(30_000), probe(), Duration.ofSeconds(30), Duration.ofSeconds(5));
	}

	private LockProbe probe() {
		return probe(registry(30_000));
	}

	private LockProbe probe(LockRegistry<?> registry) {
		return new LockProbe(this.redis.connectionFactory, this.redis.keys, registry, this.redis::retainConnections);
	}

	private RedisLockRegistry registry(long expiry) {
		RedisLockRegistry registry = new RedisLockRegistry(this.redis.connectionFactory, this.redis.keys.registryKey(),
				Duration.ofMillis(expiry));
		registry.setExecutor(Runnable::run);
		return registry;
	}

	private EmbeddedDatabase database() {
		EmbeddedDatabase database = new EmbeddedDatabaseBuilder().generateUniqueName(true)
			.setType(EmbeddedDatabaseType.H2)
			.addScript("classpath:org/springframework/integration/jdbc/schema-h2.sql")
			.build();
		this.databases.add(database);
		return database;
	}

	private static JdbcLockRegistry jdbc(EmbeddedDatabase database) {
		DefaultLockRepository repository = new DefaultLockRepository(database);
		repository.setTransactionManager(new DataSourceTransactionManager(database));
		repository.afterPropertiesSet();
		repository.afterSingletonsInstantiated();
		repository.start();
		return new JdbcLockRegistry(repository, Duration.ofSeconds(30));
	}

	private LockRegistryLeaseService service(LockRegistry<?> registry, @Nullable LockProbe probe, Duration duration,
			Duration heartbeat) {
		return service(registry, probe, duration, heartbeat, System::nanoTime);
	}

	private LockRegistryLeaseService service(LockRegistry<?> registry, @Nullable LockProbe probe, Duration duration,
			Duration heartbeat, LongSupplier nanoTime) {
		JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));
		LeaseThreads threads = LeaseThreads.create();
		return service(registry, probe, duration, threads, new LeaseHeartbeat(heartbeat, threads.heartbeat(),
				threads.watch(), threads.notifier(), publisher, System::nanoTime), nanoTime);
	}

	private LockRegistryLeaseService service(LockRegistry<?> registry, @Nullable LockProbe probe, Duration duration,
			LeaseThreads threads, LeaseHeartbeat beats, LongSupplier nanoTime) {
		JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));
		LockRegistryLeaseService service = new LockRegistryLeaseService(registry, probe,
				new LeaseSettings(duration, Duration.ofMillis(100), "registry/1/a", false, 0), LeaseFixture.JOB_KEYS,
				beats, threads, publisher, Clock.systemUTC(), nanoTime);
		this.services.add(service);
		return service;
	}

	/**
	 * Registry whose renewals have no reply before a latch is counted down.
	 *
	 * @param locks the locks
	 * @param called counted down by the first renewal
	 * @param reply the latch
	 */
	private record HangingRegistry(RedisLockRegistry locks, CountDownLatch called,
			CountDownLatch reply) implements RenewableLockRegistry<DistributedLock> {

		HangingRegistry(RedisLockRegistry locks) {
			this(locks, new CountDownLatch(1), new CountDownLatch(1));
		}

		@Override
		public DistributedLock obtain(Object key) {
			return this.locks.obtain(key);
		}

		@Override
		public void renewLock(Object key) {
			throw new UnsupportedOperationException("A time to live is required");
		}

		@Override
		public void renewLock(Object key, Duration ttl) {
			this.called.countDown();
			try {
				this.reply.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			this.locks.renewLock(key, ttl);
		}

	}

	/**
	 * Registry whose replies to a wait take 20 s.
	 */
	private static final class SlowRegistry implements RenewableLockRegistry<DistributedLock> {

		private final AtomicLong expiry = new AtomicLong();

		private final ManualScheduler time;

		private final SlowLock lock = new SlowLock();

		private Runnable renewal = () -> {
		};

		SlowRegistry(ManualScheduler time) {
			this.time = time;
		}

		@Override
		public DistributedLock obtain(Object key) {
			return this.lock;
		}

		@Override
		public void renewLock(Object key) {
			throw new UnsupportedOperationException("A time to live is required");
		}

		@Override
		public void renewLock(Object key, Duration ttl) {
			this.renewal.run();
			this.expiry.set(this.time.nanoTime() + ttl.toNanos());
		}

		private final class SlowLock extends ReentrantLock implements DistributedLock {

			private final AtomicInteger unlocks = new AtomicInteger();

			/**
			 * Number of the first releases that have no reply.
			 */
			private volatile int failures;

			@Override
			public void unlock() {
				super.unlock();
				if (this.unlocks.incrementAndGet() <= this.failures) {
					throw new IllegalArgumentException("no reply");
				}
			}

			@Override
			public void lock(Duration ttl) {
				throw new UnsupportedOperationException("A wait is required");
			}

			@Override
			public boolean tryLock(Duration wait, Duration ttl) {
				SlowRegistry.this.expiry.set(SlowRegistry.this.time.nanoTime() + ttl.toNanos());
				SlowRegistry.this.time.hold(Duration.ofSeconds(20));
				return tryLock();
			}

		}

	}

}
