package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.KeyBlocker;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.integration.redis.util.RedisLockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for promotion after holders of all kinds, and for promoted jobs that do not take
 * their key, by the clock of Redis.
 */
class PromotionTests {

	private static final JobKey KEY = QueueFixture.key(1);

	private final QueueFixture fixture = QueueFixture.create();

	private final RedisLeaseService leases = this.fixture.leases();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.leases.close();
		this.fixture.close();
	}

	@Test
	void jobFollowsADirectCallAtOnce() throws InterruptedException {
		LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.fixture.queue.listen((queue) -> messages.add(String.valueOf(queue)))) {
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isEqualTo("null");
			Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
			park("default", "a");
			messages.clear();
			lease.close();
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isNotNull();
			assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		}
	}

	@Test
	void jobFollowsAnEvictedDirectCallAtOnce() throws InterruptedException {
		LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.fixture.queue.listen((queue) -> messages.add(String.valueOf(queue)));
				Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow()) {
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isEqualTo("null");
			park("default", "a");
			messages.clear();
			assertThat(this.leases.forceRelease(lease.key().digest())).isPresent();
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isNotNull();
			assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		}
	}

	@Test
	void jobFollowsADirectCallBeforeABacklogOfDueJobs() {
		this.fixture.queue.enqueue(IntStream.range(0, 200)
			.mapToObj((i) -> QueueFixture.job("due" + i, "other", LockStrategy.NONE)
				.copy()
				.start(NewJob.Start.in(Duration.ofMillis(1)))
				.build())
			.toList());
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		park("default", "a");
		lease.close();
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		assertThat(this.fixture.store.counts("other").in(JobState.SCHEDULED)).isPositive();
	}

	@Test
	void jobFollowsTheRestOfADirectCallsHold() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY).holdingAtLeast(Duration.ofSeconds(1))).orElseThrow();
		park("default", "a");
		lease.close();
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		awaitJob("a", Duration.ofSeconds(5));
	}

	@Test
	void lockThatNeverExpiresIsCheckedOnceASecond() {
		this.fixture.redis.opsForValue().set(this.fixture.lock(KEY), "foreign");
		long begin = System.currentTimeMillis();
		park("default", "a");
		assertThat(this.fixture.redis.opsForZSet().score(this.fixture.name("due"), "k:" + KEY.digest()))
			.isGreaterThanOrEqualTo(begin + 1000d);
		this.fixture.redis.delete(this.fixture.lock(KEY));
		awaitJob("a", Duration.ofSeconds(5));
	}

	@Test
	void jobFollowsAPlainLockRegistryWithinASecond() {
		RedisLockRegistry registry = new RedisLockRegistry(this.fixture.connectionFactory,
				this.fixture.leaseKeys.registryKey(), 60_000);
		assertThat(registry.obtain(KEY.digest()).tryLock()).isTrue();
		park("default", "a");
		registry.obtain(KEY.digest()).unlock();
		awaitJob("a", Duration.ofSeconds(3));
		registry.destroy();
	}

	@Test
	void jobFollowsADeadProcess() {
		this.fixture.redis.opsForValue()
			.set(this.fixture.lock(KEY), "dead-token 1 1 {\"job\":\"job\"}", Duration.ofSeconds(1));
		park("default", "a");
		awaitJob("a", Duration.ofSeconds(5));
	}

	/**
	 * The lease of a direct call is marked when a job parks on its key, or when the key
	 * is checked, because its release looks for parked jobs only then.
	 */
	@Test
	void jobFollowsADirectCallThatTookTheKeyBetween() throws InterruptedException {
		this.fixture.redis.opsForValue()
			.set(this.fixture.lock(KEY), "dead-token 1 1 {\"job\":\"job\"}", Duration.ofSeconds(1));
		LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.fixture.queue.listen((queue) -> messages.add(String.valueOf(queue)))) {
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isEqualTo("null");
			park("default", "a");
			Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY).waiting(Duration.ofSeconds(10))).orElseThrow();
			Awaitility.await().untilAsserted(() -> {
				assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
				assertThat(this.fixture.redis.opsForValue().get(this.fixture.lock(KEY))).endsWith("} w");
			});
			messages.clear();
			lease.close();
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isNotNull();
			assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		}
	}

	@Test
	void markOfAParkedJobKeepsTheExpiryOfTheLease() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		this.fixture.redis.expire(this.fixture.lock(KEY), Duration.ofSeconds(20));
		park("default", "a", "b");
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.lock(KEY))).endsWith("} w");
		assertThat(this.fixture.redis.getExpire(this.fixture.lock(KEY), TimeUnit.MILLISECONDS)).isBetween(10_000L,
				20_000L);
		lease.close();
	}

	/**
	 * The lock of a run is marked in the same way, because the script for plain work
	 * leaves the end of a marked run to the one that promotes parked jobs.
	 */
	@Test
	void runIsMarkedWhileJobsAreParkedOnItsKey() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.lock(KEY))).isEqualTo(run.token());
		park("default", "b", "c");
		for (String next : List.of("b", "c")) {
			assertThat(this.fixture.redis.opsForValue().get(this.fixture.lock(KEY))).isEqualTo(run.token() + " w");
			assertThat(this.fixture.redis.getExpire(this.fixture.lock(KEY))).isPositive();
			assertThat(this.fixture.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted())
				.isTrue();
			run = this.fixture.reserve(1, "default").jobs().get(0);
			assertThat(run.record().id()).isEqualTo(next);
		}
	}

	@Test
	void markedRunKeepsItsKey() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		park("default", "b");
		this.fixture.redis.expire(this.fixture.lock(KEY), Duration.ofSeconds(5));
		assertThat(this.fixture.queue.renew(List.of(new RunToken("a", run.token()))))
			.containsExactly(new RunRenewal(true, null, false));
		assertThat(this.fixture.redis.getExpire(this.fixture.lock(KEY))).isGreaterThan(10);
		assertThat(this.leases.find(KEY)).get()
			.extracting((held) -> held.holder().fencingToken())
			.isEqualTo(run.fence());
		assertThat(this.fixture.store.blocker(KEY, true)).get().extracting(KeyBlocker::id).isEqualTo("a");
		assertThat(this.fixture.queue.settle(List.of(RunEnd.returned(run)), null).ends().get(0).counted()).isTrue();
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
	}

	@Test
	void jobFollowsARunThatTookTheKeyOfAPromotedOne() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		park("default", "a", "b");
		lease.close();
		this.fixture.reserve(0);
		this.fixture.queue.enqueue(QueueFixture.job("between", "other", LockStrategy.WHILE_EXECUTING, 1));
		ReservedJob between = this.fixture.reserve(1, "other").jobs().get(0);
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		this.fixture.queue.settle(List.of(RunEnd.succeeded(between)), null);
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
	}

	@Test
	void jobsFollowOneThatIsPromotedInAQueueWithoutWorkers() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		park("unserved", "a", "b");
		park("default", "c", "d");
		lease.close();
		for (String id : List.of("c", "d")) {
			ReservedJob job = this.fixture.reserve(1, "default").jobs().get(0);
			assertThat(job.record().id()).isEqualTo(id);
			this.fixture.queue.settle(List.of(RunEnd.succeeded(job)), null);
		}
		assertThat(this.fixture.store.counts("unserved").in(JobState.READY)).isOne();
		assertThat(this.fixture.reserveIds(1, "unserved")).containsExactly("a");
	}

	@Test
	void jobsFollowOneThatIsPromotedInAPausedQueue() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		park("paused", "a");
		park("default", "b");
		this.fixture.store.pause("paused");
		lease.close();
		assertThat(this.fixture.reserveIds(1, "paused", "default")).containsExactly("b");
		assertThat(this.fixture.store.counts("paused").in(JobState.READY)).isOne();
	}

	@Test
	void jobFollowsOneThatIsCancelledWhenItWasPromoted() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		park("default", "a", "b");
		lease.close();
		this.fixture.reserve(0);
		this.fixture.store.cancel("a");
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
	}

	@Test
	void jobFollowsOneThatItsWorkerDoesNotKnow() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		park("default", "a", "b");
		lease.close();
		ReservedJob unknown = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.defer(unknown, Duration.ofMinutes(1), "There is no such job")), null);
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
	}

	/**
	 * The worker does not know the promoted job "a", and takes one of another queue that
	 * has the same key.
	 */
	@Test
	void jobFollowsARunThatTookTheKeyWhenAnotherJobWasSetAside() {
		Lease lease = this.leases.tryAcquire(LeaseRequest.of(KEY)).orElseThrow();
		park(NewJob.builder("a", "unknown", "default").unique(LockStrategy.WHILE_EXECUTING, KEY, null).build());
		park("default", "b");
		lease.close();
		this.fixture.reserve(0);
		this.fixture.queue.enqueue(QueueFixture.job("between", "other", LockStrategy.WHILE_EXECUTING, 1));
		ReservedJob between = this.fixture.queue.reserve(QueueFixture.leavingOut("unknown", 1, "default", "other"))
			.jobs()
			.get(0);
		assertThat(between.record().id()).isEqualTo("between");
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.lock(KEY))).endsWith(" w");
		this.fixture.queue.settle(List.of(RunEnd.succeeded(between)), null);
		assertThat(this.fixture.queue.reserve(QueueFixture.leavingOut("unknown", 1, "default")).jobs())
			.extracting((job) -> job.record().id())
			.containsExactly("b");
	}

	@Test
	void jobFollowsARunWhoseKeyIsReleasedByForce() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		park("default", "b");
		assertThat(this.leases.find(KEY)).get()
			.extracting((held) -> held.holder().fencingToken())
			.isEqualTo(run.fence());
		assertThat(this.leases.forceRelease(KEY.digest())).isPresent();
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
		assertThat(this.fixture.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isFalse();
		this.fixture.reserve(1, "default");
		assertThat(this.fixture.store.counts("default").in(JobState.PARKED)).isOne();
	}

	private void park(String queue, String... ids) {
		for (String id : ids) {
			park(QueueFixture.job(id, queue, LockStrategy.WHILE_EXECUTING, 1));
		}
	}

	private void park(NewJob job) {
		this.fixture.queue.enqueue(job);
		assertThat(this.fixture.reserve(1, job.queue()).jobs()).isEmpty();
		assertThat(this.fixture.store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.PARKED);
	}

	private void awaitJob(String id, Duration time) {
		Awaitility.await()
			.atMost(time)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.fixture.reserveIds(1, "default"), (ids) -> ids.equals(List.of(id)));
	}

}
