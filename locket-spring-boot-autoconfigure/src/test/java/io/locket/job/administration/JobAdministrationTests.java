package io.locket.job.administration;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.lease.LeaseService;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueHarness;
import io.locket.queue.QueueOverview;
import io.locket.queue.QueueUnderTest;
import io.locket.queue.StoreOverview;
import io.locket.queue.TestJob;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.AdditionalAnswers;
import org.mockito.ArgumentCaptor;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link JobAdministration} on each implementation of the store.
 */
@ParameterizedClass
@EnumSource(QueueUnderTest.class)
class JobAdministrationTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Parameter
	private QueueUnderTest implementation;

	private final AtomicInteger numbers = new AtomicInteger();

	private QueueHarness harness;

	@BeforeEach
	void create() {
		this.harness = this.implementation.create();
	}

	@AfterEach
	void verify() {
		assertThat(this.harness.store().verify()).isEmpty();
		this.harness.close();
	}

	private void run(Consumer<JobAdministration> test) {
		run(this.harness.store(), test);
	}

	private void run(JobStore store, Consumer<JobAdministration> test) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, UniqueJobAutoConfiguration.class,
					QueueAutoConfiguration.class))
			.withPropertyValues("spring.application.name=test")
			.withBean(LeaseService.class, () -> mock(LeaseService.class))
			.withBean("billing", Billing.class)
			.withBean(JobQueue.class, this.harness::queue)
			.withBean("store", JobStore.class, () -> store)
			.run((context) -> test.accept(context.getBean(JobAdministration.class)));
	}

	@Test
	void jobsOfSeveralStatesAndQueuesAreOnPages() {
		run((jobs) -> {
			enqueue(7, "a", null);
			enqueue(5, "b", null);
			enqueue(3, "b", MINUTE);
			List<ReservedJob> runs = reserve(2, "a");
			end(runs.get(0), RunEnd.Kind.DEAD);
			for (int limit : new int[] { 1, 4, 1000 }) {
				assertThat(pages(jobs, JobFilter.all(), limit)).hasSize(15).doesNotHaveDuplicates();
				assertThat(pages(jobs, JobFilter.waiting().queue("b"), limit)).hasSize(8);
			}
			assertThat(jobs.stream(JobFilter.waiting().queue("a"))).hasSize(5)
				.allMatch((job) -> job.state() == JobState.READY);
			assertThat(jobs.stream(JobFilter.running())).singleElement()
				.extracting(JobRecord::id)
				.isEqualTo(runs.get(1).record().id());
			assertThat(jobs.stream(JobFilter.running().queue("b"))).isEmpty();
			assertThat(jobs.stream(JobFilter.ended())).hasSize(1);
			assertThat(jobs.stream(JobFilter.inState(JobState.SCHEDULED, JobState.DEAD))).hasSize(4);
			assertThat(jobs.queues()).containsExactly("a", "b");
			assertThat(jobs.counts()).extracting(QueueCounts::accepted).containsExactly(7L, 8L);
			assertThat(jobs.counts("a").in(JobState.READY)).isEqualTo(5);
			assertThat(jobs.counts("a").states()).containsOnlyKeys(JobState.values());
			for (String id : List.of("nope", "")) {
				assertThatIllegalArgumentException().isThrownBy(() -> jobs.requeue(id))
					.withMessage("There is no job '" + id + "', or it is no longer known");
			}
			assertThat(jobs.requeue(runs.get(1).record().id()))
				.isEqualTo(new EnqueueResult.Duplicate(runs.get(1).record().id(), JobState.RUNNING));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.requeue(JobFilter.running()))
				.withMessage("This operation applies to jobs in [DEAD], and the filter selects only jobs in [RUNNING]");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.move(JobFilter.running(), "b"));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.cancel(JobFilter.ended()));
		});
	}

	private static List<String> pages(JobAdministration jobs, JobFilter filter, int limit) {
		List<String> ids = new ArrayList<>();
		String cursor = null;
		do {
			JobPage page = jobs.list(filter, limit, cursor);
			assertThat(page.jobs()).hasSizeLessThanOrEqualTo(limit);
			page.jobs().forEach((job) -> ids.add(job.id()));
			cursor = page.cursor();
		}
		while (cursor != null);
		return ids;
	}

	@Test
	void firstPageHasJobsWhenManyQueuesBeforeTheirsAreEmpty() {
		JobStore store = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.harness.store()));
		for (int i = 0; i < 60; i++) {
			enqueue(1, "a" + i, null);
		}
		run(store, (jobs) -> {
			jobs.cancel(JobFilter.all());
			List<String> expected = enqueue(2, "b", null);
			clearInvocations(store);
			JobPage page = jobs.list(JobFilter.waiting(), 10, null);
			assertThat(page.jobs()).extracting(JobRecord::id).containsExactlyElementsOf(expected);
			assertThat(page.cursor()).isNull();
			then(store).should().overview();
			then(store).should(times(11)).list(any());
		});
	}

	@Test
	void jobsOfManyQueuesAreOnPages() {
		run((jobs) -> {
			List<String> expected = new ArrayList<>();
			for (int i = 0; i < 60; i++) {
				expected.addAll(enqueue(1, "a" + i, (i % 2 == 0) ? MINUTE : null));
			}
			jobs.pause("c");
			for (int limit : new int[] { 7, 1000 }) {
				assertThat(pages(jobs, JobFilter.all(), limit)).containsExactlyInAnyOrderElementsOf(expected);
			}
		});
	}

	/**
	 * An overview leaves some queues out, and a counter that cannot be read is zero.
	 */
	@Test
	void jobsOfQueuesWithoutTrueCountersAreOnPages() {
		JobStore store = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.harness.store()));
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			expected.addAll(enqueue(1, "a" + i, null));
		}
		run(store, (jobs) -> {
			List<String> queues = List.copyOf(jobs.queues());
			for (int accepted : new int[] { 0, 1 }) {
				willReturn(new StoreOverview(this.harness.now(),
						queues.stream()
							.map((queue) -> new QueueCounts(queue, false, accepted, 0, 0, Map.of(), 0, 0, 0))
							.map((counts) -> new QueueOverview(counts, null))
							.toList()))
					.given(store)
					.overview();
				assertThat(pages(jobs, JobFilter.all(), 7)).containsExactlyInAnyOrderElementsOf(expected);
			}
			willReturn(new StoreOverview(this.harness.now(), List.of())).given(store).overview();
			assertThat(pages(jobs, JobFilter.all(), 7)).containsExactlyInAnyOrderElementsOf(expected);
		});
	}

	@Test
	void pageThatBeginsInAQueueThatIsGoneHasAllJobsOfTheNextOne() {
		JobStore store = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.harness.store()));
		List<String> expected = enqueue(3, "b", null);
		enqueue(3, "a", null);
		run(store, (jobs) -> {
			JobPage first = jobs.list(JobFilter.waiting(), 2, null);
			assertThat(first.jobs()).hasSize(2).allMatch((job) -> job.queue().equals("a"));
			willReturn(Set.of("b")).given(store).queues();
			assertThat(jobs.list(JobFilter.waiting(), 10, first.cursor()).jobs()).extracting(JobRecord::id)
				.containsExactlyElementsOf(expected);
		});
	}

	@Test
	void countGoesOnWhereItStopped() {
		JobStore store = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.harness.store()));
		enqueue(1, "a", null);
		run(store, (jobs) -> {
			List<JobRecord> one = jobs.list(JobFilter.waiting(), 1, null).jobs();
			JobSelection ready = jobs.select(JobFilter.inState(JobState.READY));
			willReturn(new JobPage(one, "place")).given(store).list(any());
			JobTally first = ready.count(null);
			assertThat(first.jobs()).isEqualTo(1000);
			willReturn(new JobPage(one, null)).given(store).list(any());
			clearInvocations(store);
			assertThat(ready.count(first.cursor())).isEqualTo(new JobTally(1, null));
			ArgumentCaptor<JobQuery> query = ArgumentCaptor.captor();
			then(store).should().list(query.capture());
			assertThat(query.getValue().cursor()).isEqualTo("place");
		});
	}

	@Test
	void fewQueuesAreListedWithoutTheirCounts() {
		JobStore store = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.harness.store()));
		enqueue(1, "a", null);
		run(store, (jobs) -> {
			clearInvocations(store);
			assertThat(jobs.list(JobFilter.all(), 10, null).jobs()).hasSize(1);
			then(store).should(never()).overview();
		});
	}

	@Test
	void jobsAreFoundByWhatTheyAre() {
		run((jobs) -> {
			enqueue(job("x").arguments("[42,\"2026-05\",{\"a\":1,\"b\":[]}]").with(LockStrategy.WHILE_EXECUTING, "k"));
			enqueue(job("y").arguments("[43, \"2026-05\",null]").after(MINUTE));
			assertThat(ids(jobs, JobFilter.all().job("billing.bill"))).containsExactlyInAnyOrder("x", "y");
			assertThat(ids(jobs, JobFilter.all().job("billing"))).isEmpty();
			assertThat(ids(jobs, JobFilter.all().key(TestJob.key("k")))).isEmpty();
			assertThat(ids(jobs, JobFilter.all().keyDigest(TestJob.key("k").digest()))).containsExactly("x");
			JobFilter bill = JobFilter.all().job("billing.bill");
			assertThat(ids(jobs, bill.arguments(42, "2026-05", Map.of("b", List.of(), "a", 1)))).containsExactly("x");
			assertThat(ids(jobs, bill.arguments("43", YearMonth.of(2026, 5), null))).containsExactly("y");
			assertThat(ids(jobs, bill.arguments(43, "2026-05", null).matching((job) -> false))).isEmpty();
			assertThat(ids(jobs, bill.arguments(44, YearMonth.of(2026, 5), null))).isEmpty();
			assertThat(ids(jobs, bill.matching((job) -> (Long) jobs.arguments(job)[0] > 42))).containsExactly("y");
			assertThat(ids(jobs, bill.dueFrom(this.harness.now().plusSeconds(1)))).containsExactly("y");
			assertThat(ids(jobs, bill.dueUntil(this.harness.now().plusSeconds(1)))).containsExactly("x");
			assertThat(ids(jobs, bill.dueFrom(this.harness.now()).dueUntil(this.harness.now()))).isEmpty();
			assertThat(jobs.find("x")).isPresent();
			assertThat(bill.arguments(42))
				.hasToString("jobs in " + bill.states() + " named billing.bill with certain arguments");
		});
	}

	@Test
	void messageNamesWhatIsWrong() {
		run((jobs) -> {
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.stream(JobFilter.all().arguments(1)))
				.withMessageContaining("name it with JobFilter.job(...)");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> jobs.cancel(JobFilter.all().job("billing.bil").arguments(1)))
				.withMessageContaining("There is no job 'billing.bil'");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> jobs.cancel(JobFilter.all().job("billing.bill").arguments(1)))
				.withMessageContaining(
						"takes 3 argument(s) (long customer, YearMonth period, java.util.Map<java.lang.String,"
								+ " java.lang.Object> options), but there are 1");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> jobs.cancel(JobFilter.all().job("billing.bill").arguments("x", "2026-05", null)))
				.withMessageContaining("cannot be converted from a java.lang.String");
			assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.all().queue("no name"))
				.withMessageContaining("'no name' is not a valid queue name");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.move("x", "no name"));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.move(JobFilter.all(), "no name"));
			assertThatIllegalArgumentException().isThrownBy(JobFilter::inState);
			for (String cursor : List.of("nonsense", "READY/q", "NEITHER/q/1 a", "")) {
				assertThatIllegalArgumentException().isThrownBy(() -> jobs.list(JobFilter.all(), 10, cursor))
					.withMessageContaining("is no cursor");
			}
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.list(JobFilter.all(), 0, null));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.list(JobFilter.all(), 1001, null));
		});
	}

	@Test
	void nullIsNamed() {
		run((jobs) -> {
			assertNullIsNamed("id", () -> jobs.find(null));
			assertNullIsNamed("id", () -> jobs.cancel((String) null));
			assertNullIsNamed("id", () -> jobs.discard(null));
			assertNullIsNamed("id", () -> jobs.history().attempts(null));
			assertNullIsNamed("id", () -> EnqueueOptions.now().id(null));
			assertNullIsNamed("queue", () -> EnqueueOptions.now().queue(null));
			assertNullIsNamed("queue", () -> jobs.counts(null));
			assertNullIsNamed("queue", () -> jobs.move("id", null));
			assertNullIsNamed("queue", () -> jobs.move(JobFilter.all(), null));
			assertNullIsNamed("queue", () -> jobs.pause(null));
			assertNullIsNamed("queue", () -> jobs.resume(null));
			assertNullIsNamed("queue", () -> jobs.remove(null));
			assertNullIsNamed("queue", () -> jobs.delayed().queue(null));
			assertNullIsNamed("queue", () -> JobFilter.all().queue(null));
			assertNullIsNamed("filter", () -> jobs.list(null, 1, null));
			assertNullIsNamed("filter", () -> jobs.stream(null));
			assertNullIsNamed("filter", () -> jobs.cancel((JobFilter) null));
			assertNullIsNamed("filter", () -> jobs.requeue((JobFilter) null));
			assertNullIsNamed("job", () -> jobs.arguments(null));
			assertNullIsNamed("instance", () -> jobs.workerControl().quiet(null));
			assertNullIsNamed("instance", () -> jobs.workerControl().resume(null));
			assertNullIsNamed("time", () -> jobs.delayed().countAt(null));
			assertNullIsNamed("time", () -> JobFilter.all().dueAt(null));
			assertNullIsNamed("key", () -> JobFilter.all().key(null));
			assertNullIsNamed("arguments", () -> JobFilter.all().arguments((Object[]) null));
		});
	}

	private static void assertNullIsNamed(String parameter, ThrowingCallable call) {
		assertThatNullPointerException().isThrownBy(call)
			.withMessageStartingWith("'" + parameter + "' must not be null");
	}

	@Test
	void jobsAreCancelledWhereverTheyAre() {
		run((jobs) -> {
			enqueue(250, "a", null);
			enqueue(150, "b", MINUTE);
			List<ReservedJob> runs = reserve(2, "a");
			end(runs.get(0), RunEnd.Kind.SUCCEEDED);
			assertThat(jobs.cancel(JobFilter.all())).isEqualTo(new UpdateSummary(399, 398, 1, 0));
			assertThat(jobs.counts("a").in(JobState.CANCELLED)).isEqualTo(248);
			assertThat(jobs.counts("b").in(JobState.CANCELLED)).isEqualTo(150);
			assertThat(jobs.cancel(JobFilter.all())).isEqualTo(new UpdateSummary(0, 0, 0, 0));
			assertThat(jobs.cancel(runs.get(0).record().id())).isEqualTo(CancelResult.ENDED);
		});
	}

	@Test
	void oneIsCancelledByItsArguments() {
		run((jobs) -> {
			for (int i = 0; i < 120; i++) {
				enqueue(job("j" + i).arguments("[" + i + ",\"2026-05\",null]"));
			}
			JobFilter filter = JobFilter.waiting().job("billing.bill").arguments(77, "2026-05", null);
			assertThat(jobs.cancel(filter)).isEqualTo(new UpdateSummary(1, 1, 0, 0));
			assertThat(jobs.find("j77").orElseThrow().state()).isEqualTo(JobState.CANCELLED);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "b", "a", "z" })
	void moveIntoAQueueThatTheFilterCoversEnds(String target) {
		run((jobs) -> {
			enqueue(230, "a", null);
			enqueue(20, "b", null);
			enqueue(130, "c", MINUTE);
			enqueue(20, "b", MINUTE);
			long moved = switch (target) {
				case "a" -> 170;
				case "b" -> 360;
				default -> 400;
			};
			assertThat(jobs.move(JobFilter.waiting(), target)).isEqualTo(new UpdateSummary(moved, moved, 0, 0));
			assertThat(jobs.counts(target).movedIn()).isEqualTo(moved);
			assertThat(jobs.counts(target).in(JobState.READY)).isEqualTo(250);
			assertThat(jobs.counts(target).in(JobState.SCHEDULED)).isEqualTo(150);
			assertThat(jobs.move(JobFilter.all(), target)).isEqualTo(new UpdateSummary(0, 0, 0, 0));
		});
	}

	@Test
	void movedJobsKeepTheirOrder() {
		run((jobs) -> {
			List<String> ids = enqueue(120, "a", null);
			jobs.move(JobFilter.waiting().queue("a"), "b");
			assertThat(reserve(120, "b")).extracting((job) -> job.record().id()).containsExactlyElementsOf(ids);
		});
	}

	@Test
	void jobThatChangesBetweenTheReadAndTheUpdateIsLeftAlone() {
		run((jobs) -> {
			enqueue(3, "a", null);
			UpdateSummary summary = jobs.cancel(JobFilter.waiting().matching((job) -> {
				if (this.harness.store().counts("a").in(JobState.RUNNING) == 0) {
					reserve(1, "a");
				}
				return true;
			}));
			assertThat(summary).isEqualTo(new UpdateSummary(3, 2, 0, 1));
			assertThat(jobs.stream(JobFilter.running())).singleElement().matches((job) -> !job.cancelled());
		});
	}

	@Test
	void jobWhoseArgumentsOrQueueChangeIsLeftAlone() {
		run((jobs) -> {
			enqueue(job("x").with(LockStrategy.UNTIL_EXECUTED, "k"));
			JobFilter filter = JobFilter.waiting().queue("a").matching((job) -> {
				jobs.move("x", "b");
				return true;
			});
			assertThat(jobs.cancel(filter)).isEqualTo(new UpdateSummary(1, 0, 0, 1));
			assertThat(jobs.find("x").orElseThrow().state()).isEqualTo(JobState.READY);
		});
	}

	@Test
	void jobWhoseArgumentsAreReplacedBetweenTheReadAndTheUpdateIsLeftAlone() {
		JobStore store = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.harness.store()));
		enqueue(replacing("x", 42));
		run(store, (jobs) -> {
			willAnswer((call) -> {
				JobPage page = this.harness.store().list(call.getArgument(0));
				enqueue(replacing("newcomer", 43));
				return page;
			}).given(store).list(any());
			JobFilter filter = JobFilter.inState(JobState.READY).queue("a").job("billing.bill");
			assertThat(jobs.cancel(filter.arguments(42, "2026-05", null))).isEqualTo(new UpdateSummary(1, 0, 0, 1));
			assertThat(jobs.find("x").orElseThrow()).satisfies((job) -> {
				assertThat(job.state()).isEqualTo(JobState.READY);
				assertThat(job.arguments()).isEqualTo("[43,\"2026-05\",null]");
			});
		});
	}

	private static TestJob replacing(String id, int customer) {
		return job(id).arguments("[" + customer + ",\"2026-05\",null]")
			.with(LockStrategy.UNTIL_EXECUTED, "k")
			.onDuplicate(DuplicateStrategy.REPLACE);
	}

	@Test
	void jobThatParksIsLeftAloneIfOnlyReadyJobsAreSelected() {
		run((jobs) -> {
			enqueue(job("x").with(LockStrategy.WHILE_EXECUTING, "k"));
			JobFilter filter = JobFilter.inState(JobState.READY).matching((job) -> {
				this.harness.takeForeign(TestJob.key("k"), MINUTE);
				return reserve(1, "a").isEmpty();
			});
			assertThat(jobs.cancel(filter)).isEqualTo(new UpdateSummary(1, 0, 0, 1));
			assertThat(jobs.find("x").orElseThrow().state()).isEqualTo(JobState.PARKED);
		});
	}

	@Test
	void jobsThatAreNotDueRunNow() {
		run((jobs) -> {
			enqueue(130, "a", MINUTE);
			enqueue(2, "a", null);
			end(reserve(1, "a").get(0), RunEnd.Kind.RETRY);
			assertThat(jobs.runNow(JobFilter.all())).isEqualTo(new UpdateSummary(131, 131, 0, 0));
			assertThat(jobs.counts("a").in(JobState.READY)).isEqualTo(132);
			String id = enqueue(1, "a", MINUTE).get(0);
			assertThat(jobs.runNow(id)).isEqualTo(UpdateResult.DONE);
			assertThat(jobs.find(id).orElseThrow().state()).isEqualTo(JobState.READY);
		});
	}

	/**
	 * A page can contain a job that an earlier call has updated. With one id for all
	 * calls, the store would take that call for a repetition and refuse its other jobs.
	 */
	@Test
	void callsOfABulkActionHaveDifferentIds() {
		JobStore store = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.harness.store()));
		enqueue(130, "a", MINUTE);
		run(store, (jobs) -> assertThat(jobs.move(JobFilter.all(), "b").done()).isEqualTo(130));
		ArgumentCaptor<UpdateAction> calls = ArgumentCaptor.captor();
		then(store).should(times(2)).update(calls.capture(), any());
		assertThat(calls.getAllValues()).extracting(UpdateAction::id).doesNotHaveDuplicates();
	}

	@Test
	void jobsThatWaitAreRescheduled() {
		run((jobs) -> {
			enqueue(130, "a", MINUTE);
			enqueue(120, "a", null);
			end(reserve(1, "a").get(0), RunEnd.Kind.RETRY);
			reserve(1, "a");
			Instant at = this.harness.now().plus(Duration.ofHours(1)).plusNanos(1);
			assertThat(jobs.reschedule(JobFilter.all(), at)).isEqualTo(new UpdateSummary(249, 249, 0, 0));
			assertThat(jobs.reschedule(JobFilter.all(), at)).isEqualTo(new UpdateSummary(0, 0, 0, 0));
			assertThat(jobs.list(JobFilter.waiting().dueAt(at), 1000, null).jobs()).hasSize(249);
			assertThat(jobs.counts("a").in(JobState.SCHEDULED)).isEqualTo(248);
			assertThat(jobs.counts("a").in(JobState.RETRY)).isOne();
			assertThat(jobs.reschedule(JobFilter.delayed().dueAt(at), this.harness.now()))
				.isEqualTo(new UpdateSummary(248, 248, 0, 0));
			String id = jobs.list(JobFilter.waiting(), 1, null).jobs().get(0).id();
			assertThat(jobs.reschedule(id, at)).isEqualTo(UpdateResult.DONE);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.reschedule(JobFilter.running(), at));
		});
	}

	@Test
	void jobIsRescheduledOnceWhenTheTimeIsTheEarliest() {
		run((jobs) -> {
			String id = enqueue(1, "a", MINUTE).get(0);
			assertThat(jobs.reschedule(JobFilter.all(), Instant.EPOCH)).isEqualTo(new UpdateSummary(1, 1, 0, 0));
			assertThat(jobs.find(id).orElseThrow().startAt()).isNotNull();
			assertThat(jobs.reschedule(JobFilter.all(), Instant.MIN)).isEqualTo(new UpdateSummary(0, 0, 0, 0));
		});
	}

	@Test
	void jobsOfAClassAreMeant() {
		run((jobs) -> {
			this.harness.queue().enqueue(TestJob.of("x").named("elsewhere").in("a").build());
			int known = enqueue(3, "a", null).size();
			assertThat(jobs.list(JobFilter.all().job(Billing.class), 10, null).jobs()).hasSize(known);
			assertThat(jobs.list(JobFilter.all().job(Billing.class).job("elsewhere"), 10, null).jobs()).isEmpty();
			JobFilter none = JobFilter.all().job(Billing.class).matching((job) -> false);
			assertThat(jobs.list(none, 10, null).jobs()).isEmpty();
			assertThat(jobs.list(none.job("billing.bill"), 10, null).jobs()).isEmpty();
			assertThat(jobs.list(JobFilter.all(), 10, null).jobs()).hasSize(known + 1);
			assertThat(jobs.cancel(JobFilter.all().job(Billing.class)))
				.isEqualTo(new UpdateSummary(known, known, 0, 0));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> jobs.list(JobFilter.all().job(String.class), 10, null))
				.withMessageContaining("java.lang.String");
			assertThat(JobFilter.all().job(Billing.class))
				.hasToString("jobs in " + JobFilter.all().states() + " of " + Billing.class.getName());
		});
	}

	@Test
	void deadLettersAreRequeuedOrDismissed() {
		run((jobs) -> {
			enqueue(250, "a", null);
			for (ReservedJob job : reserve(250, "a")) {
				end(job, RunEnd.Kind.DEAD);
			}
			JobRecord one = jobs.list(JobFilter.dead(), 1, null).jobs().get(0);
			EnqueueResult.Accepted back = (EnqueueResult.Accepted) jobs.requeue(one.id());
			assertThat(jobs.find(one.id()).orElseThrow().requeuedAs()).isEqualTo(back.id());
			assertThat(jobs.requeue(one.id())).isEqualTo(new EnqueueResult.Duplicate(back.id(), JobState.READY));
			JobFilter some = JobFilter.dead().matching((job) -> job.id().endsWith("5"));
			long fives = jobs.stream(some).count();
			assertThat(jobs.dismiss(some)).isEqualTo(new UpdateSummary(fives, fives, 0, 0));
			long rest = jobs.stream(JobFilter.all().job("billing.bill").matching((job) -> job.state() == JobState.DEAD))
				.count();
			assertThat(jobs.requeue(JobFilter.all())).isEqualTo(new RequeueSummary(rest, rest, 0));
			assertThat(jobs.counts("a").in(JobState.READY)).isEqualTo(rest + 1);
			assertThat(jobs.stream(JobFilter.dead())).isEmpty();
			assertThat(jobs.dismiss(one.id())).isEqualTo(UpdateResult.DONE);
		});
	}

	@Test
	void stepRequeuesAllItsDeadLetters() {
		run((jobs) -> {
			enqueue(250, "a", null);
			reserve(250, "a").forEach((job) -> end(job, RunEnd.Kind.DEAD));
			UpdateStep step = jobs.select(JobFilter.dead()).requeue(250, null);
			assertThat(step.matched()).isEqualTo(250);
			assertThat(step.done()).isEqualTo(250);
			assertThat(jobs.counts("a").in(JobState.READY)).isEqualTo(250);
		});
	}

	@Test
	void deadLettersOfATakenKeyStay() {
		run((jobs) -> {
			for (String id : List.of("x", "y")) {
				enqueue(job(id).with(LockStrategy.UNTIL_EXECUTED, "k"));
				end(reserve(1, "a").get(0), RunEnd.Kind.DEAD);
			}
			assertThat(jobs.requeue(JobFilter.dead())).isEqualTo(new RequeueSummary(2, 1, 1));
			assertThat(jobs.stream(JobFilter.dead())).hasSize(1);
		});
	}

	@Test
	void queuesArePausedResumedAndRemoved() {
		run((jobs) -> {
			enqueue(3, "a", null);
			jobs.pause("a");
			assertThat(reserve(1, "a")).isEmpty();
			jobs.resume("a");
			assertThat(reserve(1, "a")).hasSize(1);
			assertThat(jobs.overview()).isEqualTo(this.harness.store().overview());
			assertThat(jobs.overview().queues()).extracting(QueueOverview::counts).isEqualTo(jobs.counts());
			assertThat(jobs.workers()).isEqualTo(this.harness.store().workers()).hasSize(1);
			assertThat(jobs.remove("a")).isEqualTo(2);
			assertThat(jobs.verify()).isEmpty();
			assertThat(jobs.repair()).isEmpty();
		});
	}

	/**
	 * Each step of the action ends the first job of the key, and makes the next one
	 * ready.
	 */
	@Test
	void actionOnManyJobsOfOneKeyLeavesNoneOut() {
		run((jobs) -> {
			this.harness.takeForeign(TestJob.key("k"), MINUTE);
			for (int i = 0; i < 250; i++) {
				enqueue(job("k" + i).with(LockStrategy.WHILE_EXECUTING, "k"));
			}
			while (jobs.counts("a").in(JobState.PARKED) < 250) {
				assertThat(reserve(1, "a")).isEmpty();
			}
			this.harness.advance(MINUTE.multipliedBy(2));
			reserve(1, "other");
			assertThat(jobs.counts("a").in(JobState.READY)).isOne();
			assertThat(jobs.cancel(JobFilter.waiting().queue("a"))).isEqualTo(new UpdateSummary(250, 250, 0, 0));
			assertThat(jobs.counts("a").in(JobState.CANCELLED)).isEqualTo(250);
		});
	}

	private List<String> enqueue(int count, String queue, @Nullable Duration delay) {
		List<NewJob> jobs = IntStream.range(0, count).mapToObj((i) -> {
			TestJob job = job("j" + this.numbers.incrementAndGet()).in(queue);
			return (delay != null) ? job.after(delay).build() : job.build();
		}).toList();
		this.harness.queue().enqueue(jobs);
		return jobs.stream().map(NewJob::id).toList();
	}

	private void enqueue(TestJob job) {
		this.harness.queue().enqueue(job.build());
	}

	private static TestJob job(String id) {
		return TestJob.of(id).named("billing.bill").in("a");
	}

	private List<ReservedJob> reserve(int slots, String queue) {
		String id = "r" + this.numbers.incrementAndGet();
		return this.harness.queue()
			.reserve(new ReservationRequest(id, "w", "host/1/w", "thread", List.of(new QueueLimit(queue, 0)), slots))
			.jobs();
	}

	private void end(ReservedJob job, RunEnd.Kind kind) {
		this.harness.queue()
			.settle(List.of(new RunEnd(job.record().id(), job.token(), kind, MINUTE, "it broke")), null);
	}

	private static List<String> ids(JobAdministration jobs, JobFilter filter) {
		return jobs.stream(filter).map(JobRecord::id).toList();
	}

	static class Billing {

		@UniqueJob
		public void bill(long customer, YearMonth period, @Nullable Map<String, Object> options) {
		}

	}

}
