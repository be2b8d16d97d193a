package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueCounts;
import io.locket.queue.TestJob;
import io.locket.queue.UpdateResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for cancelling, pausing, removing, counting and listening.
 */
class AdministrationTests extends AbstractQueueTests {

	@Test
	void jobThatWaitsEndsWhenItIsCancelled() {
		this.user.enqueue(TestJob.of("ready").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.enqueue(TestJob.of("scheduled").after(Duration.ofSeconds(1)));
		for (String id : List.of("ready", "scheduled")) {
			assertThat(this.store.cancel(id)).isEqualTo(CancelResult.CANCELLED);
			assertThat(this.user.state(id)).isEqualTo(JobState.CANCELLED);
			assertThat(this.user.find(id).endedAt()).isEqualTo(this.harness.now());
		}
		this.user.advance(Duration.ofSeconds(1));
		assertThat(this.user.reserve(3, "q").jobs()).isEmpty();
		assertThat(this.user.enqueue(TestJob.of("next").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Accepted("next"));
	}

	@Test
	void parkedJobEndsWhenItIsCancelled() {
		this.harness.takeForeign(TestJob.key("k"), Duration.ofSeconds(10));
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(1, "q");
		assertThat(this.store.cancel("a")).isEqualTo(CancelResult.CANCELLED);
		this.user.advance(Duration.ofSeconds(10));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
	}

	@Test
	void jobThatWaitsForARetryEndsWhenItIsCancelled() {
		this.user.enqueue(TestJob.of("a"));
		this.user.fail(this.user.take());
		assertThat(this.store.cancel("a")).isEqualTo(CancelResult.CANCELLED);
		this.user.advance(Duration.ofSeconds(1));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
	}

	@Test
	void runningJobIsNotifiedOfItsCancellation() {
		ReservedJob job = start("a");
		assertThat(this.store.cancel("a")).isEqualTo(CancelResult.FLAGGED);
		assertThat(this.store.cancel("a")).isEqualTo(CancelResult.FLAGGED);
		assertThat(this.user.find("a").cancelled()).isTrue();
		assertThat(this.user.renew(job)).isEqualTo(new RunRenewal(true, null, true));
	}

	@ParameterizedTest
	@EnumSource
	void cancelledJobNeverReturnsToWaiting(RunEnd.Kind kind) {
		ReservedJob job = start("a");
		this.store.cancel("a");
		JobState end = (kind == RunEnd.Kind.SUCCEEDED) ? JobState.SUCCEEDED : JobState.CANCELLED;
		assertThat(this.user.end(new RunEnd("a", job.token(), kind, Duration.ZERO, "it broke")))
			.isEqualTo(new EndResult("a", true, end));
	}

	@Test
	void cancelledJobThatLostItsKeyLeaseEnds() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		ReservedJob job = this.user.take();
		this.store.cancel("a");
		this.harness.releaseForeign(TestJob.key("k"));
		assertThat(this.user.succeed(job)).isEqualTo(new EndResult("a", false, JobState.CANCELLED));
	}

	@Test
	void cancellationComesTooLateWhenTheJobHasEnded() {
		this.user.succeed(start("a"));
		assertThat(this.store.cancel("a")).isEqualTo(CancelResult.ENDED);
		assertThat(this.user.state("a")).isEqualTo(JobState.SUCCEEDED);
		assertThat(this.store.cancel("nobody")).isEqualTo(CancelResult.UNKNOWN);
	}

	@Test
	void pauseIsSeenInTheCounters() {
		this.store.pause("q");
		assertThat(this.store.counts("q").paused()).isTrue();
		assertThat(this.store.queues()).containsExactly("q");
		this.store.resume("q");
		assertThat(this.store.counts("q").paused()).isFalse();
	}

	@Test
	void resumedQueueThatIsUnknownStaysUnknown() {
		this.store.resume("q");
		assertThat(this.store.queues()).isEmpty();
	}

	@Test
	void removalEndsWhatWaits() {
		this.harness.takeForeign(TestJob.key("k"), Duration.ofMinutes(5));
		this.user.enqueue(TestJob.of("parked").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.reserve(1, "q");
		this.user.fail(start("retry"));
		this.user.enqueue(TestJob.of("scheduled").after(Duration.ofSeconds(1)));
		this.user.enqueue(TestJob.of("ready"));
		this.user.enqueue(TestJob.of("other").in("other"));
		assertThat(this.store.remove("q")).isEqualTo(4);
		for (String id : List.of("parked", "retry", "scheduled", "ready")) {
			assertThat(this.user.state(id)).isEqualTo(JobState.REMOVED);
		}
		assertThat(this.user.state("other")).isEqualTo(JobState.READY);
		assertThat(this.store.counts("q").in(JobState.REMOVED)).isEqualTo(4);
		assertThat(this.user.enqueue(TestJob.of("next").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Accepted("next"));
		this.user.advance(Duration.ofMinutes(5));
		assertThat(ids(this.user.reserve(9, "q").jobs())).containsExactly("next");
	}

	@Test
	void removalTakesAsManyStepsAsItNeeds() {
		this.queue.enqueue(IntStream.range(0, 250).mapToObj((i) -> TestJob.of("j" + i).build()).toList());
		assertThat(this.store.remove("q")).isEqualTo(250);
		assertThat(this.store.remove("q")).isZero();
		QueueCounts counts = this.store.counts("q");
		assertThat(counts.accepted()).isEqualTo(250);
		assertThat(counts.in(JobState.REMOVED)).isEqualTo(250);
		assertThat(counts.in(JobState.READY)).isZero();
	}

	@Test
	void queueThatIsRemovedBeforeAnythingCameStaysUnknown() {
		assertThat(this.store.remove("q")).isZero();
		assertThat(this.store.queues()).isEmpty();
		assertThat(this.store.overview().queues()).isEmpty();
		this.user.enqueue(TestJob.of("a"));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@ParameterizedTest
	@EnumSource
	void jobThatRunsEndsAsRemoved(RunEnd.Kind kind) {
		ReservedJob job = start("a");
		assertThat(this.store.remove("q")).isZero();
		assertThat(this.user.renew(job)).isEqualTo(new RunRenewal(true, null, true));
		assertThat(this.user.end(new RunEnd("a", job.token(), kind, Duration.ZERO, "it broke")))
			.isEqualTo(new EndResult("a", true, JobState.REMOVED));
	}

	@Test
	void jobEnqueuedAfterTheRemovalStays() {
		start("a");
		this.store.remove("q");
		this.user.enqueue(TestJob.of("b"));
		this.user.succeed(this.user.take());
		assertThat(this.user.state("b")).isEqualTo(JobState.SUCCEEDED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void runsFromBeforeAndAfterTheRemovalEndTogether(boolean reversed) {
		RunEnd before = RunEnd.succeeded(start("before"));
		this.store.remove("q");
		this.user.advance(Duration.ofMillis(1));
		RunEnd after = RunEnd.succeeded(start("after"));
		assertThat(this.queue.settle(reversed ? List.of(after, before) : List.of(before, after), null).ends())
			.containsExactlyInAnyOrder(new EndResult("before", true, JobState.REMOVED),
					new EndResult("after", true, JobState.SUCCEEDED));
		assertThat(this.user.state("before")).isEqualTo(JobState.REMOVED);
		assertThat(this.user.state("after")).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void removalEndsWhatCameAtTheInstantOfTheLastOne() {
		this.user.enqueue(TestJob.of("a"));
		this.store.remove("q");
		this.user.enqueue(TestJob.of("b"));
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
		assertThat(this.store.remove("q")).isOne();
		this.user.enqueue(TestJob.of("c"));
		assertThat(this.user.take().record().id()).isEqualTo("c");
	}

	@Test
	void countersAreBalancedInEveryState() {
		this.user.enqueue(TestJob.of("scheduled").after(Duration.ofSeconds(60)));
		this.user.succeed(start("succeeded"));
		this.user.fail(start("retry"));
		this.user.end(RunEnd.dead(start("dead"), "it broke"));
		start("running");
		this.user.enqueue(TestJob.of("ready"));
		QueueCounts counts = this.store.counts("q");
		assertThat(counts.accepted()).isEqualTo(6);
		assertThat(List.of(JobState.SCHEDULED, JobState.SUCCEEDED, JobState.RETRY, JobState.DEAD, JobState.RUNNING,
				JobState.READY))
			.allMatch((state) -> counts.in(state) == 1);
	}

	@Test
	void countersOfRemovedQueuesAreForgottenAnHourLater() {
		for (int i = 0; i < 50; i++) {
			this.user.enqueue(TestJob.of("done" + i).in("tenant" + i));
			this.user.succeed(this.user.take("tenant" + i));
			this.store.remove("tenant" + i);
		}
		this.user.advance(Duration.ofMinutes(59));
		this.user.serve();
		assertThat(this.store.queues()).hasSize(50);
		assertThat(this.store.counts("tenant7").in(JobState.SUCCEEDED)).isOne();
		this.user.advance(Duration.ofMinutes(1));
		this.user.serve();
		assertThat(this.store.queues()).isEmpty();
		assertThat(this.store.counts("tenant7").accepted()).isZero();
		assertThat(this.store.counts("tenant7").in(JobState.SUCCEEDED)).isZero();
		assertThat(this.store.verify()).isEmpty();
		this.user.enqueue(TestJob.of("again").in("tenant7"));
		assertThat(this.store.queues()).containsExactly("tenant7");
		assertThat(this.store.counts("tenant7").accepted()).isOne();
		assertThat(this.user.take("tenant7").record().id()).isEqualTo("again");
	}

	@Test
	void countersOfARemovedQueueAreKeptWhileSomethingRefersToThem() {
		Duration hour = Duration.ofHours(1);
		for (String queue : List.of("letter", "paused", "running", "used")) {
			this.user.enqueue(TestJob.of(queue).in(queue).leaseFor(hour.multipliedBy(3)));
			ReservedJob job = this.user.take(queue);
			if (!queue.equals("running")) {
				this.user.end(queue.equals("letter") ? RunEnd.dead(job, "it broke") : RunEnd.succeeded(job));
			}
		}
		this.store.pause("paused");
		Set.copyOf(this.store.queues()).forEach(this.store::remove);
		this.user.enqueue(TestJob.of("new").in("used"));
		this.user.succeed(this.user.take("used"));
		this.user.advance(hour);
		this.user.serve();
		assertThat(this.store.queues()).containsExactly("letter", "paused", "running", "used");
		this.user.update(UpdateAction.Kind.DISMISS, "letter");
		this.store.resume("paused");
		this.user.advance(hour.multipliedBy(2));
		this.user.serve();
		assertThat(this.user.state("running")).isEqualTo(JobState.REMOVED);
		assertThat(this.store.queues()).containsExactly("used");
		assertThat(this.store.counts("used").accepted()).isEqualTo(2);
	}

	/**
	 * Each job is the first one of its queue, because only such a job notifies listeners.
	 */
	@Test
	void listenerIsNotifiedOfWork() throws InterruptedException {
		BlockingQueue<String> notified = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.queue.listen((queue) -> {
			if (queue != null) {
				notified.add(queue);
			}
		})) {
			assertThat(listening).isNotNull();
			String queue = null;
			for (int i = 0; i < 100 && queue == null; i++) {
				this.user.enqueue(TestJob.of("j" + i).in("mail" + i));
				queue = notified.poll(100, TimeUnit.MILLISECONDS);
			}
			assertThat(queue).startsWith("mail");
		}
	}

	/**
	 * Workers of the target queue do not know the due time otherwise.
	 */
	@Test
	void listenerIsNotifiedOfADelayedJobThatIsMoved() throws InterruptedException {
		BlockingQueue<String> notified = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.queue.listen((queue) -> {
			if (queue != null && queue.startsWith("slow")) {
				notified.add(queue);
			}
		})) {
			assertThat(listening).isNotNull();
			String queue = null;
			for (int i = 0; i < 100 && queue == null; i++) {
				this.user.enqueue(TestJob.of("j" + i).in("mail").after(Duration.ofSeconds(10)));
				UpdateAction move = new UpdateAction(UpdateAction.Kind.MOVE, "slow" + i, "move" + i);
				assertThat(this.store.update(move, List.of(ExpectedJob.of("j" + i))))
					.containsExactly(UpdateResult.DONE);
				queue = notified.poll(100, TimeUnit.MILLISECONDS);
			}
			assertThat(queue).startsWith("slow");
		}
	}

	@Test
	void listenerIsNotNotifiedOfAPausedQueueBeforeItIsResumed() throws InterruptedException {
		BlockingQueue<String> notified = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.queue.listen((queue) -> {
			if (queue != null) {
				notified.add(queue);
			}
		})) {
			assertThat(listening).isNotNull();
			for (int i = 0; i < 100 && notified.isEmpty(); i++) {
				this.user.enqueue(TestJob.of("first" + i).in("first" + i));
				String queue = notified.poll(100, TimeUnit.MILLISECONDS);
				if (queue != null) {
					assertThat(queue).startsWith("first");
					break;
				}
			}
			notified.clear();
			this.store.pause("q");
			this.user.enqueue(TestJob.of("ready"));
			this.user.enqueue(TestJob.of("scheduled").after(Duration.ofSeconds(10)));
			this.user.update(UpdateAction.Kind.RUN_NOW, "scheduled");
			this.user.enqueue(TestJob.of("other").in("other"));
			assertThat(notified.poll(10, TimeUnit.SECONDS)).isEqualTo("other");
			this.store.resume("q");
			assertThat(notified.poll(10, TimeUnit.SECONDS)).isEqualTo("q");
		}
	}

	private ReservedJob start(String id) {
		this.user.enqueue(TestJob.of(id));
		return this.user.take();
	}

}
