package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.event.JobEvent;
import io.locket.event.QueueEvent;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueHarness;
import io.locket.queue.TestJob;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.AbstractQueueTests;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runner of a program on the model and on the queue under test side by side. After each
 * step it compares the replies, the events and the state of every job.
 */
final class StepRunner {

	private static final Set<String> QUEUES = Set.of("high", "mid", "low");

	/**
	 * Maximum time after the end of a job at which its calls are repeated, because a
	 * client may re-send so long.
	 */
	private static final Duration REPEATED_AT_MOST = Duration.ofSeconds(8);

	/**
	 * Minimum time for which ended jobs are kept, regardless of their number.
	 */
	private static final Duration KNOWN_AT_LEAST = Duration.ofMinutes(30);

	private final InMemoryHarness model = new InMemoryHarness();

	private final QueueHarness subject;

	private final Instant modelEpoch = this.model.now();

	private final Instant subjectEpoch;

	private final Map<String, Poller> pollers = new HashMap<>();

	private final Map<String, JobView> ended = new HashMap<>();

	private final StepInvariants invariants = new StepInvariants();

	/**
	 * Names of the enumerated values and classes that have occurred.
	 */
	private final Set<String> situations = new TreeSet<>();

	/**
	 * Times until which stolen keys are not checked.
	 */
	private final Map<String, Instant> stolenUntil = new HashMap<>();

	private int requests;

	/**
	 * Number of the events of the model that were compared.
	 */
	private int expectedEvents;

	/**
	 * Number of the events of the queue under test that were compared.
	 */
	private int actualEvents;

	private final boolean repeating;

	private final JobQueue expected;

	private final JobQueue actual;

	private final JobStore expectedStore;

	private final JobStore actualStore;

	/**
	 * Creates a runner.
	 * @param subject the queue under test
	 * @param repeating whether every call is sent twice
	 */
	StepRunner(QueueHarness subject, boolean repeating) {
		this.subject = subject;
		this.repeating = repeating;
		RepeatingQueue repeated = new RepeatingQueue(this.model.queue(), this.model.store());
		RepeatingQueue repeatedSubject = new RepeatingQueue(subject.queue(), subject.store());
		this.expected = repeating ? repeated : this.model.queue();
		this.expectedStore = repeating ? repeated : this.model.store();
		this.actual = repeating ? repeatedSubject : subject.queue();
		this.actualStore = repeating ? repeatedSubject : subject.store();
		this.subjectEpoch = subject.now();
	}

	/**
	 * Runs a program, and then brings every job to its end.
	 * @return what has happened
	 */
	Set<String> run(List<QueueStep> program) {
		int number = 0;
		for (QueueStep step : program) {
			number++;
			check("step " + number + ": " + step, () -> {
				run(step);
				compareReads(step.toString().hashCode() & Integer.MAX_VALUE);
			});
		}
		check("the end", this::drain);
		IntStream.range(0, JobState.values().length * QUEUES.size()).forEach(this::compareReads);
		return this.situations;
	}

	private void check(String name, Runnable action) {
		try {
			action.run();
			compareEvents();
			compare();
		}
		catch (AssertionError | RuntimeException ex) {
			throw new AssertionError(name + ": " + ex.getMessage(), ex);
		}
	}

	private void run(QueueStep step) {
		if (step instanceof QueueStep.Enqueue enqueue) {
			enqueue(enqueue.jobs());
		}
		else if (step instanceof QueueStep.Reserve reserve) {
			call(poller(reserve.poller()), List.of(), reserve.wish().by(reserve.poller()), reserve.lost());
		}
		else if (step instanceof QueueStep.Settle settle) {
			settle(poller(settle.poller()), settle);
		}
		else if (step instanceof QueueStep.Repeat repeat) {
			repeat(poller(repeat.poller()));
		}
		else if (step instanceof QueueStep.Renew renew) {
			poller(renew.poller()).runs.forEach(this::renew);
		}
		else if (step instanceof QueueStep.Die die) {
			this.pollers.remove(die.poller());
		}
		else if (step instanceof QueueStep.Advance advance) {
			advance(advance.duration());
		}
		else {
			administer(step);
		}
	}

