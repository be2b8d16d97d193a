package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.locket.JobKey;
import io.locket.queue.DueTime;
import io.locket.queue.EnqueueResult;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.StoreOverview;
import io.locket.queue.ThroughputSample;
import io.locket.queue.UpdateResult;
import io.locket.queue.Violation;
import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.AbstractQueueTests;
import io.locket.queue.spi.DueTimeQuery;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.JobStore.PollRequest;
import io.locket.queue.spi.KeyBlocker;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.UpdateAction;
import io.locket.queue.spi.WorkListener;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queue that sends every call twice, like a client that loses its connection before the
 * reply arrives. It checks that both replies are equal.
 */
final class RepeatingQueue implements JobQueue, JobStore {

	private final JobQueue queue;

	private final JobStore store;

	RepeatingQueue(JobQueue queue, JobStore store) {
		this.queue = queue;
		this.store = store;
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		List<EnqueueResult> results = this.queue.enqueue(jobs);
		assertThat(outcomes(this.queue.enqueue(jobs))).as("repeated results").isEqualTo(outcomes(results));
		return results;
	}

	/**
	 * Returns results without the state of the existing job, which may have changed.
	 */
	private static List<EnqueueResult> outcomes(List<EnqueueResult> results) {
		return results.stream()
			.map((result) -> (result instanceof EnqueueResult.Duplicate duplicate)
					? new EnqueueResult.Duplicate(duplicate.of(), null) : result)
			.toList();
	}

	@Override
	public Reservation reserve(ReservationRequest request) {
		return repeated(request, this.queue.reserve(request), this.queue.reserve(request));
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		Settlement first = this.queue.settle(ends, next);
		Settlement second = this.queue.settle(ends, next);
		assertThat(outcome(second)).as("repeated ends").isEqualTo(outcome(first));
		Reservation reservation = (next != null) ? repeated(next, first.next(), second.next()) : null;
		return new Settlement(first.ends(), reservation);
	}

	/**
	 * Returns the results of ends without the state of a job that the run had already
	 * lost, because that job continues.
	 */
	private static List<EndResult> outcome(Settlement settlement) {
		return settlement.ends()
			.stream()
			.map((end) -> end.counted() ? end : new EndResult(end.id(), false, null))
			.toList();
	}

	/**
	 * Checks that a repeated reservation returns the same jobs and changes nothing. One
	 * that was cut short before it found a job, or has left a key to an older job, is not
	 * stored, so its repetition goes on with the search.
	 */
	private static Reservation repeated(ReservationRequest request, Reservation first, Reservation second) {
		boolean idle = request.queues().stream().allMatch((limit) -> first.idle().contains(limit.queue()));
		if (first.jobs().isEmpty() && (first.cutShort() || !idle)) {
			return second;
		}
		assertThat(AbstractQueueTests.ids(second.jobs())).as("repeated jobs")
			.containsExactly(AbstractQueueTests.ids(first.jobs()));
		for (int i = 0; i < first.jobs().size(); i++) {
			ReservedJob once = first.jobs().get(i);
			ReservedJob again = second.jobs().get(i);
			assertThat(again.record()).as("repeated job").isEqualTo(once.record());
			assertThat(again.token()).as("repeated token").isEqualTo(once.token());
			assertThat(again.fence()).as("repeated fence").isEqualTo(once.fence());
			assertThat(again.keyLeased()).as("repeated key lease").isEqualTo(once.keyLeased());
			assertThat(again.conflict()).as("repeated conflict").isEqualTo(once.conflict());
			assertThat(again.conflictFor()).as("repeated rest").isEqualTo(once.conflictFor());
		}
		return new Reservation(second.jobs(), first.cutShort(), first.idle(), first.next());
	}

	@Override
	public List<RunRenewal> renew(List<RunToken> runs) {
		List<RunRenewal> renewals = this.queue.renew(runs);
		assertThat(this.queue.renew(runs)).as("repeated renewals").isEqualTo(renewals);
		return renewals;
	}

	@Override
	public void progress(List<RunProgress> runs) {
		this.queue.progress(runs);
		this.queue.progress(runs);
	}

	@Override
	public boolean refreshQuiet(String instance, boolean quiet) {
		return this.queue.refreshQuiet(instance, quiet);
	}

	@Override
	public boolean quiet(String instance) {
		return this.store.quiet(instance);
	}

	@Override
	public boolean unquiet(String instance) {
		return this.store.unquiet(instance);
	}

	@Override
	public Duration countMinute() {
		this.queue.countMinute();
		return this.queue.countMinute();
	}

	@Override
	public List<ThroughputSample> throughput(int minutes) {
		return this.store.throughput(minutes);
	}

	@Override
	public List<FailedAttempt> attempts(String id) {
		return this.store.attempts(id);
	}

	@Override
	public JobPage list(JobQuery listing) {
		return this.store.list(listing);
	}

	@Override
	public List<DueTime> dueTimes(DueTimeQuery listing) {
		return this.store.dueTimes(listing);
	}

	@Override
	public List<UpdateResult> update(UpdateAction action, List<ExpectedJob> jobs) {
		List<UpdateResult> results = this.store.update(action, jobs);
		assertThat(this.store.update(action, jobs)).as("repeated updates").isEqualTo(results);
		return results;
	}

	@Override
	public List<EnqueueResult> requeue(List<RequeuedJob> letters) {
		List<EnqueueResult> results = this.store.requeue(letters);
		assertThat(outcomes(this.store.requeue(letters))).as("repeated results").isEqualTo(outcomes(results));
		return results;
	}

	@Override
	public void pause(String queue) {
		this.store.pause(queue);
		this.store.pause(queue);
	}

	@Override
	public void resume(String queue) {
		this.store.resume(queue);
		this.store.resume(queue);
	}

	@Override
	public long remove(String queue) {
		long removed = this.store.remove(queue);
		assertThat(this.store.remove(queue)).as("repeated removal").isZero();
		return removed;
	}

	@Override
	public Listening listen(WorkListener listener) {
		return this.queue.listen(listener);
	}

	@Override
	public Optional<JobRecord> find(String id) {
		return this.store.find(id);
	}

	@Override
	public Optional<KeyBlocker> blocker(JobKey key, boolean claimable) {
		return this.store.blocker(key, claimable);
	}

	@Override
	public Set<String> queues() {
		return this.store.queues();
	}

	@Override
	public QueueCounts counts(String queue) {
		return this.store.counts(queue);
	}

	@Override
	public StoreOverview overview() {
		return this.store.overview();
	}

	@Override
	public List<WorkerInfo> workers() {
		return this.store.workers();
	}

	@Override
	public Optional<PollRequest> requestPolls(Instant oldest) {
		Optional<PollRequest> request = this.store.requestPolls(oldest);
		assertThat(this.store.requestPolls(oldest)).isEmpty();
		return request;
	}

	@Override
	public List<Violation> verify() {
		return this.store.verify();
	}

	@Override
	public List<Violation> repair() {
		return this.store.repair();
	}

}
