package io.locket.lease.redis;

import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.LeaseUnavailableException;
import io.locket.event.JobEvent;
import io.locket.event.LeaseConflicted;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.ManualScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AsyncLeaseWait} whose attempts get no thread, as while a store hangs.
 */
class AsyncLeaseWaitTests {

	private static final LeaseAttempt.Refused REFUSED = new LeaseAttempt.Refused(LeaseHolder.foreign(), null);

	private final LeaseFixture fixture = LeaseFixture.create();

	private final LeaseWakeups wakeups = new LeaseWakeups(LeaseFixture.noConnections(), this.fixture.keys.channels());

	private final ManualScheduler time = new ManualScheduler();

	private final Deque<Runnable> retries = new ConcurrentLinkedDeque<>();

	private volatile Executor executor = this.retries::add;

	private final List<JobEvent> events = this.fixture.events;

	private final AtomicInteger attempts = new AtomicInteger();

	private final AsyncLeaseWait waits = new AsyncLeaseWait(this.wakeups, this.time,
			(attempt) -> this.executor.execute(attempt), Runnable::run, this.time::nanoTime);

	private final JobKey key = this.fixture.key("x");

	private final LeaseRequest request = LeaseRequest.of(this.key);

	/**
	 * Replies to the next attempts. Without one an attempt is refused.
	 */
	private final Deque<Supplier<LeaseAttempt>> replies = new ConcurrentLinkedDeque<>();

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

	/**
	 * Threads are short, as they may be in an outage.
	 */
	@Test
	void waitWhoseEndCannotBeScheduledFailsAndLeavesNothingBehind() {
		this.time.refuse(1);
		assertThatFails(await(Duration.ofSeconds(10)), OutOfMemoryError.class);
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void waitWhoseFirstRestCannotBeScheduledFailsAndLeavesNothingBehind() {
		this.replies.addAll(List.of(() -> REFUSED, () -> {
			this.time.refuse(1);
			return REFUSED;
		}));
		assertThatFails(await(Duration.ofSeconds(10)), OutOfMemoryError.class);
		assertThat(this.attempts).hasValue(2);
	}

	@Test
	void waitWhoseLaterRestCannotBeScheduledFailsAndLeavesNothingBehind() {
		CompletableFuture<LeaseAttempt> wait = await(Duration.ofSeconds(10));
		this.time.advance(Duration.ofSeconds(1));
		this.time.refuse(1);
		this.retries.remove().run();
		assertThatFails(wait, OutOfMemoryError.class);
		assertThat(this.attempts).hasValue(3);
	}

	@Test
	void waitWhoseAttemptFailsWithAnErrorFailsAndLeavesNothingBehind() {
		CompletableFuture<LeaseAttempt> wait = await(Duration.ofSeconds(10));
		this.replies.add(() -> {
			throw new StackOverflowError();
		});
		this.time.advance(Duration.ofSeconds(1));
		this.retries.remove().run();
		assertThatFails(wait, StackOverflowError.class);
	}

	@Test
	void waitWhoseAttemptGetsNoThreadAtAllFails() {
		CompletableFuture<LeaseAttempt> wait = await(Duration.ofDays(36500));
		this.executor = (attempt) -> {
			throw new OutOfMemoryError("unable to create native thread");
		};
		this.time.advance(Duration.ofSeconds(1));
		assertThat(wait).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withCauseInstanceOf(OutOfMemoryError.class);
	}

	@Test
	void attemptThatFailsPassesItsWakeUpOn() {
		CompletableFuture<LeaseAttempt> first = await(this.request.waitingForRelease(Duration.ofMinutes(1)));
		CompletableFuture<LeaseAttempt> second = await(this.request.waitingForRelease(Duration.ofMinutes(1)));
		this.replies.add(() -> {
			throw new LeaseUnavailableException("refused", null);
		});
		this.wakeups.wakeOne(this.fixture.keys.lock(this.key.digest()));
		this.retries.remove().run();
		assertThat(first).isCompletedExceptionally();
		assertThat(this.retries).hasSize(1);
		assertThat(second).isNotDone();
	}

	/**
	 * Asserts that a wait has failed, and that it makes no attempt any more, because its
	 * lease would have no holder.
	 */
	private void assertThatFails(CompletableFuture<LeaseAttempt> wait, Class<? extends Throwable> type) {
		assertThat(wait).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(type);
		int before = this.attempts.get();
		this.time.advance(Duration.ofSeconds(1));
		this.retries.forEach(Runnable::run);
		this.time.advance(Duration.ofSeconds(20));
		assertThat(this.attempts).hasValue(before);
		assertThat(this.events).isEmpty();
		try (LeaseWakeups.Waiter next = this.wakeups.join(this.fixture.keys.lock(this.key.digest()))) {
			assertThat(next.isFirst()).isTrue();
		}
	}

	private CompletableFuture<LeaseAttempt> await(Duration wait) {
		return await(this.request.waiting(wait));
	}

	private CompletableFuture<LeaseAttempt> await(LeaseRequest request) {
		JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));
		return this.waits.await(this.fixture.keys.lock(this.key.digest()), request, (others) -> {
			this.attempts.incrementAndGet();
			Supplier<LeaseAttempt> reply = this.replies.poll();
			return (reply != null) ? reply.get() : REFUSED;
		}, new AttemptReports(this.key, LeaseKind.KEY, publisher));
	}

}
