package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for parked jobs whose key is held in another namespace with the same registry
 * key.
 */
class SharedRegistryKeyTests {

	private static final JobKey KEY = QueueFixture.key(1);

	private final String registryKey = RedisServer.newNamespace();

	private final QueueFixture fixture = QueueFixture.createOn(this.registryKey);

	private final QueueFixture other = QueueFixture.createOn(this.registryKey);

	private final RedisLeaseService otherLeases = this.other.leases();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(this.other.store.verify()).isEmpty();
		this.otherLeases.close();
		this.other.close();
		this.fixture.close();
	}

	@Test
	void jobFollowsADirectCallOfAnotherNamespaceWithinASecond() {
		Lease lease = this.otherLeases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		park("a");
		lease.close();
		awaitJob("a");
	}

	@Test
	void jobFollowsARunOfAnotherNamespaceWithinASecond() {
		this.other.queue.enqueue(QueueFixture.job("first", LockStrategy.WHILE_EXECUTING, 1));
		ReservedJob run = this.other.reserve(1, "default").jobs().get(0);
		park("a");
		assertThat(this.other.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isTrue();
		awaitJob("a");
	}

	@Test
	void jobThatParksAtTheEndOfARunFollowsAnotherNamespaceWithinASecond() {
		this.fixture.queue.enqueue(QueueFixture.job("before", LockStrategy.WHILE_EXECUTING, 2));
		ReservedJob before = this.fixture.reserve(1, "default").jobs().get(0);
		this.other.queue.enqueue(QueueFixture.job("first", LockStrategy.WHILE_EXECUTING, 1));
		ReservedJob run = this.other.reserve(1, "default").jobs().get(0);
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		ReservationRequest next = QueueFixture.request(1, "default");
		this.fixture.queue.settle(List.of(RunEnd.succeeded(before)), next);
		assertThat(this.fixture.store.find("a").orElseThrow().state()).isEqualTo(JobState.PARKED);
		this.other.queue.settle(List.of(RunEnd.succeeded(run)), null);
		awaitJob("a");
	}

	@Test
	void keyOfAnOwnRunIsNotCheckedBeforeItsLeaseEnds() {
		this.fixture.queue.enqueue(QueueFixture.job("first", LockStrategy.WHILE_EXECUTING, 1));
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("first");
		park("a");
		Double checkedAt = this.fixture.redis.opsForZSet().score(this.fixture.name("due"), "k:" + KEY.digest());
		Double endsAt = this.fixture.redis.opsForZSet().score(this.fixture.name("running"), "first default");
		assertThat(checkedAt).isGreaterThan(endsAt - 1000);
	}

	private void park(String id) {
		this.fixture.queue.enqueue(QueueFixture.job(id, LockStrategy.WHILE_EXECUTING, 1));
		assertThat(this.fixture.reserve(1, "default").jobs()).isEmpty();
		assertThat(this.fixture.store.find(id).orElseThrow().state()).isEqualTo(JobState.PARKED);
	}

	private void awaitJob(String id) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(3))
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.fixture.reserveIds(1, "default"), (ids) -> ids.equals(List.of(id)));
	}

}
