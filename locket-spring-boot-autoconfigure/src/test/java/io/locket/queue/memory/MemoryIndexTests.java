package io.locket.queue.memory;

import java.time.Duration;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeSet;
import java.util.function.Function;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.TestJob;
import io.locket.queue.Violation;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryIndex}. They count the jobs that steps of the queue visit.
 */
class MemoryIndexTests {

	private static final int JOBS = 1000;

	/**
	 * Maximum number of jobs that the steps of one run visit.
	 */
	private static final int VISITS_OF_A_RUN = 20;

	private final ManualClock clock = new ManualClock();

	private final Visits visits = new Visits();

	private final InMemoryJobQueue queue = queue(this.visits);

	private final InMemoryQueueDriver driver = new InMemoryQueueDriver(this.queue);

	private int requests;

	private InMemoryJobQueue queue(Visits visits) {
		MemoryLife life = new MemoryLife(new MemoryStore(new LockSpace(this.clock), visits.map(), visits.index()));
		return new InMemoryJobQueue(life, new MemoryDue(life, 3), new JobEventPublisher(List.of()));
	}

	@Test
	void runOfAReadyJobVisitsFewJobs() {
		enqueue(TestJob::of);
		assertThat(drain(RunEnd.Kind.SUCCEEDED)).isEqualTo(JOBS);
		assertFewVisits(JOBS);
	}

	@Test
	void runOfAJobWithAContendedKeyVisitsFewJobs() {
		enqueue((id) -> TestJob.of(id).with(LockStrategy.WHILE_EXECUTING, "k"));
		ReservedJob first = reserve(Set.of()).get(0);
		assertThat(drain(RunEnd.Kind.SUCCEEDED)).isZero();
		assertThat(this.queue.counts("q").in(JobState.PARKED)).isEqualTo(JOBS - 1);
		settle(first, RunEnd.Kind.SUCCEEDED);
		assertThat(drain(RunEnd.Kind.SUCCEEDED)).isEqualTo(JOBS - 1);
		assertFewVisits(JOBS);
	}

	@Test
	void runBesideScheduledJobsVisitsFewJobs() {
		enqueue((id) -> TestJob.of("later-" + id).after(Duration.ofHours(1)));
		enqueue(TestJob::of);
		assertThat(drain(RunEnd.Kind.SUCCEEDED)).isEqualTo(JOBS);
		assertFewVisits(JOBS);
	}

	@Test
	void dueJobsAreServedOnce() {
		enqueue((id) -> TestJob.of(id).after(Duration.ofHours(1)));
		this.clock.advance(Duration.ofHours(1));
		this.driver.serveDue();
		assertThat(this.queue.counts("q").in(JobState.READY)).isEqualTo(JOBS);
		assertFewVisits(JOBS);
	}

	@Test
	void failedRunVisitsFewJobs() {
		enqueue((id) -> TestJob.of(id).retries(1));
		assertThat(drain(RunEnd.Kind.RETRY)).isEqualTo(JOBS);
		this.clock.advance(Duration.ofHours(1));
		this.driver.serveDue();
		assertThat(drain(RunEnd.Kind.RETRY)).isEqualTo(JOBS);
		assertThat(this.queue.counts("q").in(JobState.DEAD)).isEqualTo(JOBS);
		assertFewVisits(2 * JOBS);
	}

	@Test
	void jobThatNoWorkerKnowsIsSetAsideWithFewVisits() {
		enqueue(TestJob::of);
		while (this.queue.counts("q").in(JobState.READY) > 0) {
			assertThat(reserve(Set.of("job"))).isEmpty();
		}
		assertThat(this.queue.counts("q").in(JobState.RETRY)).isEqualTo(JOBS);
		assertThat(drain(RunEnd.Kind.SUCCEEDED)).isEqualTo(JOBS);
		assertFewVisits(JOBS);
	}

