package io.locket.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.locket.JobContext;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.event.JobEnded;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.NewJob;
import io.locket.test.service.Billing;
import io.locket.test.service.Parcels;
import io.locket.worker.WorkerLifecycle;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.event.ApplicationEvents;
import org.springframework.test.context.event.RecordApplicationEvents;
import org.springframework.test.context.transaction.BeforeTransaction;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link LocketTester}.
 */
@LocketTest
@RecordApplicationEvents
class LocketTesterTests {

	@Autowired
	private Jobs jobs;

	@Autowired
	private LocketTester locket;

	@Autowired
	private Billing billing;

	@Autowired
	private JobStore store;

	@Autowired
	private JobQueue queue;

	@BeforeEach
	void reset() {
		this.billing.reset();
	}

	@Test
	void jobsRunWhenTheTestDrains(@Autowired ApplicationEvents events) {
		EnqueueResult result = this.jobs.enqueue("billing.bill", 42, "2026-05", "now");
		assertThat(result).isInstanceOf(EnqueueResult.Accepted.class);
		assertThat(this.billing.done()).isEmpty();
		DrainedJobs drained = this.locket.drain();
		assertThat(this.billing.done()).containsExactly("bill 42 2026-05 now");
		assertThat(drained).hasRun("billing.bill");
		assertThat(drained.runs()).singleElement().satisfies((run) -> {
			assertThat(run.queue()).isEqualTo("invoices");
			assertThat(run.attempt()).isOne();
			assertThat(run.state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(run.counted()).isTrue();
		});
		assertThat(events.stream(JobEnded.class)).singleElement()
			.satisfies((event) -> assertThat(event.state()).isEqualTo(JobState.SUCCEEDED));
		assertThat(this.locket.drain()).hasRunNothing();
	}

	@Test
	void queuesThatTheServiceServesComeFirst() {
		this.jobs.enqueue("billing.send", "a");
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		this.jobs.enqueue(EnqueueOptions.now().queue("urgent"), "billing.send", "b");
		assertThat(this.locket.drain()).hasRun("billing.send", "billing.bill", "billing.send");
		assertThat(this.billing.done()).containsExactly("send b", "bill 1 2026-05 ", "send a");
	}

	@Test
	void advancedClockMakesJobsReadyAndListsNoWorker() {
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(1)), "billing.send", "later");
		this.locket.advance(Duration.ofMinutes(1));
		assertThat(this.locket).has(JobState.READY, "billing.send");
		assertThat(this.store.workers()).isEmpty();
	}

	@Test
	void oneQueueCanBeDrained() {
		this.jobs.enqueue("billing.send", "a");
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		assertThat(this.locket.drain("mails")).hasRun("billing.send");
		assertThat(this.locket).has(JobState.READY, "billing.bill");
	}

	@Test
	void queueThatDoesNotExistCannotBeDrained() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locket.drain("mials"))
			.withMessageStartingWith("There is no queue 'mials'. Known queues are [")
			.withMessageContaining("mails")
			.withMessageContaining("urgent");
		assertThatIllegalArgumentException().isThrownBy(() -> this.locket.drainAllowingFailures("mails", "mials"));
		assertThat(this.locket.drain("urgent", "invoices")).hasRunNothing();
		this.jobs.enqueue(EnqueueOptions.now().queue("mials"), "billing.send", "a");
		assertThat(this.locket.drain("mials")).hasRun("billing.send");
		assertThat(this.locket.drain("mials")).hasRunNothing();
	}

	@Test
	void jobsThatJobsEnqueueRunToo() {
		this.jobs.enqueue("billing.all", 2);
		assertThat(this.locket.drain()).hasRun("billing.all", "billing.bill", "billing.bill");
		assertThat(this.locket).has(JobState.SCHEDULED, "billing.send");
	}

	@Test
	void jobThatEnqueuesItselfForEverIsAnError() {
		this.jobs.enqueue("billing.loop");
		assertThatIllegalStateException().isThrownBy(() -> this.locket.drain())
			.withMessageContaining("billing.loop[]")
			.withMessageContaining("whether a job enqueues itself");
	}

	@Test
	void failingBodyFailsTheTestAfterEverythingHasRun() {
		this.billing.body(() -> {
			throw new IllegalStateException("no paper");
		});
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		this.jobs.enqueue("billing.bill", 2, "2026-05", "");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.locket.drain())
			.withMessageContaining("2 of 2 run(s) failed")
			.withMessageContaining("no paper")
			.withMessageContaining("drainAllowingFailures()")
			.withCauseInstanceOf(IllegalStateException.class);
		assertThat(this.billing.done()).hasSize(2);
	}

	@Test
	void failingJobIsRetriedAndDiesAsInProduction() {
		this.billing.body(() -> {
			throw new IllegalStateException("no paper");
		});
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		assertThat(this.locket.drainAllowingFailures()).hasFailed("billing.bill").hasMessage("no paper");
		assertThat(this.locket).has(JobState.RETRY, "billing.bill").hasNoDead();
		assertThat(this.locket.advance(Duration.ofMillis(9_999)).drain()).hasRunNothing();
		DrainedJobs second = this.locket.advance(Duration.ofMillis(1)).drainAllowingFailures();
		assertThat(second.failures()).singleElement().satisfies((run) -> {
			assertThat(run.attempt()).isEqualTo(2);
			assertThat(run.state()).isEqualTo(JobState.DEAD);
		});
		assertThat(this.locket).hasDead("billing.bill");
	}

	@Test
	void timePassesWhenTheTestAdvancesIt(@Autowired Clock clock) {
		Instant start = clock.instant();
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)), "billing.send", "a");
		assertThat(this.locket.drain()).hasRunNothing();
		this.locket.advance(Duration.ofMinutes(5));
		assertThat(this.locket).has(JobState.READY, "billing.send");
		assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofMinutes(5)));
		assertThat(this.locket.drain()).hasRun("billing.send");
		this.jobs.enqueue(EnqueueOptions.at(this.locket.clock().instant().plusSeconds(1)), "billing.send", "b");
		assertThat(this.locket.advanceAndDrain(Duration.ofSeconds(1))).hasRun("billing.send");
		assertThatIllegalArgumentException().isThrownBy(() -> this.locket.advance(Duration.ofSeconds(-1)));
	}

	@Test
	void nullIsNamed() {
		assertNullIsNamed("time", () -> this.locket.advance(null));
		assertNullIsNamed("time", () -> this.locket.advanceTo(null));
		assertNullIsNamed("time", () -> this.locket.advanceAndDrain(null));
		assertNullIsNamed("time", () -> this.locket.advanceAndFire(null));
		assertNullIsNamed("job", () -> this.locket.occupy(null));
		assertNullIsNamed("job", () -> this.locket.loseLease(null));
		assertNullIsNamed("args", () -> this.locket.loseLease("billing.bill", (Object[]) null));
		assertNullIsNamed("state", () -> this.locket.jobs(null));
	}

	private static void assertNullIsNamed(String parameter, ThrowingCallable call) {
		assertThatNullPointerException().isThrownBy(call)
			.withMessageStartingWith("'" + parameter + "' must not be null");
	}

	@Test
	void clockAdvancesToATimeAndIsNotSetBack() {
		Instant start = this.locket.clock().instant();
		Instant due = start.plusSeconds(90);
		this.jobs.enqueue(EnqueueOptions.at(due), "billing.send", "a");
		assertThat(this.locket.advanceTo(due.minusMillis(1)).drain()).hasRunNothing();
		assertThat(this.locket.advanceTo(due).advanceTo(due).drain()).hasRun("billing.send");
		assertThat(this.locket.clock().instant()).isEqualTo(due);
		assertThatIllegalArgumentException().isThrownBy(() -> this.locket.advanceTo(start))
			.withMessage("The clock cannot be set back from " + due + " to " + start);
		assertThat(this.locket.clock().instant()).isEqualTo(due);
	}

	@Test
	void bodyKeepsItsLeaseWhileTimePasses() {
		this.billing.body(() -> {
			this.locket.advance(Duration.ofDays(1));
			JobContext.required().ensureLease();
		});
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		assertThat(this.locket.drain().runs()).singleElement().matches(RanJob::counted);
		assertThat(this.billing.done()).hasSize(1);
	}

	@Test
	void contextOfARunThatHasEndedDoesNotPassTheCheck() {
		AtomicReference<JobContext> body = new AtomicReference<>();
		this.billing.body(() -> body.set(JobContext.required()));
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		assertThat(this.locket.drain()).hasRun("billing.bill");
		assertThatIllegalStateException().isThrownBy(() -> body.get().ensureLease())
			.withMessageContaining("was released");
	}

	@Test
	void directCallsAreGuardedByTheSameKeys(@Autowired LeaseService leases) throws Exception {
		this.billing.body(() -> {
			this.jobs.enqueue("billing.export", "2026-05");
			assertThat(this.locket.drain()).hasRunNothing();
		});
		this.billing.export("2026-05");
		assertThat(this.locket).has(JobState.PARKED, "billing.export");
		this.billing.body(() -> assertThat(JobContext.required().queuedRun()).isPresent());
		assertThat(this.locket.drain()).hasRunNothing();
		assertThat(this.locket.advanceAndDrain(Duration.ofMinutes(5))).hasRun("billing.export");
		assertThat(leases.held(10)).hasSize(1);
		assertThat(this.billing.done()).hasSize(2);
	}

	@Test
	void jobThatWaitsKeepsNoDirectCallAway() throws Exception {
		this.jobs.enqueue("billing.bill", 42, "2026-05", "waits");
		this.billing.bill(42, YearMonth.of(2026, 5), "direct");
		this.jobs.enqueue("billing.digest", "2026-05");
		this.billing.digest("2026-05");
		assertThat(this.billing.done()).containsExactly("bill 42 2026-05 direct");
	}

	@Test
	void periodOfAUniqueCallPassesWithTheClock() throws Exception {
		this.billing.digest("2026-05");
		this.billing.digest("2026-05");
		assertThat(this.jobs.enqueue("billing.digest", "2026-05")).isInstanceOf(EnqueueResult.Duplicate.class);
		this.locket.advance(Duration.ofHours(1));
		this.billing.digest("2026-05");
		assertThat(this.billing.done()).hasSize(2);
	}

	@Test
	void keyThatAnotherProcessHoldsParksItsJob() {
		Lease other = this.locket.occupy("billing.export", "2026-05");
		this.jobs.enqueue("billing.export", "2026-05");
		this.jobs.enqueue("billing.export", "2026-06");
		assertThat(this.locket.drain()).hasRun("billing.export");
		assertThat(this.locket.jobs(JobState.PARKED)).singleElement()
			.satisfies((job) -> assertThat(job.arguments()).isEqualTo("[\"2026-05\"]"));
		other.close();
		assertThat(this.locket.drain()).hasRun("billing.export");
	}

	@Test
	void occupiedKeyHasNoTicketUnlikeAQueuedRun() {
		try (Lease other = this.locket.occupy("billing.bill", 1, "2026-05", "")) {
			assertThat(this.jobs.enqueue("billing.bill", 1, "2026-05", "")).isInstanceOf(EnqueueResult.Accepted.class);
			assertThat(this.locket.drain()).hasRunNothing();
			assertThat(other.isHeld()).isTrue();
		}
		List<EnqueueResult> results = new ArrayList<>();
		this.billing.body(() -> results.add(this.jobs.enqueue("billing.bill", 1, "2026-05", "")));
		assertThat(this.locket.drain()).hasRun("billing.bill");
		assertThat(results).singleElement().isInstanceOf(EnqueueResult.Duplicate.class);
	}

	@Test
	void onlyFreeKeysThatRunsTakeCanBeOccupied() throws Exception {
		this.locket.occupy("billing.digest", "2026-05");
		this.billing.digest("2026-05");
		assertThat(this.billing.done()).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> this.locket.occupy("billing.digest", "2026-05"))
			.withMessageContaining("another-process")
			.withMessageContaining("Close its lease or let its run end before");
		assertThatIllegalArgumentException().isThrownBy(() -> this.locket.occupy("billing.send", "a"))
			.withMessageContaining("NONE");
		assertThatIllegalArgumentException().isThrownBy(() -> this.locket.occupy("billing.unknown"))
			.withMessageContaining("There is no job");
	}

	@Test
	void bodyThatIsCancelledIsNotifiedAtOnce(@Autowired JobStore store) {
		this.billing.body(() -> {
			JobContext context = JobContext.required();
			store.cancel(context.queuedRun().orElseThrow().id());
			assertThat(context.isCancelled()).isTrue();
			throw new IllegalStateException("gives up");
		});
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		assertThat(this.locket.drainAllowingFailures().failures()).singleElement()
			.satisfies((run) -> assertThat(run.state()).isEqualTo(JobState.CANCELLED));
	}

	@Test
	void bodyWhoseQueueIsRemovedIsNotifiedAtOnce(@Autowired JobStore store) {
		this.billing.body(() -> {
			store.remove("invoices");
			assertThat(JobContext.required().isCancelled()).isTrue();
		});
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		assertThat(this.locket.drain()).hasRun("billing.bill");
	}

	@Test
	void jobOfAPastTimeIsEnqueuedWithoutADelay() {
		Instant past = this.locket.clock().instant().minusSeconds(60);
		this.jobs.enqueue(EnqueueOptions.at(past), "billing.send", "a");
		assertThat(this.locket).hasEnqueued("billing.send").at(past).after(Duration.ZERO);
		assertThat(this.locket.drain()).hasRun("billing.send");
	}

	@Test
	void lastProgressOfABodyIsThereWhenItHasRun(@Autowired JobStore store) {
		List<String> ids = new ArrayList<>();
		this.billing.body(() -> {
			JobContext context = JobContext.required();
			ids.add(context.queuedRun().orElseThrow().id());
			for (int done = 1; done <= 100; done++) {
				context.progress(done, 100, null);
			}
		});
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		this.locket.drain();
		assertThat(store.find(ids.get(0)).orElseThrow().progress()).extracting(JobProgress::done).isEqualTo(100L);
	}

	@Test
	void argumentsAreRecordedAsTheMethodGetsThem() {
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(1)), "billing.bill", 42, "2026-05", "x");
		this.jobs.enqueue("billing.bill", 42, YearMonth.of(2026, 5), "y");
		assertThat(this.locket.enqueued()).first().satisfies((job) -> {
			assertThat(job.arguments()).containsExactly(42L, YearMonth.of(2026, 5), "x");
			assertThat(job.delay()).isEqualTo(Duration.ofMinutes(1));
			assertThat(job.dueAt()).isEqualTo(this.locket.clock().instant().plusSeconds(60));
			assertThat(job.isAccepted()).isTrue();
			assertThat(job).hasToString("billing.bill(42, 2026-05, \"x\") into queue 'invoices' after PT1M: accepted");
		});
		assertThat(this.locket.enqueued()).last()
			.satisfies((job) -> assertThat(job.result()).isInstanceOf(EnqueueResult.Duplicate.class));
	}

	@Test
	void nothingRunsByItselfAndNothingIsInRedis(@Autowired ApplicationContext context) {
		assertThat(context.getBeanProvider(WorkerLifecycle.class).stream()).isEmpty();
		assertThat(context.getBean(JobQueue.class)).isInstanceOf(RecordingJobQueue.class);
		assertThat(context.getBean(JobStore.class)).isSameAs(context.getBean(JobQueue.class));
		assertThat(context.containsBean("locketRedisConnections")).isFalse();
		assertThat(context.containsBean("redisConnectionFactory")).isTrue();
	}

	@Test
	void assertionsAboutEnqueuedJobsNarrowDown() {
		this.jobs.enqueue("billing.bill", 42, "2026-05", "x");
		this.jobs.enqueue("billing.bill", 42, "2026-05", "y");
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)).queue("urgent"), "billing.bill", 43, "2026-05", "");
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)), "billing.update", 1, "old");
		this.jobs.enqueue("billing.update", 1, "new");
		assertThat(this.locket).hasEnqueuedTimes(5).hasNotEnqueued("billing.send");
		assertThat(this.locket).hasEnqueued("billing.bill").times(3);
		assertThat(this.locket).hasEnqueued("billing.bill").asAccepted().times(2);
		assertThat(this.locket).hasEnqueued("billing.bill")
			.withArguments(42L, YearMonth.of(2026, 5), "y")
			.inQueue("invoices")
			.after(Duration.ZERO)
			.asDuplicate()
			.times(1);
		assertThat(this.locket).hasEnqueued("billing.bill")
			.inQueue("urgent")
			.at(this.locket.clock().instant().plus(Duration.ofMinutes(5)));
		assertThat(this.locket).hasEnqueued("billing.update").withArguments(1, "new").asReplacement();
	}

	@Test
	void jobOfAnotherServiceIsEnqueuedByItsInterface() {
		Map<String, Integer> items = new LinkedHashMap<>();
		Set<String> remarks = new LinkedHashSet<>();
		for (int i = 20; i > 0; i--) {
			items.put("item " + i, i);
			remarks.add("remark " + i);
		}
		assertThat(this.jobs.enqueue(Parcels.class, (parcels) -> parcels.send(42, items, remarks)))
			.isInstanceOf(EnqueueResult.Accepted.class);
		assertThat(this.locket).hasEnqueuedTimes(1);
		assertThat(this.locket.enqueued().get(0).arguments()).containsExactly(42L, items, remarks);
		assertThat(this.locket).hasEnqueued("parcels.send").inQueue("parcels").times(1);
		assertThat(this.locket).hasEnqueued("parcels.send")
			.withArguments(42, Map.copyOf(items), Set.copyOf(remarks))
			.times(1);
		assertThat(this.locket.drain()).hasRunNothing();
		assertThat(this.locket).has(JobState.RETRY, "parcels.send");
		assertThat(this.locket).hasNotEnqueued("billing.bill");
	}

	@Test
	void callsAreAssertedAsTheyAreEnqueued() {
		assertThat(this.locket).hasNotEnqueued(Mails.class, (mails) -> mails.send("a"));
		this.jobs.enqueue(Mails.class, (mails) -> mails.send("a"));
		this.jobs.enqueue("billing.send", "b");
		assertThat(this.locket).hasEnqueued(Mails.class, (mails) -> mails.send("a")).times(1);
		assertThat(this.locket).hasEnqueued(Billing.class, (billing) -> billing.send("b"));
		assertThat(this.locket).hasNotEnqueued(Mails.class, (mails) -> mails.send("b"));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasEnqueued(Mails.class, (mails) -> mails.send("c")))
			.withMessageContaining("Expecting job 'mails.send' to have been enqueued with arguments [c]")
			.withMessageContaining("mails.send(\"a\") into queue 'default'");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasNotEnqueued(Mails.class, (mails) -> mails.send("a")))
			.withMessageContaining("Expecting no LocketTesterTests.Mails.send(String) with arguments [a]")
			.withMessageContaining("mails.send(\"a\") into queue 'default'");
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(this.locket).hasEnqueued("mails.sent"))
			.withMessageContaining("billing.send")
			.withMessageContaining("Pass its type and a call");
		Object[] none = null;
		assertThatNullPointerException()
			.isThrownBy(() -> assertThat(this.locket).hasEnqueued("mails.send").withArguments(none))
			.withMessageContaining("(Object) null");
	}

	@Test
	void absenceOfAJobWithArgumentsIsAsserted() {
		this.jobs.enqueue("billing.bill", 42, "2026-05", "x");
		assertThat(this.locket).hasNotEnqueued("billing.bill", 43, "2026-05", "x")
			.hasNotEnqueued("billing.send", "a")
			.hasNotEnqueued("billing.loop");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasNotEnqueued("billing.bill", 42, YearMonth.of(2026, 5), "x"))
			.withMessageContaining("Expecting no job 'billing.bill' with arguments [42, 2026-05, x]")
			.withMessageContaining("billing.bill(42");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> assertThat(this.locket).hasNotEnqueued("billing.bill", 42));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> assertThat(this.locket).hasNotEnqueued("billing.typo", 42));
	}

	@Test
	void numberOfSelectedJobsIsAtLeastOne() {
		this.jobs.enqueue("billing.send", "a");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> assertThat(this.locket).hasEnqueued("billing.send").times(0))
			.withMessageContaining("hasNotEnqueued(\"billing.send\")");
	}

	@Test
	void descriptionIsPartOfEachFailure() {
		this.jobs.enqueue("billing.send", "a");
		List.<ThrowingCallable>of(() -> assertThat(this.locket).as("invoice of May").hasEnqueued("billing.bill"),
				() -> assertThat(this.locket).as("invoice of May")
					.hasEnqueued(Billing.class, (billing) -> billing.send("b")),
				() -> assertThat(this.locket).as("invoice of May").hasEnqueued("billing.send").withArguments("b"),
				() -> assertThat(this.locket).hasEnqueued("billing.send")
					.as("invoice of May")
					.inQueue("mails")
					.asAccepted()
					.times(2))
			.forEach((call) -> assertThatExceptionOfType(AssertionError.class).isThrownBy(call)
				.withMessageStartingWith("[invoice of May]"));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasEnqueued("billing.bill"))
			.satisfies((failure) -> assertThat(failure.getMessage()).doesNotStartWith("["));
	}

	@Test
	void remedyForAnUnknownJobIsACallOnlyWhereACallIsAccepted() {
		List.<ThrowingCallable>of(() -> this.locket.occupy("mails.sent"), () -> this.locket.loseLease("mails.sent"),
				() -> assertThat(this.locket).has(JobState.PARKED, "mails.sent"))
			.forEach((call) -> assertThatIllegalArgumentException().isThrownBy(call)
				.withMessageContaining("There is no job 'mails.sent'")
				.withMessageEndingWith("A job that only an interface declares is known after it was enqueued"));
	}

	@Test
	void undeclaredJobIsRecordedWithItsArgumentsAsJson() {
		JobQueue queue = this.queue;
		queue.enqueue(NewJob.builder("a", "unknown", "default").arguments("[1,\"x\",[true],null]").build());
		assertThat(this.locket.enqueued().get(0).arguments()).containsExactly(1, "x", List.of(true), null);
	}

	@Test
	void failedAssertionsTellWhatWasEnqueued() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasEnqueued("billing.bill"))
			.withMessageContaining("Expecting job 'billing.bill' to have been enqueued, but enqueued were")
			.withMessageContaining("nothing");
		this.jobs.enqueue("billing.bill", 42, "2026-05", "x");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasEnqueued("billing.bill").withArguments(43, "2026-05", "x"))
			.withMessageContaining("with arguments [43, 2026-05, x]")
			.withMessageContaining("billing.bill(42, 2026-05, \"x\") into queue 'invoices': accepted");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.locket).hasEnqueuedNothing())
			.withMessageContaining("billing.bill(42");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasNotEnqueued("billing.bill"))
			.withMessageContaining("billing.bill(42");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasDead("billing.bill"))
			.withMessageContaining("billing.bill[42,\"2026-05\",\"x\"] of queue 'invoices': READY");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasEnqueued("billing.bill").times(2))
			.withMessageContaining("2 time(s), but was 1 time(s)");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket.drain()).hasRun("billing.send"))
			.withMessageContaining("[billing.send]")
			.withMessageContaining("billing.bill[42,\"2026-05\",\"x\"] of queue 'invoices', attempt 1: SUCCEEDED");
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(this.locket).hasNotEnqueued("billing.typo"))
			.withMessageContaining("There is no job 'billing.typo'");
	}

	@Test
	void failedAssertionOfRunsListsTheJobsThatWait() {
		this.jobs.enqueue("billing.export", "2026-05");
		this.locket.drain();
		this.jobs.enqueue("billing.export", "2026-05");
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofHours(1)), "billing.send", "a");
		DrainedJobs drained = this.locket.drain();
		assertThat(drained.waiting()).extracting(JobRecord::state).containsExactly(JobState.PARKED, JobState.SCHEDULED);
		Instant due = this.locket.clock().instant().plus(Duration.ofHours(1));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(drained).hasRun("billing.send"))
			.withMessageContaining("Still waiting are")
			.withMessageContaining("billing.export[\"2026-05\"] of queue 'default': PARKED")
			.withMessageContaining("billing.send[\"a\"] of queue 'mails': SCHEDULED until " + due);
	}

	@Test
	void descriptionIsKeptByTheAssertionsOfAFailure() {
		this.jobs.enqueue("billing.send", "a");
		this.billing.body(() -> {
			throw new IllegalStateException("no paper");
		});
		DrainedJobs drained = this.locket.drainAllowingFailures();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(drained).as("mails").hasFailed("billing.send").hasMessage("jam"))
			.withMessageStartingWith("[mails]");
	}

	@Test
	void pausedQueueIsNotDrained() {
		this.store.pause("mails");
		this.jobs.enqueue("billing.send", "a");
		assertThat(this.locket.drain()).hasRunNothing();
		this.store.resume("mails");
		assertThat(this.locket.drain()).hasRun("billing.send");
	}

	@Test
	void manyJobsAreDrained() {
		for (int i = 0; i < 1200; i++) {
			this.jobs.enqueue("billing.send", String.valueOf(i));
		}
		assertThat(this.locket.drain().runs()).hasSize(1200);
		assertThat(List.copyOf(this.billing.done())).hasSize(1200);
	}

	@Test
	void selectionsLeaveOutJobsThatDiffer() {
		Instant due = this.locket.clock().instant().plusSeconds(60);
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(1)), "billing.send", "a");
		EnqueuedJobsAssert enqueued = assertThat(this.locket).hasEnqueued("billing.send");
		enqueued.after(Duration.ofMinutes(1)).at(due).inQueue("mails").asAccepted();
		List.<ThrowingCallable>of(() -> enqueued.after(Duration.ofMinutes(2)), () -> enqueued.after(Duration.ZERO),
				() -> enqueued.at(due.plusMillis(1)), () -> enqueued.inQueue("urgent"), enqueued::asDuplicate,
				enqueued::asReplacement)
			.forEach((call) -> assertThatExceptionOfType(AssertionError.class).isThrownBy(call)
				.withMessageContaining("billing.send(\"a\") into queue 'mails' after PT1M: accepted"));
	}

	@Test
	void aliasIsTheNameOfItsJob() {
		this.jobs.enqueue(Parcels.class, (parcels) -> parcels.send(42, Map.of(), Set.of()));
		assertThat(this.locket).hasEnqueued("parcels.post").times(1);
		assertThat(this.locket).has(JobState.READY, "parcels.post");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasNotEnqueued("parcels.post"))
			.withMessageContaining("parcels.send(42");
	}

	@Test
	void stateIsThatOfTheGivenJob() {
		this.jobs.enqueue("billing.send", "a");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).has(JobState.READY, "billing.export"))
			.withMessageContaining("billing.send[\"a\"] of queue 'mails': READY");
	}

	@Test
	void failureIsTheLastOneOfTheGivenJob() {
		this.billing.body(() -> {
			throw new IllegalStateException("failure " + this.billing.done().size());
		});
		this.jobs.enqueue("billing.send", "a");
		this.jobs.enqueue("billing.send", "b");
		DrainedJobs drained = this.locket.drainAllowingFailures();
		assertThat(drained).hasFailed("billing.send").hasMessage("failure 2");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(drained).hasFailed("billing.export"))
			.withMessageContaining("failed with java.lang.IllegalStateException: failure 1");
	}

	@Test
	void furtherFailuresOfADrainAreSuppressed() {
		this.billing.body(() -> {
			throw new IllegalStateException("failure " + this.billing.done().size());
		});
		this.jobs.enqueue("billing.send", "a");
		this.jobs.enqueue("billing.send", "b");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.locket.drain()).satisfies((error) -> {
			assertThat(error.getCause()).hasMessage("failure 1");
			assertThat(error.getSuppressed()).extracting(Throwable::getMessage).containsExactly("failure 2");
		});
	}

	@Test
	void argumentsWithoutEqualsAreComparedAsJson() {
		this.jobs.enqueue(Letters.class, (letters) -> letters.post(new Letter("dear")));
		assertThat(this.locket).hasEnqueued(Letters.class, (letters) -> letters.post(new Letter("dear")));
		assertThat(this.locket).hasNotEnqueued(Letters.class, (letters) -> letters.post(new Letter("other")));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.locket)
			.hasNotEnqueued(Letters.class, (letters) -> letters.post(new Letter("dear"))));
	}

	@Test
	void clockOfAnotherZoneAdvancesToo() {
		Clock berlin = this.locket.clock().withZone(ZoneId.of("Europe/Berlin"));
		this.locket.advance(Duration.ofHours(1));
		assertThat(berlin.instant()).isEqualTo(this.locket.clock().instant());
		assertThat(berlin.getZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
	}

	@Nested
	@Transactional
	class InATransaction {

		@BeforeTransaction
		void enqueue() {
			LocketTesterTests.this.jobs.enqueue("billing.send", "a");
		}

		@Test
		void isResetBeforeTheTransaction() {
			assertThat(LocketTesterTests.this.locket).hasEnqueued("billing.send");
		}

	}

	@Nested
	class InANestedClass {

		@Test
		void isResetBeforeTheFirstMethod() {
			isClean();
		}

		@Test
		void isResetBeforeTheSecondMethod() {
			isClean();
		}

		private void isClean() {
			assertThat(LocketTesterTests.this.locket).hasEnqueuedNothing().has(JobState.READY, 0);
			assertThat(LocketTesterTests.this.locket.clock().instant()).isBefore(Instant.now().plusSeconds(60));
			LocketTesterTests.this.jobs.enqueue("billing.send", "a");
			LocketTesterTests.this.locket.advance(Duration.ofDays(1));
			LocketTesterTests.this.locket.occupy("billing.export", "2026-05");
			assertThat(LocketTesterTests.this.locket.drain()).hasRun("billing.send");
			LocketTesterTests.this.jobs.enqueue("billing.send", "b");
			LocketTesterTests.this.store.pause("mails");
		}

	}

	interface Mails {

		@UniqueJob(name = "mails.send", lock = LockStrategy.NONE)
		void send(String address);

	}

	interface Letters {

		@UniqueJob(name = "letters.post", lock = LockStrategy.NONE)
		void post(Letter letter);

	}

	static class Letter {

		private final String text;

		@JsonCreator
		Letter(@JsonProperty("text") String text) {
			this.text = text;
		}

		@JsonProperty("text")
		String text() {
			return this.text;
		}

	}

}
