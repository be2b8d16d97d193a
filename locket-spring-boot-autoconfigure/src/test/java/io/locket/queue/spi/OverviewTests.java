package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.TestJob;
import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the overview of queues and workers.
 */
class OverviewTests extends AbstractQueueTests {

	@Test
	void overviewHasEachQueueByName() {
		assertThat(this.store.overview()).isEqualTo(new StoreOverview(this.harness.now(), List.of()));
		this.user.enqueue(TestJob.of("a").in("mail"));
		this.user.enqueue(TestJob.of("b").in("invoices").after(Duration.ofSeconds(9)));
		this.store.pause("paused");
		StoreOverview overview = this.store.overview();
		assertThat(overview.time()).isEqualTo(this.harness.now());
		assertThat(overview.queues().stream().map(QueueOverview::counts).toList())
			.containsExactly(this.store.counts("invoices"), this.store.counts("mail"), this.store.counts("paused"));
		assertThat(overview.queues().get(0).counts().in(JobState.SCHEDULED)).isOne();
		assertThat(overview.queues().get(2).counts().paused()).isTrue();
	}

	@Test
	void overviewHasTheFirstThousandQueues() {
		this.queue.enqueue(
				IntStream.rangeClosed(1000, 2000).mapToObj((i) -> TestJob.of("j" + i).in("q" + i).build()).toList());
		assertThat(this.store.overview().queues().stream().map((queue) -> queue.counts().queue()).toList())
			.containsExactlyElementsOf(IntStream.range(1000, 2000).mapToObj((i) -> "q" + i).toList());
	}

