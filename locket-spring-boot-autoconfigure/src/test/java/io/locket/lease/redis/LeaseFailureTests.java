package io.locket.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.LeaseUnavailableException;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.event.LeaseUnavailable;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.redis.LeaseFixture.Settings;
import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.RedisConnectionFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for leases whose Redis hangs, dies or loses its data.
 */
@Tag("endurance")
class LeaseFailureTests {

	private static RedisServer server;

	private final LeaseFixture fixture = LeaseFixture.create(server, RedisServer.newNamespace(),
			Settings.ofMillis(3000, 500, 300));

	private final RedisLeaseService service = this.fixture.service;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@AfterEach
	void close() {
		server.resume();
		this.fixture.close();
	}

	@Test
	void phantomOfATimedOutAcquireIsGoneWithinASecondAfterRedisResumes() {
		JobKey key = this.fixture.key("x");
		LeaseRequest request = LeaseRequest.of(key).lasting(Duration.ofMinutes(10));
		this.fixture.acquire("warm up").close();
		server.freeze();
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> this.service.attempt(request))
			.withMessageContaining("job[\"x\"]")
			.withMessageContaining("spring.data.redis");
		server.resume();
		assertThat(this.fixture.happened(LeaseUnavailable.class::isInstance)).isTrue();
		Awaitility.await().atMost(Duration.ofSeconds(1)).until(() -> this.fixture.owner(key) == null);
		// No pending call brings the key back.
		Awaitility.await()
			.during(Duration.ofMillis(700))
			.atMost(Duration.ofSeconds(2))
			.until(() -> this.fixture.owner(key) == null);
	}

	@Test
	void phantomsOfManyThreadsAreGoneWithinASecond() throws Exception {
		int threads = 150;
		this.fixture.acquire("warm up").close();
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			server.freeze();
			List<Future<?>> attempts = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				int number = i;
				attempts.add(executor.submit(() -> assertThatExceptionOfType(LeaseUnavailableException.class)
					.isThrownBy(() -> this.fixture.acquire(number))));
			}
			for (Future<?> attempt : attempts) {
				attempt.get(20, TimeUnit.SECONDS);
			}
			server.resume();
			Awaitility.await()
				.atMost(Duration.ofSeconds(1))
				.until(() -> this.fixture.redis.keys(this.fixture.keys.lock("*")).isEmpty());
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void holderIsNotifiedBeforeTheLeaseCanHaveExpiredWhenRedisHangs() {
		Lease lease = this.fixture.acquire("x");
		AtomicInteger told = new AtomicInteger();
		lease.onLost(told::incrementAndGet);
		long start = System.nanoTime();
		server.freeze();
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> told.get() == 1);
		Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
		assertThat(elapsed).isLessThan(Duration.ofMillis(3000));
		assertThat(elapsed).isGreaterThan(Duration.ofMillis(1500));
		assertThat(lease.lossCause()).isEqualTo(LeaseLossCause.UNREACHABLE);
		assertThat(lease.isHeld()).isFalse();
		Awaitility.await().until(() -> this.fixture.events(LeaseLost.class).size() == 1);
		server.resume();
		lease.close();
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> this.fixture.owner(lease.key()) == null);
		assertThat(this.fixture.events(LeaseReleased.class)).isEmpty();
	}

	@Test
	void shortStandstillCostsNoLease() {
		Lease lease = this.fixture.acquire("x");
		Awaitility.await().until(() -> this.fixture.happened(HeartbeatCompleted.class::isInstance));
		server.freeze();
		Awaitility.await()
			.until(() -> this.fixture.events(HeartbeatCompleted.class)
				.stream()
				.anyMatch((beat) -> beat.failures() > 0));
		server.resume();
		int beats = this.fixture.events(HeartbeatCompleted.class).size();
		Awaitility.await()
			.until(() -> this.fixture.events(HeartbeatCompleted.class)
				.stream()
				.skip(beats)
				.anyMatch((beat) -> beat.failures() == 0));
		assertThat(lease.isHeld()).isTrue();
		assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(1));
		lease.close();
		assertThat(this.fixture.events(LeaseLost.class)).isEmpty();
	}

	@Test
	void phantomIsTakenBackAlsoIfTheContextClosesMeanwhile() {
		JobKey key = this.fixture.key("x");
		this.fixture.acquire("warm up").close();
		server.freeze();
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.service.claim(key, Duration.ofHours(1)));
		this.service.close();
		server.resume();
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> !this.fixture.connectionFactory.isRunning());
		assertThat(server.execute("EXISTS", this.fixture.keys.claim(key.digest()))).isEqualTo(0L);
	}

	@Test
	void releaseAfterTheDeadlineThatGetsNoReplyIsALoss() {
		AtomicLong skew = new AtomicLong();
		try (LeaseFixture late = LeaseFixture.create(server, RedisServer.newNamespace(),
				Settings.ofMillis(30_000, 10_000, 300), () -> System.nanoTime() + skew.get())) {
			Lease lease = late.acquire("x");
			server.freeze();
			skew.set(Duration.ofSeconds(60).toNanos());
			lease.close();
			server.resume();
			Awaitility.await().until(() -> late.events(LeaseLost.class).size() == 1);
			assertThat(late.events(LeaseReleased.class)).isEmpty();
		}
	}

	@Test
	void releaseThatGetsNoReplyIsRepeatedUntilItArrives() {
		Lease lease = this.fixture.acquire("x");
		server.freeze();
		lease.close();
		server.resume();
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> this.fixture.owner(lease.key()) == null);
		assertThat(this.fixture.events(LeaseReleased.class)).hasSize(1);
	}

	/**
	 * Redis has executed the release. The driver sends it again, and this one finds the
	 * key gone.
	 */
	@Test
	void releaseWhoseConnectionIsClosedBeforeTheReplyIsNoLoss() {
		try (SilentProxy proxy = SilentProxy.start(server); LeaseFixture behind = behind(proxy)) {
			Lease lease = behind.acquire("x");
			proxy.cutNextReply(0);
			lease.close();
			assertThat(proxy.accepted()).isEqualTo(2);
			assertThat(behind.events(LeaseReleased.class)).hasSize(1);
			assertThat(behind.events(LeaseLost.class)).isEmpty();
			Awaitility.await().until(() -> behind.owner(lease.key()) == null);
		}
	}

	/**
	 * The second copy of the command finds no owner to evict.
	 */
	@Test
	void releaseByForceWhoseConnectionIsClosedBeforeTheReplyFails() {
		try (SilentProxy proxy = SilentProxy.start(server); LeaseFixture behind = behind(proxy)) {
			JobKey key = behind.acquire("x").key();
			String owner = behind.redis.opsForValue().get(behind.keys.lock(key.digest()));
			// The server knows the script from now on.
			assertThat(behind.scripts.forceRelease(key.digest(), "another owner")).isNull();
			proxy.cutNextReply(0);
			assertThatExceptionOfType(RedisConnectionFailureException.class)
				.isThrownBy(() -> behind.scripts.forceRelease(key.digest(), owner));
			assertThat(proxy.accepted()).isEqualTo(2);
			assertThat(behind.owner(key)).isNull();
		}
	}

	@Test
	void lossOfAllDataIsNotifiedByTheNextBeatAndNothingIsCreatedAgain() {
		Lease lease = this.fixture.acquire("x");
		server.execute("FLUSHALL");
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> lease.lossCause() == LeaseLossCause.GONE);
		assertThat(this.fixture.owner(lease.key())).isNull();
		lease.close();
	}

	@Test
	void foreignOwnerIsDistinguishedFromAVanishedKey() {
		Lease lease = this.fixture.acquire("x");
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(lease.key().digest()), "foreign");
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> lease.lossCause() == LeaseLossCause.TAKEN);
		lease.close();
		assertThat(this.fixture.owner(lease.key())).isEqualTo("foreign");
		this.fixture.redis.delete(this.fixture.keys.lock(lease.key().digest()));
	}

	@Test
	void forcedReleaseIsNotifiedByTheNextBeat() {
		Lease lease = this.fixture.acquire("x");
		this.service.forceRelease(lease.key().digest());
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> lease.lossCause() == LeaseLossCause.GONE);
		lease.close();
	}

	@Test
	void restartOfRedisWithItsDataLostEndsLeasesAndTheServiceGoesOn() {
		Lease lease = this.fixture.acquire("x");
		server.restart();
		Awaitility.await().atMost(Duration.ofSeconds(8)).until(() -> lease.lossCause() != null);
		lease.close();
		Awaitility.await().atMost(Duration.ofSeconds(5)).ignoreExceptions().untilAsserted(() -> {
			try (Lease next = this.fixture.acquire("x")) {
				assertThat(next.isHeld()).isTrue();
			}
		});
	}

	@Test
	void heldLeasesAreRenewedAndReleasedWhileRedisIsFull() {
		try (RedisServer full = RedisServer.start();
				LeaseFixture there = LeaseFixture.create(full, RedisServer.newNamespace(), new Settings())) {
			Lease lease = there.acquire("x");
			JobKey rest = there.key("rest");
			Lease minimum = there.service.tryAcquire(LeaseRequest.of(rest).holdingAtLeast(Duration.ofHours(1)))
				.orElseThrow();
			full.execute("CONFIG", "SET", "maxmemory", "1");
			assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> there.acquire("y"))
				.withMessageContaining("Redis is full");
			assertThat(lease.renew()).isTrue();
			assertThat(minimum.renew()).isTrue();
			assertThat(lease.renew()).isTrue();
			assertThat(there.service.held(10)).hasSize(2);
			lease.close();
			minimum.close();
			assertThat(there.owner(lease.key())).isNull();
			assertThat(there.owner(rest)).endsWith(":rest");
			assertThat(there.events(LeaseReleased.class)).hasSize(2);
		}
	}

	@Test
	void waiterGoesOnAfterTheSubscriptionWasCut() throws Exception {
		Lease lease = this.fixture.acquire("x");
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<Boolean> waiter = executor
				.submit(() -> this.service.tryAcquire(LeaseRequest.of(lease.key()).waiting(Duration.ofSeconds(20)))
					.map((next) -> {
						next.close();
						return true;
					})
					.orElse(false));
			Awaitility.await().until(() -> server.execute("PUBSUB", "NUMPAT").equals(1L));
			server.execute("CLIENT", "KILL", "TYPE", "pubsub");
			lease.close();
			assertThat(waiter.get(5, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Creates leases whose command timeout is too long for a test to reach.
	 */
	private static LeaseFixture behind(SilentProxy proxy) {
		return LeaseFixture.create("127.0.0.1", proxy.port(), RedisServer.newNamespace(),
				Settings.ofMillis(90_000, 30_000, 20_000));
	}

}
