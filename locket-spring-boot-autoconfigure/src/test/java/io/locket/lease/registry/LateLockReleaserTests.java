package io.locket.lease.registry;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;

import io.locket.JobKey;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.redis.LeaseFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.integration.redis.util.RedisLockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LateLockReleaser} on a real Redis, with manual time in this process.
 */
class LateLockReleaserTests {

	private final LeaseFixture fixture = LeaseFixture.create();

	private final RedisLockRegistry registry = new RedisLockRegistry(this.fixture.connectionFactory,
			this.fixture.keys.registryKey());

	private final LockProbe probe = new LockProbe(this.fixture.connectionFactory, this.fixture.keys, this.registry,
			this.fixture::retainConnections);

	private final ManualScheduler time = new ManualScheduler();

	private final AtomicBoolean ended = new AtomicBoolean();

	private final LeaseClosing closing = new LeaseClosing(() -> this.ended.set(true));

	private final Set<String> held = new HashSet<>();

	private final JobKey first = this.fixture.key("first");

	private final JobKey second = this.fixture.key("second");

	@BeforeEach
	void register() {
		this.registry.setExecutor(Runnable::run);
	}

	@AfterEach
	void close() {
		this.registry.destroy();
		this.fixture.close();
	}

	@Test
	void lockIsReleasedAsSoonAsItIsGranted() {
		LateLockReleaser releaser = releaser(this.held::contains);
		releaser.add(this.first);
		this.time.advance(Duration.ofSeconds(1));
		grantLate(this.first);
		this.time.advance(Duration.ofMillis(200));
		assertThat(this.fixture.owner(this.first)).isNull();
		assertThat(this.time.size()).isZero();
	}

	@Test
	void lockOfThisProcessIsKept() {
		LateLockReleaser releaser = releaser(this.held::contains);
		this.held.add(this.first.digest());
		grantLate(this.first);
		releaser.add(this.first);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.owner(this.first)).isNotNull();
		assertThat(this.time.size()).isZero();
	}

	@Test
	void lockThatIsNeverGrantedIsGivenUp() {
		releaser(this.held::contains).add(this.first);
		this.time.advance(Duration.ofSeconds(119));
		assertThat(this.time.size()).isOne();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.time.size()).isZero();
	}

	@Test
	void checkThatFailsWithAnErrorIsRepeatedAndKeepsOtherLocks() {
		Set<String> unlucky = new HashSet<>(Set.of(this.second.digest()));
		LateLockReleaser releaser = releaser((digest) -> {
			if (unlucky.remove(digest)) {
				throw new StackOverflowError();
			}
			return false;
		});
		releaser.add(this.first);
		releaser.add(this.second);
		this.time.advance(Duration.ZERO);
		assertThat(unlucky).isEmpty();
		grantLate(this.first);
		grantLate(this.second);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.owner(this.first)).isNull();
		assertThat(this.fixture.owner(this.second)).isNull();
	}

	@Test
	void endOfTheServiceWaitsForALockThatIsGrantedLate() {
		releaser(this.held::contains).add(this.first);
		this.closing.close();
		this.time.advance(Duration.ZERO);
		assertThat(this.time.size()).isOne();
		grantLate(this.first);
		this.time.advance(Duration.ofMillis(200));
		assertThat(this.fixture.owner(this.first)).isNull();
		await().untilTrue(this.ended);
	}

	@Test
	void endOfTheServiceDoesNotWaitForAKeyThatIsFreeTwice() {
		releaser(this.held::contains).add(this.first);
		this.closing.close();
		this.time.advance(Duration.ZERO);
		assertThat(this.time.size()).isOne();
		this.time.advance(Duration.ofMillis(200));
		assertThat(this.time.size()).isZero();
		await().untilTrue(this.ended);
	}

	@Test
	void endOfTheServiceWaitsForRepliesAtMostAsLongAsALockMayBeGranted() {
		releaser((digest) -> {
			throw new IllegalStateException("no reply");
		}).add(this.first);
		this.closing.close();
		this.time.advance(Duration.ofSeconds(119));
		assertThat(this.time.size()).isOne();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.time.size()).isZero();
		await().untilTrue(this.ended);
	}

	@Test
	void serviceEndsThoughNoThreadCanBeStarted() {
		this.time.refuse(1);
		releaser(this.held::contains).add(this.first);
		this.closing.close();
		await().untilTrue(this.ended);
	}

	@Test
	void lockOfAnotherHolderDoesNotCountAsFree() {
		releaser(this.held::contains).add(this.first);
		this.fixture.redis.opsForValue()
			.set(this.fixture.keys.lock(this.first.digest()), "another", Duration.ofMinutes(1));
		this.closing.close();
		this.time.advance(Duration.ZERO);
		this.time.advance(Duration.ofMillis(200));
		assertThat(this.time.size()).isOne();
		grantLate(this.first);
		this.time.advance(Duration.ofMillis(200));
		assertThat(this.fixture.owner(this.first)).isNull();
		await().untilTrue(this.ended);
	}

	private LateLockReleaser releaser(Predicate<String> isHeld) {
		return new LateLockReleaser(this.registry, this.probe, isHeld, this.time, this.closing, this.time::nanoTime);
	}

	/**
	 * Takes a lock as the registry does, without its local part, whose caller has failed.
	 */
	private void grantLate(JobKey key) {
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(key.digest()), owner(), Duration.ofMinutes(1));
	}

	private String owner() {
		Lock lock = this.registry.obtain("owner");
		lock.lock();
		try {
			return this.fixture.redis.opsForValue().get(this.fixture.keys.lock("owner"));
		}
		finally {
			lock.unlock();
		}
	}

}
