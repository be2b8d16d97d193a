package io.locket.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.LeaseRefusedException;
import io.locket.LeaseUnavailableException;
import io.locket.event.LeaseUnavailable;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.redis.LeaseFixture.Settings;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for releases and waits while Redis hangs.
 */
class HangingReleaseTests {

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private static RedisServer server;

	private final LeaseFixture fixture = LeaseFixture.create(server, RedisServer.newNamespace(),
			new Settings(Duration.ofSeconds(35), Duration.ofSeconds(10), TIMEOUT));

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
	void releasesOfManyLeasesDoNotQueueBehindEachOthersTimeouts() {
		List<Lease> leases = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			leases.add(this.fixture.acquire(i));
		}
		server.freeze();
		long before = System.nanoTime();
		leases.forEach(Lease::close);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(TIMEOUT.multipliedBy(4));
		server.resume();
		await().atMost(Duration.ofSeconds(5)).until(() -> this.service.held(100).isEmpty());
		Lease after = this.fixture.acquire("after");
		after.close();
		assertThat(this.service.find(after.key())).isEmpty();
	}

	@Test
	void waitsThatFindNoReplyFailTogether() {
		List<Lease> held = new ArrayList<>();
		List<CompletableFuture<LeaseAttempt>> waits = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			held.add(this.fixture.acquire(i));
			waits.add(this.service.attemptAsync(LeaseRequest.of(this.fixture.key(i)).waiting(Duration.ofSeconds(30))));
		}
		server.freeze();
		await().atMost(Duration.ofSeconds(5)).until(() -> waits.stream().allMatch(CompletableFuture::isDone));
		waits.forEach((wait) -> assertThatExceptionOfType(Exception.class).isThrownBy(wait::join)
			.withCauseInstanceOf(LeaseUnavailableException.class));
		assertThat(this.fixture.events(LeaseUnavailable.class)).hasSize(200);
		server.resume();
		held.forEach(Lease::close);
		await().atMost(Duration.ofSeconds(5)).until(() -> this.service.held(300).isEmpty());
	}

	@Test
	void serviceThatClosesEndsWaits() {
		Lease held = this.fixture.acquire("x");
		CompletableFuture<LeaseAttempt> wait = this.service
			.attemptAsync(LeaseRequest.of(held.key()).waiting(Duration.ofSeconds(30)));
		this.service.close();
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> wait.get(5, TimeUnit.SECONDS))
			.withCauseInstanceOf(LeaseRefusedException.class);
		held.close();
	}

	@Test
	void thousandWaitersTakeNoThreadAndAreAllWoken() throws Exception {
		List<Lease> held = new ArrayList<>();
		List<CompletableFuture<LeaseAttempt>> waits = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			held.add(this.fixture.acquire(i));
		}
		int threads = Thread.activeCount();
		CountDownLatch granted = new CountDownLatch(1000);
		AtomicInteger most = new AtomicInteger();
		for (int i = 0; i < 1000; i++) {
			CompletableFuture<LeaseAttempt> wait = this.service
				.attemptAsync(LeaseRequest.of(this.fixture.key(i % 500)).waiting(Duration.ofSeconds(60)));
			wait.thenAcceptAsync((attempt) -> {
				((LeaseAttempt.Acquired) attempt).lease().close();
				granted.countDown();
			});
			waits.add(wait);
			most.accumulateAndGet(Thread.activeCount(), Math::max);
		}
		assertThat(most.get() - threads).isLessThan(40);
		long before = System.nanoTime();
		this.fixture.acquire("free").close();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
		assertThat(waits).noneMatch(CompletableFuture::isDone);
		held.forEach(Lease::close);
		assertThat(granted.await(20, TimeUnit.SECONDS)).isTrue();
	}

}
