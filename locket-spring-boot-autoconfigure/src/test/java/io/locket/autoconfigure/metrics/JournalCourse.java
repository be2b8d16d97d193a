package io.locket.autoconfigure.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.DuplicateJobException;
import io.locket.JobState;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * The steps of a producer of {@link JournalWork} while workers run it: a hundred jobs for
 * each unit.
 */
final class JournalCourse {

	static final String UNKNOWN = "no.such.job";

	private static final String KEY = "held";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final int unit;

	private final MeterJournal journal;

	private final JournalWork work;

	private final JournalWork.KeyHold hold;

	private final Jobs jobs;

	private final JobQueue queue;

	private final JobAdministration administration;

	private final List<String> requeue = new ArrayList<>();

	JournalCourse(ApplicationContext context, int unit) {
		this.unit = unit;
		this.journal = context.getBean(MeterJournal.class);
		this.work = context.getBean(JournalWork.class);
		this.hold = context.getBean(JournalWork.KeyHold.class);
		this.jobs = context.getBean(Jobs.class);
		this.queue = context.getBean(JobQueue.class);
		this.administration = context.getBean(JobAdministration.class);
	}

	/**
	 * Returns the records of all jobs, including requeued dead letters, which listings
	 * leave out.
	 */
	List<JobRecord> records() {
		return Stream
			.concat(this.administration.stream(JobFilter.all()),
					this.requeue.stream().map((id) -> this.administration.find(id).orElseThrow()))
			.toList();
	}

	void run() throws Exception {
		this.administration.pause("later");
		this.administration.pause("trash");
		conflicts();
		plain();
		duplicates();
		this.administration.resume("later");
		removal();
		deferral();
		calls();
		awaitEnds();
		requeue();
		awaitEnds();
	}

	/**
	 * Enqueues jobs whose keys are held until each of them has had its conflict.
	 */
	private void conflicts() throws Exception {
		ExecutorService holders = Executors.newFixedThreadPool(4);
		try {
			List<Callable<Void>> calls = List.of(() -> hold((key) -> this.work.parks(key, 0)),
					() -> hold((key) -> this.work.rejects(key, 0)), () -> hold((key) -> this.work.raises(key, 0)),
					() -> hold((key) -> this.work.reschedules(key, 0)));
			List<Future<Void>> holding = new ArrayList<>();
			calls.forEach((call) -> holding.add(holders.submit(call)));
			this.hold.awaitHeld();
			enqueue("work.parks", "conflicts", 5 * this.unit, (i) -> new Object[] { KEY, i });
			enqueue("work.rejects", "conflicts", 5 * this.unit, (i) -> new Object[] { KEY, i });
			enqueue("work.raises", "conflicts", 2 * this.unit, (i) -> new Object[] { KEY, i });
			enqueue("work.reschedules", "conflicts", 2 * this.unit, (i) -> new Object[] { KEY, i });
			refusedCalls();
			await().atMost(PATIENCE)
				.until(() -> in("conflicts", JobState.PARKED) == 5 * this.unit + 1
						&& in("conflicts", JobState.DISCARDED) == 5 * this.unit
						&& in("conflicts", JobState.DEAD) == 2 * this.unit
						&& in("conflicts", JobState.RETRY) == 2 * this.unit);
			this.hold.end();
			for (Future<Void> holder : holding) {
				holder.get();
			}
		}
		finally {
			this.hold.end();
			holders.shutdownNow();
		}
	}

