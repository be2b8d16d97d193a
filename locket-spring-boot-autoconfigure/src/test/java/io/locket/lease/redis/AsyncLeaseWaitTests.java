package io.locket.lease.redis;

import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.event.JobEvent;
import io.locket.event.LeaseConflicted;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.ManualScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link AsyncLeaseWait} whose attempts get no thread, as while a store hangs.
 */
class AsyncLeaseWaitTests {

	private static final LeaseAttempt.Refused REFUSED = new LeaseAttempt.Refused(LeaseHolder.foreign(), null);

	private final LeaseFixture fixture = LeaseFixture.create();

	private final LeaseWakeups wakeups = new LeaseWakeups(noConnections(), this.fixture.keys.channels());

	private final ManualScheduler time = new ManualScheduler();

	private final Deque<Runnable> retries = new ConcurrentLinkedDeque<>();

	private final List<JobEvent> events = this.fixture.events;

	private final AtomicInteger attempts = new AtomicInteger();

	private final AsyncLeaseWait waits = new AsyncLeaseWait(this.wakeups, this.time, this.retries::add, Runnable::run,
			this.time::nanoTime);

	private final JobKey key = this.fixture.key("x");

	/**
	 * Returns connections without a subscription, so no message wakes a waiter.
	 */
	private static RedisConnectionFactory noConnections() {
		RedisConnectionFactory connections = mock(RedisConnectionFactory.class);
		given(connections.getConnection()).willThrow(new RedisConnectionFailureException("none"));
		return connections;
	}

	@AfterEach
	void close() {
		this.waits.close();
		this.wakeups.close();
		this.fixture.close();
	}

	@Test
	void waitWhoseLastAttemptGetsNoThreadExpiresHalfASecondAfterItsEnd() throws Exception {
		CompletableFuture<LeaseAttempt> wait = await(Duration.ofSeconds(10));
		assertThat(this.attempts).hasValue(2);
		this.time.advance(Duration.ofMillis(10_499));
		assertThat(this.retries).hasSize(1);
		assertThat(wait).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(wait.get(10, TimeUnit.SECONDS)).isEqualTo(REFUSED);
		assertThat(this.events).singleElement().isInstanceOf(LeaseConflicted.class);
	}

	@Test
	void attemptThatGetsItsThreadAfterTheWaitHasExpiredDoesNotRun() throws Exception {
		CompletableFuture<LeaseAttempt> wait = await(Duration.ofSeconds(10));
		this.time.advance(Duration.ofSeconds(11));
		assertThat(wait.get(10, TimeUnit.SECONDS)).isEqualTo(REFUSED);
		this.retries.remove().run();
		assertThat(this.attempts).hasValue(2);
		assertThat(this.time.size()).isZero();
	}

	@Test
	void attemptThatGetsItsThreadBeforeTheWaitExpiresIsTheLastOne() throws Exception {
		CompletableFuture<LeaseAttempt> wait = await(Duration.ofSeconds(10));
		this.time.advance(Duration.ofMillis(10_400));
		this.retries.remove().run();
		assertThat(wait.get(10, TimeUnit.SECONDS)).isEqualTo(REFUSED);
		assertThat(this.attempts).hasValue(3);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.events).hasSize(1);
	}

	private CompletableFuture<LeaseAttempt> await(Duration wait) {
		JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));
		return this.waits.await(this.fixture.keys.lock(this.key.digest()), LeaseRequest.of(this.key).waiting(wait),
				(others) -> {
					this.attempts.incrementAndGet();
					return REFUSED;
				}, new AttemptReports(this.key, LeaseKind.KEY, publisher));
	}

}
