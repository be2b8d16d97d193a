package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.TestJob;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the notification of a {@link WorkListener} when a queue that has as many
 * running jobs as it may have gets room, and when a job is due earlier.
 */
class WorkListenerTests extends AbstractQueueTests {

	private final Set<String> notified = ConcurrentHashMap.newKeySet();

	private final AtomicInteger probes = new AtomicInteger();

	private JobQueue.Listening listening;

	@BeforeEach
	void listen() {
		this.listening = this.queue.listen((queue) -> this.notified.add(String.valueOf(queue)));
		await().until(() -> {
			probe();
			return this.notified.stream().anyMatch((queue) -> queue.startsWith("probe"));
		});
	}

	@AfterEach
	void stopListening() {
		this.listening.close();
	}

	@Test
	void endWithoutARequestNotifiesOfAFullQueue() {
		ReservedJob job = fill("q");
		this.user.succeed(job);
		awaitNotificationOf("q");
	}

	@Test
	void failureNotifiesOfAFullQueue() {
		ReservedJob job = fill("q");
		this.user.fail(job);
		awaitNotificationOf("q");
	}

	@Test
	void endNotifiesOfAFullQueueThatIsNotRequested() {
		ReservedJob job = fill("q");
		end(job, new QueueLimit("other", 0));
		awaitNotificationOf("q");
	}

	@Test
	void endNotifiesOfAFullQueueWhenItIsHandedAJobOfAnotherOne() {
		ReservedJob job = fill("q");
		this.user.enqueue(TestJob.of("c").in("other"));
		end(job, new QueueLimit("other", 0), new QueueLimit("q", 1));
		awaitNotificationOf("q");
	}

	@Test
	void endNotifiesOfAFullQueueWithAJobThatIsSetAside() {
		this.user.enqueue(TestJob.of("new").named("new"));
		this.queue.reserve(leavingOut("new", new QueueLimit("q", 0)));
		this.user.enqueue(TestJob.of("a"));
		ReservedJob job = this.queue.reserve(leavingOut("new", new QueueLimit("q", 1))).jobs().get(0);
		forgetNotifications();
		this.user.succeed(job);
		awaitNotificationOf("q");
	}

	@Test
	void endOfADeadRunNotifiesOfAFullQueue() {
		fill("q");
		this.store.cancel("a");
		forgetNotifications();
		this.user.die();
		assertThat(this.user.state("a")).isEqualTo(JobState.CANCELLED);
		awaitNotificationOf("q");
	}

	/**
	 * Workers of the queue do not know the earlier due time otherwise.
	 */
	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "RETRY" })
	void replacementNotifiesOfAnEarlierDueTime(JobState state) {
		TestJob job = TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").onDuplicate(DuplicateStrategy.REPLACE);
		this.user.enqueue((state == JobState.SCHEDULED) ? job.after(Duration.ofHours(1)) : job);
		if (state == JobState.RETRY) {
			this.user.end(RunEnd.retry(this.user.take(), Duration.ofHours(1), "it broke"));
		}
		assertThat(this.user.state("a")).isEqualTo(state);
		forgetNotifications();
		assertThat(this.user.enqueue(TestJob.of("b")
			.with(LockStrategy.UNTIL_EXECUTED, "k")
			.onDuplicate(DuplicateStrategy.REPLACE)
			.after(Duration.ofSeconds(10)))).isEqualTo(new EnqueueResult.Replaced("a"));
		awaitNotificationOf("q");
	}

	@Test
	void endDoesNotNotifyOfAQueueThatWasNotFull() {
		ReservedJob job = fill("q");
		this.user.enqueue(TestJob.of("c").in("other"));
		end(job, new QueueLimit("other", 0), new QueueLimit("q", 2));
		assertNoNotificationOf("q");
	}

	@Test
	void endDoesNotNotifyWhenItIsHandedTheNextJobOfTheFullQueue() {
		ReservedJob job = fill("q");
		end(job, new QueueLimit("q", 1));
		assertNoNotificationOf("q");
	}

	@Test
	void endDoesNotNotifyOfAQueueWithoutReadyJobs() {
		ReservedJob job = fill("q");
		this.store.cancel("b");
		this.user.succeed(job);
		assertNoNotificationOf("q");
	}

	@Test
	void endDoesNotNotifyOfAPausedQueue() {
		ReservedJob job = fill("q");
		this.store.pause("q");
		this.user.succeed(job);
		assertNoNotificationOf("q");
	}

	/**
	 * Enqueues two jobs, and takes the first one as the only one that may run.
	 */
	private ReservedJob fill(String queue) {
		this.user.enqueue(TestJob.of("a").in(queue));
		this.user.enqueue(TestJob.of("b").in(queue));
		ReservedJob job = this.queue.reserve(this.user.request("w", 1, List.of(new QueueLimit(queue, 1))))
			.jobs()
			.get(0);
		forgetNotifications();
		return job;
	}

	private ReservationRequest leavingOut(String name, QueueLimit limit) {
		ReservationRequest request = this.user.request("w", 1, List.of(limit));
		return new ReservationRequest(request.id(), request.poller(), request.instance(), request.thread(),
				request.queues(), 1, Set.of(name));
	}

	private void end(ReservedJob job, QueueLimit... queues) {
		this.queue.settle(List.of(RunEnd.succeeded(job)), this.user.request("w", 1, List.of(queues)));
	}

	private void awaitNotificationOf(String queue) {
		await().until(() -> this.notified.contains(queue));
	}

	private void assertNoNotificationOf(String queue) {
		awaitProbe();
		assertThat(this.notified).doesNotContain(queue);
	}

	private void forgetNotifications() {
		awaitProbe();
		this.notified.clear();
	}

	/**
	 * Waits until all earlier notifications have arrived.
	 */
	private void awaitProbe() {
		String last = probe();
		await().until(() -> this.notified.contains(last));
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	private String probe() {
		String probe = "probe" + this.probes.incrementAndGet();
		this.user.enqueue(TestJob.of(probe).in(probe));
		return probe;
	}

}
