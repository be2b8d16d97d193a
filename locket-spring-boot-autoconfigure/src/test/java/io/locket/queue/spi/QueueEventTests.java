package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobDuplicated;
import io.locket.event.JobEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobEvent;
import io.locket.event.JobMoved;
import io.locket.event.JobParked;
import io.locket.event.JobPromoted;
import io.locket.event.JobReclaimed;
import io.locket.event.JobReplaced;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.event.JobStarted;
import io.locket.event.QueueEvent;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the events that queues publish.
 */
class QueueEventTests extends AbstractQueueTests {

	private static final String WORKER = "host/1/w";

	@Test
	void eachStepInTheLifeOfAJobIsPublished() {
		this.user.enqueue(TestJob.of("a").after(Duration.ofSeconds(3)).retries(1));
		this.user.advance(Duration.ofSeconds(5));
		ReservedJob first = this.user.take();
		this.user.advance(Duration.ofSeconds(3));
		this.user.fail(first);
		this.user.advance(Duration.ofSeconds(1));
		ReservedJob again = this.user.take();
		this.user.advance(Duration.ofSeconds(4));
		this.user.end(RunEnd.returned(again));
		ReservedJob last = this.user.take();
		this.user.advance(Duration.ofSeconds(2));
		this.user.succeed(last);
		assertThat(eventsOf("a")).containsExactly(new JobEnqueued("a", "job", "q", Duration.ofSeconds(3)),
				new JobStarted("a", "job", "q", WORKER, 1, Duration.ofSeconds(2), false),
				new JobRetried("a", "job", "q", 1, Duration.ofSeconds(1), "it broke", Duration.ofSeconds(3)),
				new JobStarted("a", "job", "q", WORKER, 2, Duration.ZERO, false),
				new JobReturned("a", "job", "q", Duration.ofSeconds(4)),
				new JobStarted("a", "job", "q", WORKER, 2, Duration.ofSeconds(4), false),
				new JobEnded("a", "job", "q", JobState.SUCCEEDED, Duration.ofSeconds(2), null));
	}

	@Test
	void durationsAreNotNegativeWhenTheClockWasSetBack() {
		this.user.enqueue(TestJob.of("a"));
		this.user.advance(Duration.ofHours(-1));
		ReservedJob job = this.user.take();
		this.user.advance(Duration.ofHours(-1));
		this.user.succeed(job);
		assertThat(eventsOf("a")).containsExactly(new JobEnqueued("a", "job", "q", Duration.ZERO),
				new JobStarted("a", "job", "q", WORKER, 1, Duration.ZERO, false),
				new JobEnded("a", "job", "q", JobState.SUCCEEDED, Duration.ZERO, null));
	}

	@Test
	void deadJobIsPublishedWithItsFailure() {
		this.user.enqueue(TestJob.of("a").retries(0));
		this.user.fail(this.user.take());
		assertThat(eventsOf("a")).last()
			.isEqualTo(new JobEnded("a", "job", "q", JobState.DEAD, Duration.ZERO, "it broke"));
	}