	/**
	 * Makes direct calls that are refused. With PARK or RESCHEDULE they are enqueued.
	 */
	private void refusedCalls() throws InterruptedException {
		this.work.parks(KEY, 1);
		this.journal.note("accepted", "work.parks", "conflicts");
		this.work.rejects(KEY, 1);
		assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> this.work.raises(KEY, 1));
		this.work.reschedules(KEY, 1);
		this.journal.note("accepted", "work.reschedules", "conflicts");
	}

	private void plain() {
		enqueue("work.plain", "plain", 48 * this.unit, (i) -> new Object[] { i });
		enqueue("work.flaky", "plain", 15 * this.unit, (i) -> new Object[] { i });
		enqueue("work.doomed", "plain", 5 * this.unit, (i) -> new Object[] { i });
		enqueue("work.superseded", "plain", this.unit, (i) -> new Object[] { i, 0 });
	}

	private void duplicates() {
		enqueue("work.once", "later", 8 * this.unit, (i) -> new Object[] { i % (6 * this.unit), i });
		enqueue("work.strict", "later", 2 * this.unit, (i) -> new Object[] { i % this.unit, i });
		assertThatExceptionOfType(DuplicateJobException.class)
			.isThrownBy(() -> this.jobs.enqueue("work.strict", 1, -1));
		this.journal.note("duplicate", "work.strict", "later");
		enqueue("work.latest", "later", 5 * this.unit, (i) -> new Object[] { i % (3 * this.unit), i });
		JobFilter some = JobFilter.waiting().job("work.once").matching((job) -> job.id().hashCode() % 2 == 0);
		assertThat(this.administration.cancel(some).done()).isPositive();
	}

	private void removal() {
		List<JobRequest> requests = IntStream.range(0, this.unit)
			.mapToObj((i) -> JobRequest.of("work.plain", i).with(EnqueueOptions.now().queue("trash")))
			.toList();
		this.jobs.enqueueAll(requests).forEach((result) -> this.journal.note(result, "work.plain", "trash"));
		assertThat(this.administration.remove("trash")).isEqualTo(this.unit);
	}

	/**
	 * Enqueues jobs that are unknown to all workers. They wait for another version of the
	 * application.
	 */
	private void deferral() {
		List<NewJob> unknown = IntStream.range(0, this.unit)
			.mapToObj((i) -> NewJob.builder(UUID.randomUUID().toString(), UNKNOWN, "plain").build())
			.toList();
		this.queue.enqueue(unknown).forEach((result) -> this.journal.note(result, UNKNOWN, "plain"));
		JobFilter deferred = JobFilter.inState(JobState.RETRY).job(UNKNOWN);
		// A thread of a worker that does not know the name yet takes a job that another
		// one deferred.
		AtomicLong cancelled = new AtomicLong();
		await().atMost(PATIENCE)
			.until(() -> cancelled.addAndGet(this.administration.cancel(deferred).done()) == this.unit);
	}

	private void calls() {
		for (int i = 0; i < this.unit; i++) {
			int number = i;
			this.work.called(number, false);
			assertThatIllegalStateException().isThrownBy(() -> this.work.called(number, true));
		}
	}

	/**
	 * Requeues dead letters, which fail again.
	 */
	private void requeue() {
		List<JobRecord> some = this.administration.stream(JobFilter.dead().job("work.doomed"))
			.limit(2 * this.unit)
			.toList();
		for (JobRecord letter : some) {
			this.journal.note(this.administration.requeue(letter.id()), letter.job(), letter.queue());
			this.requeue.add(letter.id());
		}
	}

	/**
	 * Waits for the ends of all jobs except rescheduled ones, which are due in an hour.
	 */
	private void awaitEnds() {
		await().atMost(PATIENCE)
			.until(() -> this.administration.counts()
				.stream()
				.allMatch((
						queue) -> queue.in(JobState.READY) + queue.in(JobState.PARKED) + queue.in(JobState.RUNNING) == 0
								&& (queue.queue().equals("conflicts") || queue.in(JobState.RETRY) == 0)));
	}

	private void enqueue(String job, String queue, int count, IntFunction<Object[]> arguments) {
		List<JobRequest> requests = IntStream.range(0, count)
			.mapToObj((i) -> JobRequest.of(job, arguments.apply(i + 1)))
			.toList();
		List<EnqueueResult> results = this.jobs.enqueueAll(requests);
		results.forEach((result) -> this.journal.note(result, job, queue));
	}

	private long in(String queue, JobState state) {
		return this.administration.counts(queue).in(state);
	}

	private static Void hold(Holder holder) throws InterruptedException {
		holder.hold(KEY);
		return null;
	}

	private interface Holder {

		void hold(String key) throws InterruptedException;

	}

}