	@Test
	void removedQueueIsListedAgainOnceItHoldsSomething() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b").in("other"));
		this.user.succeed(this.user.take());
		assertThat(told()).containsExactly("other", "q");
		this.store.remove("q");
		this.store.remove("q");
		assertThat(told()).containsExactly("other");
		assertThat(this.store.counts("q").in(JobState.SUCCEEDED)).isOne();
		this.store.remove("unknown");
		this.store.resume("q");
		assertThat(told()).containsExactly("other");
		assertThat(this.store.verify()).isEmpty();
		this.user.move("b", "q");
		assertThat(told()).containsExactly("other", "q");
		this.store.remove("other");
		this.store.remove("q");
		assertThat(told()).isEmpty();
		this.store.pause("q");
		this.store.resume("q");
		this.user.enqueue(TestJob.of("c").in("other"));
		assertThat(told()).containsExactly("other", "q");
		assertThat(this.store.verify()).isEmpty();
	}

	@Test
	void removedQueueThatStillHoldsSomethingIsListed() {
		this.user.enqueue(TestJob.of("letter").in("dead"));
		this.user.end(RunEnd.dead(this.user.take("dead"), "it broke"));
		this.user.enqueue(TestJob.of("running").in("busy"));
		ReservedJob running = this.user.take("busy");
		this.store.pause("paused");
		List.of("dead", "busy", "paused").forEach(this.store::remove);
		assertThat(told()).containsExactly("busy", "dead", "paused");
		this.user.succeed(running);
		this.store.resume("paused");
		this.user.update(UpdateAction.Kind.DISMISS, "letter");
		assertThat(told()).containsExactly("busy", "dead", "paused");
		List.of("dead", "busy", "paused").forEach(this.store::remove);
		assertThat(told()).isEmpty();
		assertThat(this.store.verify()).isEmpty();
	}

	@Test
	void firstJobThatIsReadyHasWaitedLongest() {
		assertThat(oldest()).isNull();
		this.user.enqueue(TestJob.of("a"));
		assertThat(oldest()).isEqualTo(Duration.ZERO);
		this.user.advance(Duration.ofSeconds(4));
		this.user.enqueue(TestJob.of("b"));
		this.user.advance(Duration.ofSeconds(3));
		assertThat(oldest()).isEqualTo(Duration.ofSeconds(7));
		ReservedJob first = this.user.take();
		assertThat(oldest()).isEqualTo(Duration.ofSeconds(3));
		this.user.take();
		assertThat(oldest()).isNull();
		this.user.end(RunEnd.returned(first));
		assertThat(oldest()).isEqualTo(Duration.ofSeconds(7));
	}

	@Test
	void jobThatIsParkedWaits() {
		this.harness.takeForeign(TestJob.key("k"), Duration.ofMinutes(5));
		this.user.enqueue(TestJob.of("parked").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.advance(Duration.ofSeconds(2));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.enqueue(TestJob.of("ready"));
		this.user.advance(Duration.ofSeconds(3));
		assertThat(oldest()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void delayedJobWaitsFromTheTimeAtWhichItIsDue() {
		this.user.enqueue(TestJob.of("a").after(Duration.ofSeconds(5)));
		this.user.advance(Duration.ofSeconds(4));
		assertThat(oldest()).isNull();
		this.user.advance(Duration.ofSeconds(3));
		assertThat(oldest()).isEqualTo(Duration.ofSeconds(2));
		this.user.serve();
		assertThat(oldest()).isEqualTo(Duration.ofSeconds(2));
		ReservedJob job = this.user.take();
		this.user.advance(Duration.ofSeconds(2));
		this.user.fail(job);
		assertThat(oldest()).isNull();
		this.user.advance(Duration.ofSeconds(6));
		assertThat(oldest()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void jobThatIsRunNowOrMovedWaitsFromWhenItWasDue() {
		this.user.enqueue(TestJob.of("now").after(Duration.ofSeconds(60)));
		this.user.advance(Duration.ofSeconds(2));
		this.user.update(UpdateAction.Kind.RUN_NOW, "now");
		this.user.advance(Duration.ofSeconds(3));
		assertThat(oldest()).isEqualTo(Duration.ofSeconds(3));
		this.user.move("now", "other");
		assertThat(oldest()).isNull();
		assertThat(oldest("other")).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void deadLetterCountsUntilItIsRequeuedOrDismissed() {
		for (String id : List.of("a", "b", "c")) {
			this.user.enqueue(TestJob.of(id));
			this.user.kill();
		}
		assertThat(this.store.counts("q").deadLetters()).isEqualTo(3);
		UpdateAction dismiss = new UpdateAction(UpdateAction.Kind.DISMISS, null, "step");
		this.store.update(dismiss, List.of(ExpectedJob.of("a")));
		this.store.update(dismiss, List.of(ExpectedJob.of("a")));
		this.user.update(UpdateAction.Kind.DISMISS, "a");
		assertThat(this.store.counts("q").deadLetters()).isEqualTo(2);
		this.user.requeue("b", "b2");
		this.user.requeue("b", "b2");
		this.user.requeue("b", "b3");
		this.user.requeue("a", "a2");
		assertThat(this.store.counts("q").deadLetters()).isOne();
		assertThat(this.store.counts("q").in(JobState.DEAD)).isEqualTo(3);
		assertThat(this.store.overview().queues()).singleElement()
			.satisfies((queue) -> assertThat(queue.counts().deadLetters()).isOne());
	}

	@Test
	void deadLetterCountsInTheQueueInWhichItsJobDied() {
		this.user.enqueue(TestJob.of("a"));
		this.user.move("a", "other");
		this.user.end(RunEnd.dead(this.user.take("other"), "it broke"));
		assertThat(this.store.counts("q").deadLetters()).isZero();
		assertThat(this.store.counts("other").deadLetters()).isOne();
		assertThat(this.store.counts("unknown").deadLetters()).isZero();
	}

	@Test
	void workersAreTheProcessesThatAskForJobs() {
		assertThat(this.store.workers()).isEmpty();
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		ask("beta-1", "beta", 1);
		this.user.advance(Duration.ofSeconds(1));
		ReservedJob job = ask("alpha-1", "alpha", 1).get(0);
		this.user.advance(Duration.ofSeconds(1));
		ask("alpha-2", "alpha", 1);
		assertThat(this.store.workers()).containsExactly(new WorkerInfo("alpha", this.harness.now(), 2, 1),
				new WorkerInfo("beta", this.harness.now(), 1, 1));
		this.user.succeed(job);
		assertThat(this.store.workers()).containsExactly(new WorkerInfo("alpha", this.harness.now(), 2, 0),
				new WorkerInfo("beta", this.harness.now(), 1, 1));
	}

	@Test
	void workerWhoseThreadsAreAllBusyIsSeenWhileItsLeaseHolds() {
		this.user.enqueue(TestJob.of("long"));
		ReservedJob job = ask("busy-1", "busy", 1).get(0);
		for (int i = 0; i < 10; i++) {
			this.user.advance(job.record().leaseFor().dividedBy(2));
			assertThat(this.store.workers()).containsExactly(new WorkerInfo("busy", this.harness.now(), 1, 1));
			this.user.renew(job);
		}
		Instant end = this.harness.now().plus(job.record().leaseFor());
		this.user.advance(job.record().leaseFor().multipliedBy(3));
		assertThat(this.store.workers()).containsExactly(new WorkerInfo("busy", end, 1, 1));
	}

	@Test
	void workerIsForgottenAnHourAfterItsLastCallUnlessItRunsAJob() {
		this.user.enqueue(TestJob.of("a"));
		ReservedJob job = ask("busy-1", "busy", 1).get(0);
		Instant started = this.harness.now();
		Instant leased = started.plus(job.record().leaseFor());
		ask("idle-1", "idle", 1);
		this.user.advance(Duration.ofHours(1).minusMillis(1));
		assertThat(this.store.workers()).containsExactly(new WorkerInfo("busy", leased, 1, 1),
				new WorkerInfo("idle", started, 1, 0));
		this.user.advance(Duration.ofMillis(1));
		assertThat(this.store.workers()).containsExactly(new WorkerInfo("busy", leased, 0, 1));
		this.user.serve();
		assertThat(this.store.workers()).noneMatch((worker) -> worker.instance().equals("busy"));
	}

	@Test
	void workerIsForgottenAnHourAfterItsLastCallAndNotItsFirst() {
		List<QueueLimit> queues = List.of(new QueueLimit("q", 0));
		this.user.enqueue(TestJob.of("first"));
		this.user.succeed(this.queue.reserve(this.user.request("again", 1, queues)).jobs().get(0));
		this.user.advance(Duration.ofMinutes(59));
		this.user.enqueue(TestJob.of("second").leaseFor(Duration.ofHours(1)));
		ReservationRequest request = this.user.request("again", 1, queues);
		List<ReservedJob> jobs = this.queue.reserve(request).jobs();
		assertThat(ids(jobs)).containsExactly("second");
		this.user.advance(Duration.ofMinutes(2));
		this.user.serve();
		assertThat(this.store.workers()).filteredOn((worker) -> worker.instance().equals("host/1/again"))
			.extracting(WorkerInfo::pollers)
			.containsExactly(1);
		assertThat(this.queue.reserve(request).jobs()).isEqualTo(jobs);
	}

	private List<String> told() {
		return this.store.overview().queues().stream().map((queue) -> queue.counts().queue()).toList();
	}

	private List<ReservedJob> ask(String poller, String instance, int slots) {
		return this.queue
			.reserve(new ReservationRequest("request-" + poller, poller, instance, "thread",
					List.of(new QueueLimit("q", 0)), slots))
			.jobs();
	}

	private @Nullable Duration oldest() {
		return oldest("q");
	}

	private @Nullable Duration oldest(String queue) {
		return this.store.overview()
			.queues()
			.stream()
			.filter((one) -> one.counts().queue().equals(queue))
			.findFirst()
			.map(QueueOverview::oldestWaiting)
			.orElse(null);
	}

}