	private void administer(QueueStep step) {
		if (step instanceof QueueStep.Cancel cancel) {
			cancel(cancel.id());
		}
		else if (step instanceof QueueStep.Update update) {
			update(update);
		}
		else if (step instanceof QueueStep.RequeueAll requeue) {
			requeue(requeue.letters());
		}
		else if (step instanceof QueueStep.Pause pause) {
			pause(pause.queue(), pause.paused());
		}
		else if (step instanceof QueueStep.Remove remove) {
			assertThat(this.actualStore.remove(remove.queue())).as("removed jobs")
				.isEqualTo(this.expectedStore.remove(remove.queue()));
			serve();
			advance(Duration.ofMillis(5));
		}
		else if (step instanceof QueueStep.TakeForeign take) {
			takeForeign(take.key(), take.period());
		}
		else if (step instanceof QueueStep.ReleaseForeign release) {
			releaseForeign(release.key());
		}
		else if (step instanceof QueueStep.Claim claim) {
			this.model.claim(claim.key(), claim.period());
			this.subject.claim(claim.key(), claim.period());
		}
	}

	private void enqueue(List<NewJob> jobs) {
		List<NewJob> fit = jobs.stream().filter(this::mayBeRepeated).toList();
		if (fit.isEmpty()) {
			return;
		}
		List<EnqueueResult> expected = this.expected.enqueue(fit);
		assertThat(this.actual.enqueue(fit)).as("results").isEqualTo(expected);
		expected.forEach((result) -> saw(result.getClass().getSimpleName()));
	}

	/**
	 * Whether a job, or the one that has taken its arguments, is new or cannot have been
	 * forgotten.
	 */
	private boolean mayBeRepeated(NewJob job) {
		String id = this.model.queue().store.replacements.getOrDefault(job.id(), job.id());
		return this.expectedStore.find(id)
			.map(JobRecord::endedAt)
			.map((end) -> Duration.between(end, this.model.now()).compareTo(REPEATED_AT_MOST) < 0)
			.orElse(true);
	}

	private void settle(Poller poller, QueueStep.Settle step) {
		List<Run> runs = List.copyOf(poller.runs.subList(0, Math.min(step.runs(), poller.runs.size())));
		if (runs.isEmpty() && step.next() == null) {
			return;
		}
		poller.runs.removeAll(runs);
		List<End> ends = runs.stream().map((run) -> new End(run, step.kind(), step.delay())).toList();
		call(poller, ends, (step.next() != null) ? step.next().by(step.poller()) : null, false);
	}

	private void call(Poller poller, List<End> ends, @Nullable ReservationRequest next, boolean lost) {
		if (next != null) {
			serveMany();
		}
		poller.last = new Call(ends, next, this.model.now());
		Settlement expected = send(this.expected, ends, next);
		Settlement actual = send(this.actual, ends, next);
		assertThat(actual.ends()).as("ends").isEqualTo(expected.ends());
		ends.forEach((end) -> this.invariants.ended(end.run().actual()));
		expected.ends().forEach((end) -> saw(end.counted() ? "counted" : "refused as " + end.state()));
		if (next != null) {
			List<Run> taken = compare(expected.next(), actual.next());
			taken.forEach((run) -> this.invariants.started(run.actual(), this.subject.now()));
			this.invariants.checkReply(this.model.queue().store, next, expected.next());
			this.invariants.checkReply(this.model.queue().store, next, actual.next());
			if (!lost) {
				poller.runs.addAll(taken);
			}
		}
	}

	private void repeat(Poller poller) {
		Call last = poller.last;
		if (last == null || Duration.between(last.at(), this.model.now()).compareTo(REPEATED_AT_MOST) >= 0) {
			return;
		}
		serveMany();
		Settlement expected = send(this.expected, last.ends(), last.next());
		Settlement actual = send(this.actual, last.ends(), last.next());
		for (int i = 0; i < last.ends().size(); i++) {
			EndResult end = expected.ends().get(i);
			assertThat(actual.ends().get(i).counted()).as("repeated end of %s", end.id()).isEqualTo(end.counted());
		}
		if (last.next() != null) {
			for (Run run : compare(expected.next(), actual.next())) {
				if (poller.runs.stream().noneMatch(run::isSameAs)) {
					saw("run told of late");
					poller.runs.add(run);
				}
			}
		}
	}

	private Settlement send(JobQueue queue, List<End> ends, @Nullable ReservationRequest next) {
		List<RunEnd> runEnds = ends.stream().map((end) -> end.of(queue == this.expected)).toList();
		if (runEnds.isEmpty()) {
			return new Settlement(List.of(), queue.reserve(Objects.requireNonNull(next)));
		}
		return queue.settle(runEnds, next);
	}

