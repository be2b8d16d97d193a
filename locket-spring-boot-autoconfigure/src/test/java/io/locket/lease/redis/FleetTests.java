package io.locket.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.locket.JobKey;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.redis.LeaseFixture.Settings;
import io.locket.testing.ChildJvm;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.integration.redis.util.RedisLockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for leases with contention between several processes.
 */
@Tag("scale")
@Tag("alone")
class FleetTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final Settings settings = Settings.ofMillis(3000, 500, 900);

	private final String namespace = RedisServer.newNamespace();

	private final LeaseFixture fixture = LeaseFixture.create(RedisServer.shared(), this.namespace, this.settings);

	private final RedisLeaseService service = this.fixture.service;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void leaseOfAKilledProcessIsTakenAfterItsRemainingTimeAndWithinASecondAfter() {
		try (ChildJvm child = child()) {
			JobKey key = this.fixture.key("x");
			assertThat(ask(child, "acquire x")).startsWith("acquire true");
			// The child renews its lease, so the key outlives one duration.
			Awaitility.await()
				.during(Duration.ofMillis(3500))
				.atMost(Duration.ofSeconds(6))
				.until(() -> !this.service.isAvailable(key));
			child.kill();
			long killedAt = System.nanoTime();
			Duration remaining = this.service.find(key).orElseThrow().remaining();
			Duration lookedFor = Duration.ofNanos(System.nanoTime() - killedAt);
			try (Lease next = this.service.tryAcquire(LeaseRequest.of(key).waiting(Duration.ofSeconds(10)))
				.orElseThrow()) {
				Duration elapsed = Duration.ofNanos(System.nanoTime() - killedAt);
				assertThat(next.isHeld()).isTrue();
				// One millisecond less, because Redis rounds the remaining time.
				assertThat(elapsed).isGreaterThanOrEqualTo(remaining.minusMillis(1));
				assertThat(elapsed).isLessThan(remaining.plus(lookedFor).plusSeconds(1));
			}
		}
	}

	@Test
	void plainRegistryOfAnotherProcessExcludesAndIsExcluded() {
		try (ChildJvm child = child()) {
			Lease mine = this.fixture.acquire("mine");
			assertThat(ask(child, "lock mine")).isEqualTo("lock false");
			assertThat(ask(child, "lock theirs")).isEqualTo("lock true");
			LeaseAttempt attempt = this.service.attempt(LeaseRequest.of(this.fixture.key("theirs")));
			assertThat(attempt).isInstanceOfSatisfying(LeaseAttempt.Refused.class, (refused) -> {
				assertThat(refused.holder().isForeign()).isTrue();
				assertThat(refused.remaining()).isPositive();
			});
			mine.close();
			assertThat(ask(child, "lock mine")).isEqualTo("lock true");
			assertThat(ask(child, "unlock theirs")).isEqualTo("unlock true");
			assertThat(this.service.tryAcquire("job", "theirs")).hasValueSatisfying(Lease::close);
		}
	}

	@Test
	void plainRegistryOfThisProcessExcludesAndIsExcluded() throws Exception {
		RedisLockRegistry registry = new RedisLockRegistry(this.fixture.connectionFactory,
				this.fixture.keys.registryKey(), Duration.ofSeconds(30));
		registry.setExecutor(Runnable::run);
		JobKey key = this.fixture.key("x");
		try (Lease lease = this.fixture.acquire("x")) {
			assertThat(registry.obtain(key.digest()).tryLock(0, TimeUnit.MILLISECONDS)).isFalse();
			assertThat(lease.isHeld()).isTrue();
		}
		assertThat(registry.obtain(key.digest()).tryLock(0, TimeUnit.MILLISECONDS)).isTrue();
		assertThat(this.service.tryAcquire("job", "x")).isEmpty();
		registry.obtain(key.digest()).unlock();
		this.fixture.acquire("x").close();
	}

	@Test
	void processThatStoodStillFindsItsLeaseLostAndLeavesTheNextHolderAlone() {
		try (ChildJvm child = child()) {
			String reply = ask(child, "acquire x");
			assertThat(reply).startsWith("acquire true");
			child.stop();
			try (Lease next = this.service
				.tryAcquire(LeaseRequest.of(this.fixture.key("x")).waiting(Duration.ofSeconds(10)))
				.orElseThrow()) {
				assertThat(next.fencingToken()).isGreaterThan(Long.parseLong(reply.split(" ")[2]));
				child.cont();
				assertThat(ask(child, "state x")).startsWith("state false");
				assertThat(ask(child, "release x")).isIn("release UNREACHABLE", "release TAKEN");
				assertThat(next.renew()).isTrue();
			}
		}
	}

	@Test
	void noUpdateIsLostAmongManyThreadsOfTwoProcesses() throws Exception {
		String number = "{" + this.namespace + "}:number";
		this.fixture.redis.opsForValue().set(number, "0");
		try (ChildJvm child = child()) {
			child.send("add x 8 50");
			List<Thread> adders = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				adders.add(new Thread(() -> FleetProcess.addRounds(this.fixture, "x", 50)));
			}
			adders.forEach(Thread::start);
			for (Thread adder : adders) {
				adder.join(TimeUnit.MINUTES.toMillis(2));
			}
			child.awaitLine("add done", Duration.ofMinutes(2));
			assertThat(this.fixture.redis.opsForValue().get(number)).isEqualTo("800");
		}
	}

	private ChildJvm child() {
		ChildJvm child = ChildJvm.start(FleetProcess.class,
				FleetProcess.arguments(RedisServer.shared(), this.namespace, this.settings));
		child.awaitLine("ready", TIMEOUT);
		assertThat(ProcessHandle.of(child.pid()).orElseThrow().children()).as("processes that would outlive it")
			.isEmpty();
		return child;
	}

	private String ask(ChildJvm child, String question) {
		child.send(question);
		return child.awaitLine(question.substring(0, question.indexOf(' ')), TIMEOUT);
	}

}
