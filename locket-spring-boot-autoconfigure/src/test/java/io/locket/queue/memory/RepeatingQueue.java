package io.locket.queue.memory;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.locket.JobKey;
import io.locket.queue.AbstractQueueTests;
import io.locket.queue.DueTime;
import io.locket.queue.DueTimeListing;
import io.locket.queue.EndResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobListing;
import io.locket.queue.JobPage;
import io.locket.queue.JobQueue;
import io.locket.queue.JobRecord;
import io.locket.queue.JobSighting;
import io.locket.queue.JobStore;
import io.locket.queue.KeyOccupant;
import io.locket.queue.NewJob;
import io.locket.queue.PutBack;
import io.locket.queue.QueueCounts;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.queue.RunProgress;
import io.locket.queue.RunRenewal;
import io.locket.queue.RunToken;
import io.locket.queue.Settlement;
import io.locket.queue.SteerAction;
import io.locket.queue.SteerResult;
import io.locket.queue.StoreOverview;
import io.locket.queue.Violation;
import io.locket.queue.WorkListener;
import io.locket.queue.WorkerSighting;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends every call twice, as a client does that has lost its connection while it waited
 * for the answer, and checks that the second one is answered as the first one was.
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
	 * Return results without the state of the job that is there, which may have changed.
	 */
	private static List<EnqueueResult> outcomes(List<EnqueueResult> results) {
		return results.stream()
			.map((result) -> (result instanceof EnqueueResult.Duplicate duplicate)
					? new EnqueueResult.Duplicate(duplicate.of(), null) : result)
			.toList();
	}

	@Override
	public Reservation reserve(ReservationRequest request) {
		return repeated(this.queue.reserve(request), this.queue.reserve(request));
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		Settlement first = this.queue.settle(ends, next);
		Settlement second = this.queue.settle(ends, next);
		assertThat(outcome(second)).as("repeated ends").isEqualTo(outcome(first));
		Reservation reservation = (next != null) ? repeated(first.next(), second.next()) : null;
		return new Settlement(first.ends(), reservation);
	}

	/**
	 * Return what was made of ends, without the state of a job that the run had lost
	 * before: it goes on.
	 */
	private static List<EndResult> outcome(Settlement settlement) {
		return settlement.ends()
			.stream()
			.map((end) -> end.counted() ? end : new EndResult(end.id(), false, null))
			.toList();
	}

	/**
	 * A reservation gets the same jobs again, and does nothing else.
	 */
	private static Reservation repeated(Reservation first, Reservation second) {
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
	public JobPage list(JobListing listing) {
		return this.store.list(listing);
	}

	@Override
	public List<DueTime> dueTimes(DueTimeListing listing) {
		return this.store.dueTimes(listing);
	}

	@Override
	public List<SteerResult> steer(SteerAction action, List<JobSighting> jobs) {
		List<SteerResult> results = this.store.steer(action, jobs);
		assertThat(this.store.steer(action, jobs)).as("repeated steering").isEqualTo(results);
		return results;
	}

	@Override
	public List<EnqueueResult> putBack(List<PutBack> letters) {
		List<EnqueueResult> results = this.store.putBack(letters);
		assertThat(outcomes(this.store.putBack(letters))).as("repeated results").isEqualTo(outcomes(results));
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
	public Optional<KeyOccupant> occupant(JobKey key) {
		return this.store.occupant(key);
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
	public List<WorkerSighting> workers() {
		return this.store.workers();
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