	private List<Run> compare(Reservation expected, Reservation actual) {
		assertThat(AbstractQueueTests.ids(actual.jobs())).as("reserved jobs")
			.containsExactly(AbstractQueueTests.ids(expected.jobs()));
		List<Run> runs = new ArrayList<>();
		for (int i = 0; i < expected.jobs().size(); i++) {
			Run run = new Run(expected.jobs().get(i), actual.jobs().get(i));
			JobView.compare(view(run.actual().record(), this.subjectEpoch),
					view(run.expected().record(), this.modelEpoch));
			assertThat(run.actual().keyLeased()).as("key lease of %s", run.id()).isEqualTo(run.expected().keyLeased());
			assertThat(isForeign(run.actual().conflict())).as("conflict of %s", run.id())
				.isEqualTo(isForeign(run.expected().conflict()));
			saw((run.actual().conflict() != null) ? "conflict" : "run");
			runs.add(run);
		}
		if (actual.cutShort()) {
			saw("cut short");
		}
		return runs;
	}

	private static Optional<Boolean> isForeign(@Nullable LeaseHolder holder) {
		return (holder != null) ? Optional.of(true) : Optional.empty();
	}

	private void renew(Run run) {
		RunRenewal expected = renew(this.expected, run.expected());
		RunRenewal actual = renew(this.actual, run.actual());
		assertThat(actual).as("renewal of %s", run.id()).isEqualTo(expected);
		saw(String.valueOf(actual.keyLoss()));
		this.invariants.renewed(run.actual(), actual, this.subject.now());
	}

	private static RunRenewal renew(JobQueue queue, ReservedJob job) {
		return queue.renew(List.of(new RunToken(job.record().id(), job.token()))).get(0);
	}

	private void update(QueueStep.Update step) {
		List<ExpectedJob> jobs = step.jobs().stream().filter((job) -> isRemembered(job.id())).toList();
		List<UpdateResult> expected = this.expectedStore.update(step.action(this.model.now()), jobs);
		assertThat(this.actualStore.update(step.action(this.subject.now()), jobs)).as("results").isEqualTo(expected);
		expected.forEach((result) -> saw(step.kind() + " " + result));
		serve();
	}

	private void requeue(List<RequeuedJob> letters) {
		List<RequeuedJob> fit = letters.stream()
			.filter((letter) -> isRemembered(letter.id()) && isRemembered(letter.newId()))
			.toList();
		List<EnqueueResult> expected = this.expectedStore.requeue(fit);
		assertThat(this.actualStore.requeue(fit).toString()).as("results").isEqualTo(expected.toString());
		expected.forEach((result) -> saw("put back: " + result.getClass().getSimpleName()));
		fit.forEach((letter) -> this.ended.remove(letter.id()));
		serve();
	}

	/**
	 * Whether a job is new or cannot have been forgotten.
	 */
	private boolean isRemembered(String id) {
		return this.expectedStore.find(id)
			.map(JobRecord::endedAt)
			.map((end) -> Duration.between(end, this.model.now()).compareTo(KNOWN_AT_LEAST) < 0)
			.orElse(true);
	}

	private void cancel(String id) {
		Optional<JobState> before = this.expectedStore.find(id).map(JobRecord::state);
		CancelResult expected = this.expectedStore.cancel(id);
		CancelResult actual = this.actualStore.cancel(id);
		if (before.isEmpty() || !before.get().isEnded()) {
			assertThat(actual).as("cancellation").isEqualTo(expected);
		}
		serve();
	}

	private void pause(String queue, boolean paused) {
		for (JobStore each : List.of(this.expectedStore, this.actualStore)) {
			if (paused) {
				each.pause(queue);
			}
			else {
				each.resume(queue);
			}
		}
	}

	/**
	 * A key that is stolen stays so for longer than the lease that it was stolen from: a
	 * queue may look at it only when that one would have expired.
	 */
	private void takeForeign(JobKey key, Duration period) {
		KeyLock lock = this.model.queue().store.lock(key.digest());
		Duration time = period;
		if (isStolen(key)) {
			time = period.plus(Duration.ofMinutes(2));
		}
		else if (lock != null && lock.job() != null) {
			time = period.plus(Duration.ofMinutes(2));
			this.stolenUntil.put(key.digest(), Instant.ofEpochMilli(lock.expiresAt() + 2));
		}
		this.model.takeForeign(key, time);
		this.subject.takeForeign(key, time);
		this.invariants.stolen(key.digest());
	}

