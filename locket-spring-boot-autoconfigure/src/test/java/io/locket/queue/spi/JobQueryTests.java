package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.CancelResult;
import io.locket.queue.DueTime;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnderTest;
import io.locket.queue.TestJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for listing jobs, including concurrent changes.
 */
class JobQueryTests extends AbstractQueueTests {

	@Test
	void jobsThatWaitAreListedInTheirOrder() {
		this.user.enqueue(TestJob.of("s2").after(Duration.ofSeconds(20)));
		this.user.enqueue(TestJob.of("s1").after(Duration.ofSeconds(10)));
		this.user.enqueue(TestJob.of("b"));
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("other").in("other"));
		assertThat(list(JobState.READY, 2)).containsExactly("b", "a");
		assertThat(list(JobState.SCHEDULED, 1)).containsExactly("s1", "s2");
		assertThat(list(JobState.PARKED, 1)).isEmpty();
	}

	@Test
	void jobsThatParkOrWaitForARetryAreListed() {
		this.user.enqueue(TestJob.of("retry"));
		this.user.fail(this.user.take());
		this.harness.takeForeign(TestJob.key("k"), Duration.ofMinutes(1));
		this.user.enqueue(TestJob.of("parked").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(1, "q");
		assertThat(list(JobState.RETRY, 10)).containsExactly("retry");
		assertThat(list(JobState.PARKED, 10)).containsExactly("parked");
	}

	@Test
	void whatHasEndedIsListedByItsEndTheLatestFirst() {
		for (String id : List.of("a", "b", "c")) {
			this.user.enqueue(TestJob.of(id));
			this.user.succeed(this.user.take());
			this.user.enqueue(TestJob.of("dead-" + id));
			this.user.kill();
			this.user.advance(Duration.ofMillis(1));
		}
		assertThat(list(JobState.SUCCEEDED, 1)).containsExactly("c", "b", "a");
		assertThat(list(JobState.DEAD, 2)).containsExactly("dead-c", "dead-b", "dead-a");
		assertThat(list(JobState.CANCELLED, 2)).isEmpty();
		assertThat(this.store.list(listing(JobState.SUCCEEDED, null, 10)).jobs().get(0)).isEqualTo(this.user.find("c"));
	}

	@Test
	void deadLettersAreListedAsLongAsTheyAreSome() {
		for (String id : List.of("a", "b", "c")) {
			this.user.enqueue(TestJob.of(id));
			this.user.kill();
		}
		this.user.update(UpdateAction.Kind.DISMISS, "a");
		this.user.requeue("b", "b2");
		assertThat(list(JobState.DEAD, 10)).containsExactly("c");
	}

	@Test
	void filtersAreAppliedBeforeAPageIsFull() {
		for (int i = 0; i < 30; i++) {
			this.user.enqueue(TestJob.of("j" + i)
				.in((i % 2 == 0) ? "q" : "q.other")
				.with((i % 3 == 0) ? LockStrategy.WHILE_EXECUTING : LockStrategy.NONE, "k" + i % 6));
		}
		this.user.reserve(100, "q", "q.other");
		String digest = TestJob.key("k0").digest();
		JobQuery ofKey = new JobQuery(JobState.PARKED, "q", null, digest, 10, null);
		assertThat(ids(this.store.list(ofKey))).containsExactly("j6", "j12", "j18", "j24");
		assertThat(ids(this.store.list(new JobQuery(JobState.RUNNING, "q.other", "job", null, 1000, null)))).hasSize(11)
			.contains("j1", "j5", "j3");
		assertThat(this.store.list(new JobQuery(JobState.RUNNING, null, "jo", null, 1000, null)).jobs()).isEmpty();
		assertThat(ids(this.store.list(new JobQuery(JobState.RUNNING, null, null, digest, 1000, null))))
			.containsExactly("j0");
	}

	@Test
	void textThatResemblesAFieldIsNone() {
		this.user.enqueue(TestJob.of("a").arguments("[{\"q\":\"x\",\"s\":\"dead\",\"j\":\"y\"}]"));
		ReservedJob job = this.user.take();
		this.user.end(RunEnd.retry(job, Duration.ofSeconds(1), "\"s\":\"dead\" and \"j\":\"y\""));
		assertThat(this.store.list(new JobQuery(JobState.RETRY, "q", "y", null, 10, null)).jobs()).isEmpty();
		assertThat(ids(this.store.list(new JobQuery(JobState.RETRY, "q", "job", null, 10, null)))).containsExactly("a");
	}

	/**
	 * A hundred jobs of the same time, where the last jobs of pages and their neighbours
	 * are removed.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 33 })
	void whatStaysIsOnOnePageWhateverElseLeaves(int limit) {
		this.queue.enqueue(IntStream.range(0, 100)
			.mapToObj((i) -> TestJob.of("j" + (i * 37 % 100)).after(Duration.ofSeconds(10)).build())
			.toList());
		List<String> cancelled = new ArrayList<>();
		List<String> listed = pages(JobState.SCHEDULED, "q", limit, (page) -> {
			JobRecord last = page.jobs().get(page.jobs().size() - 1);
			if (last.id().startsWith("new")) {
				return;
			}
			int number = Integer.parseInt(last.id().substring(1));
			for (int i = number; i < number + 3; i++) {
				if (this.store.cancel("j" + i) == CancelResult.CANCELLED) {
					cancelled.add("j" + i);
				}
			}
			this.user.enqueue(TestJob.of("new" + cancelled.size() + "-" + number).after(Duration.ofSeconds(10)));
		});
		List<String> stayed = IntStream.range(0, 100)
			.mapToObj((i) -> "j" + i)
			.filter((id) -> !cancelled.contains(id))
			.toList();
		assertThat(listed).doesNotHaveDuplicates().containsAll(stayed);
	}

	@Test
	void whatEndsBetweenPagesIsOnNoneOfThemAndDelaysNothing() {
		for (int i = 0; i < 50; i++) {
			this.user.enqueue(TestJob.of("j" + i));
			this.user.succeed(this.user.take());
		}
		List<String> listed = pages(JobState.SUCCEEDED, null, 7, (page) -> {
			String id = "late-" + page.jobs().get(0).id();
			this.user.enqueue(TestJob.of(id));
			this.user.succeed(this.user.take());
		});
		assertThat(listed.stream().filter((id) -> !id.startsWith("late-")).toList()).doesNotHaveDuplicates()
			.hasSize(50);
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 70 })
	void jobsThatRunAreListedHoweverOftenTheyAreRenewed(int limit) {
		int count = 300;
		this.queue.enqueue(IntStream.range(0, count).mapToObj((i) -> TestJob.of("j" + i).build()).toList());
		List<ReservedJob> runs = this.user.reserve(count, "q").jobs();
		List<RunToken> tokens = runs.stream().map((run) -> new RunToken(run.record().id(), run.token())).toList();
		List<String> listed = pages(JobState.RUNNING, null, limit, (page) -> {
			assertThat(page.jobs()).hasSizeLessThanOrEqualTo(limit);
			this.user.advance(Duration.ofMillis(1));
			for (int from = 0; from < count; from += 100) {
				this.queue.renew(tokens.subList(from, from + 100));
			}
		});
		assertThat(listed).hasSizeLessThan(2 * count)
			.containsAll(runs.stream().map((run) -> run.record().id()).toList());
	}

	@ParameterizedTest
	@EnumSource
	void cursorThatIsNoneIsRefused(JobState state) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.list(new JobQuery(state, "q", null, null, 10, "nonsense!")))
			.withMessageContaining("'nonsense!' is no cursor");
		for (String cursor : List.of("1..2 a", "99999999999999999999 a", "99999999999999999999", "1 a b!")) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.store.list(new JobQuery(state, "q", null, null, 10, cursor)));
		}
	}

	@Test
	void cursorMayBeLong() {
		JobQuery listing = new JobQuery(JobState.RUNNING, null, null, null, 10, "0" + " j".repeat(100_000));
		if (this.implementation == QueueUnderTest.REDIS) {
			assertThat(this.store.list(listing).jobs()).isEmpty();
		}
		else {
			assertThatIllegalArgumentException().isThrownBy(() -> this.store.list(listing));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 1000 })
	void jobsThatAreDueWithinARangeAreListedInTheirOrder(int limit) {
		Instant now = this.harness.now();
		for (int i = 9; i >= 0; i--) {
			this.user.enqueue(TestJob.of("a" + i).after(Duration.ofMillis(1000 + i)));
			this.user.enqueue(TestJob.of("b" + i).after(Duration.ofMillis(1000 + i)));
		}
		assertThat(due(limit, now.plusMillis(1004), now.plusMillis(1006))).containsExactly("a4", "b4", "a5", "b5");
		assertThat(due(limit, null, now.plusMillis(1001))).containsExactly("a0", "b0");
		assertThat(due(limit, now.plusMillis(1009), null)).containsExactly("a9", "b9");
		assertThat(due(limit, Instant.MIN, Instant.MAX)).hasSize(20);
		assertThat(due(limit, now.plusMillis(1003).plusNanos(1), now.plusMillis(1004).plusNanos(1)))
			.containsExactly("a4", "b4");
		assertThat(due(limit, now.plusMillis(1004), now.plusMillis(1004))).isEmpty();
		assertThat(due(limit, now.plusMillis(1006), now.plusMillis(1004))).isEmpty();
		assertThat(due(limit, now.plusMillis(1010), null)).isEmpty();
	}

	@Test
	void whatStaysInARangeIsOnOnePageWhateverElseLeaves() {
		Instant due = this.harness.now().plusMillis(1000);
		this.queue.enqueue(IntStream.range(0, 90)
			.mapToObj((i) -> TestJob.of("j" + (10 + i)).start(NewJob.Start.at(due.plusMillis(i / 30))).build())
			.toList());
		List<String> listed = new ArrayList<>();
		String cursor = null;
		do {
			JobPage page = this.store.list(
					new JobQuery(JobState.SCHEDULED, "q", null, null, 7, cursor, due.plusMillis(1), due.plusMillis(2)));
			listed.addAll(ids(page));
			page.jobs().forEach((job) -> this.store.cancel(job.id()));
			cursor = page.cursor();
		}
		while (cursor != null);
		assertThat(listed).containsExactlyElementsOf(IntStream.range(30, 60).mapToObj((i) -> "j" + (10 + i)).toList());
		assertThat(this.store.counts("q").in(JobState.SCHEDULED)).isEqualTo(60);
	}

	@Test
	void jobsThatWaitForARetryAreListedByTheirDueTime() {
		this.user.enqueue(TestJob.of("a"));
		this.user.end(RunEnd.retry(this.user.take(), Duration.ofSeconds(10), "it broke"));
		Instant due = this.harness.now().plusSeconds(10);
		assertThat(
				ids(this.store.list(new JobQuery(JobState.RETRY, "q", null, null, 10, null, due, due.plusMillis(1)))))
			.containsExactly("a");
		assertThat(this.store.list(new JobQuery(JobState.RETRY, "q", null, null, 10, null, null, due)).jobs())
			.isEmpty();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "SCHEDULED", "RETRY" })
	void jobsWithoutADueTimeAreNotListedByIt(JobState state) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new JobQuery(state, "q", null, null, 10, null, Instant.EPOCH, null))
			.withMessageContaining("cannot be listed by due time");
	}

	@Test
	void dueTimesAreListedWithTheNumberOfTheirJobs() {
		Instant now = this.harness.now();
		for (int i = 0; i < 250; i++) {
			this.user.enqueue(TestJob.of("j" + i).after(Duration.ofMillis(1000 + i % 3)));
		}
		this.user.enqueue(TestJob.of("ready"));
		this.user.end(RunEnd.retry(this.user.take(), Duration.ofSeconds(10), "it broke"));
		this.user.enqueue(TestJob.of("other").in("other").after(Duration.ofMillis(1)));
		DueTime first = new DueTime(now.plusMillis(1000), 84);
		DueTime second = new DueTime(now.plusMillis(1001), 83);
		DueTime third = new DueTime(now.plusMillis(1002), 83);
		assertThat(dueTimes(null, 100)).containsExactly(first, second, third);
		assertThat(dueTimes(null, 2)).containsExactly(first, second);
		assertThat(dueTimes(now.plusMillis(1001), 2)).containsExactly(second, third);
		assertThat(dueTimes(now.plusMillis(1001).plusNanos(1), 2)).containsExactly(third);
		assertThat(dueTimes(now.plusMillis(1003), 2)).isEmpty();
		assertThat(dueTimes(Instant.MIN, 1)).containsExactly(first);
		assertThat(dueTimes(Instant.MAX, 1)).isEmpty();
		assertThat(this.store.dueTimes(new DueTimeQuery("nowhere", null, 1))).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> dueTimes(null, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> dueTimes(null, 101));
	}

	private List<DueTime> dueTimes(@Nullable Instant from, int limit) {
		return this.store.dueTimes(new DueTimeQuery("q", from, limit));
	}

	private List<String> due(int limit, @Nullable Instant from, @Nullable Instant until) {
		List<String> listed = new ArrayList<>();
		String cursor = null;
		do {
			JobPage page = this.store
				.list(new JobQuery(JobState.SCHEDULED, "q", null, null, limit, cursor, from, until));
			listed.addAll(ids(page));
			cursor = page.cursor();
		}
		while (cursor != null);
		return listed;
	}

	@Test
	void nothingIsListedWhereNothingIs() {
		for (JobState state : JobState.values()) {
			assertThat(this.store.list(listing(state, "q", 10))).isEqualTo(new JobPage(List.of(), null));
		}
	}

	private List<String> list(JobState state, int limit) {
		return pages(state, "q", limit, (page) -> assertThat(page.jobs()).hasSizeLessThanOrEqualTo(limit));
	}

	/**
	 * Lists all pages, and runs an action between them.
	 */
	private List<String> pages(JobState state, @Nullable String queue, int limit, Consumer<JobPage> between) {
		List<String> listed = new ArrayList<>();
		String cursor = null;
		int pages = 0;
		do {
			JobPage page = this.store.list(new JobQuery(state, queue, null, null, limit, cursor));
			listed.addAll(ids(page));
			cursor = page.cursor();
			if (cursor != null && !page.jobs().isEmpty()) {
				between.accept(page);
			}
			assertThat(++pages).as("pages").isLessThan(1000);
		}
		while (cursor != null);
		return listed;
	}

	private static JobQuery listing(JobState state, @Nullable String queue, int limit) {
		return new JobQuery(state, queue, null, null, limit, null);
	}

	private static List<String> ids(JobPage page) {
		return page.jobs().stream().map(JobRecord::id).toList();
	}

}