	@Test
	void duplicateAndReplacementTellOfBothJobs() {
		TestJob first = TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k");
		this.user.enqueue(first);
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user
			.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXECUTED, "k").onDuplicate(DuplicateStrategy.REPLACE));
		assertThat(eventsOf("b")).containsExactly(new JobDuplicated("b", "job", "q", "a", DuplicateStrategy.REJECT));
		assertThat(eventsOf("a")).containsExactly(new JobEnqueued("a", "job", "q", Duration.ZERO),
				new JobReplaced("a", "job", "q", "c"));
		assertThat(eventsOf("c")).isEmpty();
	}

	@Test
	void updateOfAJobIsPublishedOnce() {
		this.user.enqueue(TestJob.of("a"));
		UpdateAction move = new UpdateAction(UpdateAction.Kind.MOVE, "other", "step");
		this.store.update(move, List.of(ExpectedJob.of("a")));
		this.store.update(move, List.of(ExpectedJob.of("a")));
		this.store.cancel("a");
		this.store.cancel("a");
		assertThat(eventsOf("a")).containsExactly(new JobEnqueued("a", "job", "q", Duration.ZERO),
				new JobMoved("a", "job", "other", "q"),
				new JobEnded("a", "job", "other", JobState.CANCELLED, null, null));
	}

	/**
	 * The move finds that the key is free, because the run that held it has expired.
	 */
	@Test
	void moveOfAParkedJobIsPublishedBeforeItsPromotion() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.WHILE_EXECUTING, "k"));
		assertThat(this.user.reserve(2, "q").jobs()).hasSize(1);
		this.user.advance(TestJob.LEASE.plusSeconds(1));
		this.user.move("b", "other");
		this.user.serve();
		assertThat(eventsOf("b")).containsExactly(new JobEnqueued("b", "job", "q", Duration.ZERO),
				new JobParked("b", "job", "q"), new JobMoved("b", "job", "other", "q"),
				new JobPromoted("b", "job", "other"));
	}

	@Test
	void requeuedDeadLetterPublishesTheNewJobOrTheOneThatHasItsKey() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.kill();
		this.user.enqueue(TestJob.of("there").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.requeue("a", "b");
		assertThat(eventsOf("b"))
			.containsExactly(new JobDuplicated("b", "job", "q", "there", DuplicateStrategy.REJECT));
		this.store.cancel("there");
		this.user.requeue("a", "c");
		this.user.requeue("a", "c");
		assertThat(eventsOf("c")).containsExactly(new JobEnqueued("c", "job", "q", Duration.ZERO));
	}

	@Test
	void repeatedEnqueuePublishesNothingAgain() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("a"));
		assertThat(eventsOf("a")).hasSize(1);
	}

	@Test
	void duplicateOfADirectCallNamesNoJob() {
		this.harness.claim(TestJob.key("k"), Duration.ofMinutes(1));
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXPIRED, "k"));
		assertThat(eventsOf("a")).containsExactly(new JobDuplicated("a", "job", "q", null, DuplicateStrategy.REJECT));
	}

	@Test
	void jobsOfATakenKeyTellWhatTheirStrategiesDo() {
		this.user.enqueue(TestJob.of("holder").with(LockStrategy.WHILE_EXECUTING, "k"));
		ReservedJob holder = this.user.take();
		this.user.enqueue(TestJob.of("parks").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user
			.enqueue(TestJob.of("ends").with(LockStrategy.WHILE_EXECUTING, "k").onConflict(ConflictStrategy.REJECT));
		this.user.enqueue(
				TestJob.of("waits").with(LockStrategy.WHILE_EXECUTING, "k").onConflict(ConflictStrategy.RESCHEDULE));
		this.user.reserve(1, "q");
		assertThat(eventsOf("parks")).last().isEqualTo(new JobParked("parks", "job", "q"));
		assertThat(eventsOf("ends")).last().isEqualTo(new JobEnded("ends", "job", "q", JobState.DISCARDED, null, null));
		assertThat(eventsOf("waits")).last().isInstanceOfSatisfying(JobRetried.class, (event) -> {
			assertThat(event.error()).isNull();
			assertThat(event.ran()).isNull();
			assertThat(event.attempt()).isZero();
			assertThat(event.delay()).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5500));
		});
		this.user.succeed(holder);
		assertThat(eventsOf("parks")).last().isEqualTo(new JobPromoted("parks", "job", "q"));
	}

	@Test
	void jobThatIsHandedOutToFailIsPublishedAsConflict() {
		this.user.enqueue(TestJob.of("holder").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.take();
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k").onConflict(ConflictStrategy.RAISE));
		this.user.take();
		assertThat(eventsOf("holder")).last()
			.isEqualTo(new JobStarted("holder", "job", "q", WORKER, 1, Duration.ZERO, false));
		assertThat(eventsOf("a")).last().isEqualTo(new JobStarted("a", "job", "q", WORKER, 1, Duration.ZERO, true));
	}

	@Test
	void deferredJobIsPublishedWithTheTimeOfItsRun() {
		this.user.enqueue(TestJob.of("a"));
		ReservedJob job = this.user.take();
		this.user.advance(Duration.ofSeconds(2));
		this.user.end(RunEnd.defer(job, Duration.ofSeconds(9), "nobody knows it"));
		assertThat(eventsOf("a")).last()
			.isEqualTo(new JobRetried("a", "job", "q", 0, Duration.ofSeconds(9), null, Duration.ofSeconds(2)));
	}

	@Test
	void duplicateIsPublishedWithTheStrategyOfItsJob() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.take();
		for (DuplicateStrategy strategy : List.of(DuplicateStrategy.RAISE, DuplicateStrategy.REPLACE)) {
			String id = strategy.name();
			this.user.enqueue(TestJob.of(id).with(LockStrategy.UNTIL_EXECUTED, "k").onDuplicate(strategy));
			assertThat(eventsOf(id)).containsExactly(new JobDuplicated(id, "job", "q", "a", strategy));
		}
	}

	@Test
	void jobOfADeadWorkerIsPublishedAsReclaimed() {
		this.user.enqueue(TestJob.of("a"));
		this.user.take();
		this.user.die();
		assertThat(eventsOf("a")).last().isEqualTo(new JobReclaimed("a", "job", "q", 1, TestJob.LEASE));
	}

	@Test
	void outcomeThatDoesNotCountIsPublishedAsReturn() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		ReservedJob job = this.user.take();
		this.harness.releaseForeign(TestJob.key("k"));
		this.user.advance(Duration.ofSeconds(2));
		this.user.succeed(job);
		assertThat(eventsOf("a")).last().isEqualTo(new JobReturned("a", "job", "q", Duration.ofSeconds(2)));
	}

	@Test
	void cancelledAndRemovedJobsTellThatTheyEnded() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		this.store.cancel("a");
		this.store.remove("q");
		assertThat(eventsOf("a")).last().isEqualTo(new JobEnded("a", "job", "q", JobState.CANCELLED, null, null));
		assertThat(eventsOf("b")).last().isEqualTo(new JobEnded("b", "job", "q", JobState.REMOVED, null, null));
	}

	private List<JobEvent> eventsOf(String id) {
		return this.harness.events()
			.stream()
			.filter((event) -> event instanceof QueueEvent told && told.id().equals(id))
			.toList();
	}

}