	/**
	 * A release without a notification is detected within a second.
	 */
	private void releaseForeign(JobKey key) {
		MemoryStore store = this.model.queue().store;
		KeyLock lock = store.lock(key.digest());
		boolean noticedLate = lock != null && lock.job() != null
				&& store.jobs.values()
					.stream()
					.anyMatch((job) -> job.is(JobState.PARKED) && job.digest().equals(key.digest()));
		if (lock == null || isStolen(key) || noticedLate) {
			return;
		}
		this.model.releaseForeign(key);
		this.subject.releaseForeign(key);
		this.invariants.stolen(key.digest());
		advance(Duration.ofMillis(1001));
		serve();
	}

	private boolean isStolen(JobKey key) {
		return this.stolenUntil.getOrDefault(key.digest(), Instant.MIN).isAfter(this.model.now());
	}

	private void advance(Duration duration) {
		this.model.advance(duration);
		this.subject.advance(duration);
	}

	/**
	 * Lets both serve what is due, each in as many calls as it needs.
	 */
	private void serve() {
		for (JobQueue each : List.of(this.expected, this.actual)) {
			ReservationRequest request;
			do {
				request = new QueueStep.Wish("s" + ++this.requests, 0, List.of(), Set.of()).by("server");
			}
			while (each.reserve(request).cutShort());
		}
	}

	/**
	 * Serves due jobs if there are more than one call may serve, because the number that
	 * one call serves is not specified.
	 */
	private void serveMany() {
		MemoryStore store = this.model.queue().store;
		long due = store.jobs.values()
			.stream()
			.filter((job) -> job.is(JobState.PARKED) || (job.run != null && job.run.deadline <= store.now)
					|| (job.due != null && job.due <= store.now && !job.is(JobState.READY)))
			.count();
		if (due > MemoryDue.BOUND / 2) {
			serve();
		}
	}

	/**
	 * With all workers dead, no queue paused and no key taken, every job comes to its
	 * end.
	 */
	private void drain() {
		QUEUES.forEach((queue) -> pause(queue, false));
		this.pollers.clear();
		advance(Duration.ofMinutes(5));
		List<QueueLimit> limits = new TreeSet<>(QUEUES).stream().map((queue) -> new QueueLimit(queue, 0)).toList();
		for (int i = 0; i < 500; i++) {
			Poller poller = poller("drain");
			call(poller, List.of(), new QueueStep.Wish("d" + ++this.requests, 3, limits, Set.of()).by("drain"), false);
			List<End> ends = poller.runs.stream()
				.map((run) -> new End(run, RunEnd.Kind.SUCCEEDED, Duration.ZERO))
				.toList();
			poller.runs.clear();
			if (!ends.isEmpty()) {
				call(poller, ends, null, false);
			}
			else {
				advance(Duration.ofSeconds(10));
			}
			if (live().isEmpty()) {
				return;
			}
		}
		throw new AssertionError("never end: " + live());
	}

	private List<MemoryJob> live() {
		return this.model.queue().store.jobs.values().stream().filter((job) -> !job.state.isEnded()).toList();
	}

	/**
	 * Compares the events of each job since the last step, without their durations. A
	 * repeated call may publish an event again.
	 */
	private void compareEvents() {
		Map<String, List<String>> expected = published(this.model.events(), this.expectedEvents);
		Map<String, List<String>> actual = published(this.subject.events(), this.actualEvents);
		this.expectedEvents = this.model.events().size();
		this.actualEvents = this.subject.events().size();
		if (!this.repeating) {
			assertThat(actual).as("events").isEqualTo(expected);
		}
	}

	private static Map<String, List<String>> published(List<JobEvent> events, int from) {
		return events.subList(from, events.size())
			.stream()
			.filter(QueueEvent.class::isInstance)
			.map(QueueEvent.class::cast)
			.collect(Collectors.groupingBy(QueueEvent::id, TreeMap::new, Collectors
				.mapping((event) -> event.toString().replaceAll("PT[0-9HMS.]+", "some time"), Collectors.toList())));
	}

	/**
	 * Compare what has become of every job.
	 */
	private void compare() {
		for (MemoryJob job : this.model.queue().store.jobs.values()) {
			if (!this.ended.containsKey(job.id())) {
				saw(job.state.toString());
				saw((job.reclaims > 3) ? "poison" : "job");
				saw(job.aside ? "set aside" : "job");
				JobView expected = view(job.toRecord(), this.modelEpoch);
				Optional<JobRecord> actual = this.actualStore.find(job.id());
				JobView.compare(actual.map((record) -> view(record, this.subjectEpoch)).orElse(null), expected);
				if (job.state.isEnded()) {
					this.ended.put(job.id(), expected);
				}
			}
		}
		this.ended.forEach((id, view) -> assertThat(view(this.expectedStore.find(id).orElseThrow(), this.modelEpoch))
			.as("end of %s", id)
			.isEqualTo(view));
		for (String queue : QUEUES) {
			this.invariants.checkCounts(this.actualStore.counts(queue), this.expectedStore.counts(queue));
		}
		assertThat(this.expectedStore.verify()).as("violations of the model").isEmpty();
		assertThat(this.actualStore.verify()).as("violations").isEmpty();
	}