	@Test
	void clockAdvancesWithoutAVisitOfWaitingJobs() {
		enqueue(TestJob::of);
		this.visits.count = 0;
		for (int i = 0; i < JOBS; i++) {
			this.driver.letPass(Duration.ofSeconds(1), () -> this.clock.advance(Duration.ofSeconds(1)));
			this.driver.serveDue();
		}
		assertThat(this.visits.count).isZero();
	}

	@Test
	void countsVisitDeadLettersOnly() {
		enqueue((id) -> TestJob.of(id).retries(0));
		reserve(Set.of()).forEach((run) -> settle(run, RunEnd.Kind.DEAD));
		this.visits.count = 0;
		assertThat(this.queue.counts("q").in(JobState.READY)).isEqualTo(JOBS - 1);
		assertThat(this.visits.count).isOne();
	}

	@Test
	void changeOutsideOfTheIndexIsAViolation() {
		enqueue(TestJob::of);
		assertThat(this.queue.verify()).isEmpty();
		this.queue.store.jobs.get("0").sequence = JOBS + 1;
		assertThat(this.queue.verify()).extracting(Violation::subject).contains("index");
	}

	private void enqueue(Function<String, TestJob> job) {
		for (int i = 0; i < JOBS; i++) {
			this.queue.enqueue(List.of(job.apply(String.valueOf(i)).build()));
		}
	}

	/**
	 * Runs jobs until none is ready.
	 * @return the number of runs
	 */
	private int drain(RunEnd.Kind kind) {
		int runs = 0;
		Reservation reservation;
		do {
			reservation = this.queue.reserve(request(Set.of()));
			reservation.jobs().forEach((run) -> settle(run, kind));
			runs += reservation.jobs().size();
		}
		while (reservation.cutShort() || !reservation.jobs().isEmpty());
		return runs;
	}

	private void settle(ReservedJob run, RunEnd.Kind kind) {
		this.queue.settle(List.of(new RunEnd(run.record().id(), run.token(), kind, Duration.ofMinutes(1), "it broke")),
				null);
	}

	private List<ReservedJob> reserve(Set<String> leavesOut) {
		return this.queue.reserve(request(leavesOut)).jobs();
	}

	private ReservationRequest request(Set<String> leavesOut) {
		return new ReservationRequest("r" + ++this.requests, "poller", "worker", "thread",
				List.of(new ReservationRequest.QueueLimit("q", 0)), 1, leavesOut);
	}

	private void assertFewVisits(int runs) {
		assertThat(this.visits.count).isPositive().isLessThan((long) VISITS_OF_A_RUN * runs);
		assertThat(this.queue.verify()).isEmpty();
	}

	/**
	 * Counter of the jobs that are visited in a store.
	 */
	private static final class Visits {

		private long count;

		LinkedHashMap<String, MemoryJob> map() {
			return new LinkedHashMap<>() {
				@Override
				public Collection<MemoryJob> values() {
					return counted(super.values());
				}
			};
		}

		MemoryIndex index() {
			return new MemoryIndex(this::counted);
		}

		private Collection<MemoryJob> counted(Collection<MemoryJob> jobs) {
			return new AbstractCollection<>() {
				@Override
				public Iterator<MemoryJob> iterator() {
					return Visits.this.counted(jobs.iterator());
				}

				@Override
				public int size() {
					return jobs.size();
				}
			};
		}

		private NavigableSet<MemoryJob> counted(Comparator<MemoryJob> order) {
			return new TreeSet<>(order) {
				@Override
				public Iterator<MemoryJob> iterator() {
					return Visits.this.counted(super.iterator());
				}

				@Override
				public Spliterator<MemoryJob> spliterator() {
					return Spliterators.spliterator(iterator(), size(), Spliterator.ORDERED);
				}
			};
		}

		private Iterator<MemoryJob> counted(Iterator<MemoryJob> jobs) {
			return new Iterator<>() {
				@Override
				public boolean hasNext() {
					return jobs.hasNext();
				}

				@Override
				public MemoryJob next() {
					Visits.this.count++;
					return jobs.next();
				}
			};
		}

	}

}