	private static List<String> workers(JobStore store, Instant epoch) {
		return store.workers()
			.stream()
			.map((worker) -> worker.instance() + " " + Duration.between(epoch, worker.lastSeen()) + " "
					+ worker.pollers() + " " + worker.running())
			.toList();
	}

	/**
	 * Compares one list of jobs, the blocker of one key, all queues, and at times the
	 * workers. The step selects them, so that the choice does not change when other steps
	 * are left out.
	 */
	private void compareReads(int number) {
		JobState state = JobState.values()[number % JobState.values().length];
		String queue = List.copyOf(new TreeSet<>(QUEUES)).get(number % QUEUES.size());
		assertThat(listed(this.actualStore, state, queue, 3)).as("%s jobs of %s", state, queue)
			.isEqualTo(listed(this.expectedStore, state, queue, 1000));
		JobKey key = TestJob.key("k" + number % 4);
		boolean claimable = number % 3 > 0;
		assertThat(blocker(this.actualStore, key, claimable)).as("blocker of %s", key)
			.isEqualTo(blocker(this.expectedStore, key, claimable));
		assertThat(this.actualStore.overview().queues()).as("overview")
			.isEqualTo(this.expectedStore.overview().queues());
		if (number % 4 == 0) {
			assertThat(workers(this.actualStore, this.subjectEpoch)).as("workers")
				.isEqualTo(workers(this.expectedStore, this.modelEpoch));
		}
		if (number % 12 == 0) {
			assertThat(requestedAt(this.actualStore, this.subjectEpoch)).as("request for polls")
				.isEqualTo(requestedAt(this.expectedStore, this.modelEpoch));
		}
	}

	/**
	 * Requests the polls of idle workers, and returns when that was done.
	 */
	private static @Nullable Duration requestedAt(JobStore store, Instant epoch) {
		return store.requestPolls(Instant.EPOCH).map((request) -> Duration.between(epoch, request.time())).orElse(null);
	}

	private static List<String> listed(JobStore store, JobState state, String queue, int limit) {
		List<String> ids = new ArrayList<>();
		String cursor = null;
		do {
			JobPage page = store.list(new JobQuery(state, queue, null, null, limit, cursor));
			page.jobs().forEach((job) -> ids.add(job.id()));
			cursor = page.cursor();
		}
		while (cursor != null);
		if (state == JobState.RUNNING || state.isEnded()) {
			Collections.sort(ids);
		}
		return ids;
	}

	private static String blocker(JobStore store, JobKey key, boolean claimable) {
		return store.blocker(key, claimable)
			.map((one) -> one.id() + " " + one.state() + " " + one.queue() + " " + one.position() + " "
					+ ((one.holder() != null) ? one.holder().instance() : ""))
			.orElse("nobody");
	}

	private void saw(String situation) {
		this.situations.add(situation);
	}

	private static JobView view(JobRecord record, Instant epoch) {
		return JobView.of(record, epoch);
	}

	private Poller poller(String name) {
		return this.pollers.computeIfAbsent(name, (key) -> new Poller());
	}

	/**
	 * State of a thread of a worker.
	 */
	private static final class Poller {

		private final List<Run> runs = new ArrayList<>();

		private @Nullable Call last;

	}

	private record Call(List<End> ends, @Nullable ReservationRequest next, Instant at) {

	}

	private record Run(ReservedJob expected, ReservedJob actual) {

		String id() {
			return this.actual.record().id();
		}

		boolean isSameAs(Run other) {
			return this.actual.token().equals(other.actual.token());
		}

	}

	private record End(Run run, RunEnd.Kind kind, Duration delay) {

		RunEnd of(boolean model) {
			String token = model ? this.run.expected().token() : this.run.actual().token();
			return new RunEnd(this.run.id(), token, this.kind, this.delay, "it broke")
				.withProgress(new RunProgress(new RunToken(this.run.id(), token), this.delay.toSeconds(), 0, null));
		}

	}

}
