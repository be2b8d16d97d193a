package io.locket.queue.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.queue.CancelResult;
import io.locket.queue.EndResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobQueue;
import io.locket.queue.JobRecord;
import io.locket.queue.JobStore;
import io.locket.queue.KeyOccupant;
import io.locket.queue.NewJob;
import io.locket.queue.QueueCounts;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.RunEnd;
import io.locket.queue.RunRenewal;
import io.locket.queue.RunToken;
import io.locket.queue.Settlement;
import io.locket.queue.Violation;
import io.locket.queue.WorkListener;
import org.jspecify.annotations.Nullable;

/**
 * The queue as the design describes it, in plain Java: single-threaded, slow, in memory,
 * with a time that is set by hand. What has ended stays known for ever.
 */
public class InMemoryJobQueue implements JobQueue, JobStore {

	private static final Duration DEFERRED_AT_MOST = Duration.ofHours(24);

	final MemoryStore store;

	private final MemoryLife life;

	private final MemoryDue due;

	private final List<WorkListener> listeners = new CopyOnWriteArrayList<>();

	public InMemoryJobQueue() {
		this(new MemoryLife(new MemoryStore()));
	}

	InMemoryJobQueue(MemoryLife life) {
		this(life, new MemoryDue(life, 3));
	}

	InMemoryJobQueue(MemoryLife life, MemoryDue due) {
		this.store = life.store;
		this.life = life;
		this.due = due;
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		List<EnqueueResult> results = new ArrayList<>();
		for (NewJob job : jobs) {
			results.add(enqueueOne(job));
			this.listeners.forEach((listener) -> listener.onWork(job.queue()));
		}
		return results;
	}

	private EnqueueResult enqueueOne(NewJob job) {
		MemoryJob known = this.store.jobs.get(job.id());
		if (known != null) {
			return isRepetition(known, job) ? new EnqueueResult.Accepted(job.id())
					: new EnqueueResult.Duplicate(job.id(), known.state);
		}
		String replaced = this.store.replacements.get(job.id());
		if (replaced != null) {
			return new EnqueueResult.Replaced(replaced);
		}
		long start = start(job.start());
		MemoryJob existing = null;
		if (job.lock() == LockStrategy.UNTIL_EXPIRED) {
			MemoryStore.Claim claim = this.store.claim(digest(job));
			if (claim != null && claim.job() == null) {
				return new EnqueueResult.Duplicate(null, null);
			}
			existing = (claim != null) ? this.store.jobs.get(claim.job()) : null;
		}
		else if (job.lock().isUniqueWhileWaiting()) {
			existing = this.store.ticketOwner(digest(job));
		}
		if (existing == null) {
			this.life.accept(job, start);
			return new EnqueueResult.Accepted(job.id());
		}
		if (job.onDuplicate() == DuplicateStrategy.REPLACE && existing.state.isWaiting()) {
			this.life.replace(existing, job, start);
			return new EnqueueResult.Replaced(existing.id());
		}
		return new EnqueueResult.Duplicate(existing.id(), existing.state);
	}

	private static boolean isRepetition(MemoryJob known, NewJob job) {
		boolean replaced = !known.arguments.equals(known.spec.arguments());
		return known.spec.job().equals(job.job()) && (replaced || known.arguments.equals(job.arguments()));
	}

	private static String digest(NewJob job) {
		return Objects.requireNonNull(job.key()).digest();
	}

	private long start(NewJob.Start start) {
		if (start.at() != null) {
			return start.at().toEpochMilli();
		}
		return this.store.now + ((start.delay() != null) ? start.delay().toMillis() : 0);
	}

	@Override
	public Reservation reserve(ReservationRequest request) {
		return new MemoryReservation(this.life, this.due, request).take();
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		List<EndResult> results = ends.stream()
			.map((end) -> this.store.ends.computeIfAbsent(end.token(), (token) -> settleOne(end)))
			.toList();
		return new Settlement(results, (next != null) ? reserve(next) : null);
	}

	private EndResult settleOne(RunEnd end) {
		MemoryJob job = this.store.jobs.get(end.id());
		if (job == null || job.run == null || !job.run.token.equals(end.token())) {
			return new EndResult(end.id(), false, (job != null) ? job.state : null);
		}
		MemoryJob.Run run = job.run;
		long startedAt = Objects.requireNonNull(job.startedAt);
		boolean counted = !run.keyLeased || this.store.isLockedBy(job.digest(), run.token);
		if (!counted) {
			this.life.comeBack(job);
			this.life.promote(job.digest());
			return new EndResult(end.id(), false, job.state);
		}
		finish(job, end);
		this.life.release(job, run, startedAt);
		return new EndResult(end.id(), true, job.state);
	}

	private void finish(MemoryJob job, RunEnd end) {
		long again = this.store.now + end.delay().toMillis();
		if (end.error() != null) {
			job.lastError = end.error();
		}
		if (end.kind() != RunEnd.Kind.DEFER) {
			job.deferredSince = null;
		}
		switch (end.kind()) {
			case SUCCEEDED -> this.life.end(job, job.removed ? JobState.REMOVED : JobState.SUCCEEDED);
			case RETURNED -> this.life.comeBack(job);
			case DEAD -> {
				job.attempt++;
				if (!this.life.endsInsteadOfWaiting(job)) {
					this.life.end(job, JobState.DEAD);
				}
			}
			case RETRY -> {
				job.attempt++;
				waitOrDie(job, job.attempt > job.spec.retries(), again);
			}
			case DEFER -> {
				job.deferredSince = (job.deferredSince != null) ? job.deferredSince : (Long) this.store.now;
				waitOrDie(job, this.store.now - job.deferredSince > DEFERRED_AT_MOST.toMillis(), again);
			}
		}
	}

	private void waitOrDie(MemoryJob job, boolean dies, long again) {
		if (this.life.endsInsteadOfWaiting(job)) {
			return;
		}
		if (dies) {
			this.life.end(job, JobState.DEAD);
		}
		else {
			this.life.comeBackAt(job, again);
		}
	}

	@Override
	public List<RunRenewal> renew(List<RunToken> runs) {
		return runs.stream().map(this::renewOne).toList();
	}

	private RunRenewal renewOne(RunToken token) {
		MemoryJob job = this.store.jobs.get(token.id());
		if (job == null || job.run == null || !job.run.token.equals(token.token())) {
			return new RunRenewal(false, null, false);
		}
		long deadline = this.store.now + job.spec.leaseFor().toMillis();
		job.run.deadline = deadline;
		LeaseLossCause loss = null;
		if (job.run.keyLeased) {
			MemoryStore.Lock lock = this.store.lock(job.digest());
			if (lock != null && lock.owner().equals(token.token())) {
				this.store.locks.put(job.digest(), lock.until(deadline));
			}
			else {
				loss = (lock != null) ? LeaseLossCause.TAKEN : LeaseLossCause.GONE;
			}
		}
		return new RunRenewal(true, loss, job.cancelled || job.removed);
	}

	@Override
	public CancelResult cancel(String id) {
		MemoryJob job = this.store.jobs.get(id);
		if (job == null) {
			return CancelResult.UNKNOWN;
		}
		if (job.state.isEnded()) {
			return CancelResult.ENDED;
		}
		if (job.is(JobState.RUNNING)) {
			job.cancelled = true;
			return CancelResult.FLAGGED;
		}
		this.life.end(job, JobState.CANCELLED);
		return CancelResult.CANCELLED;
	}

	@Override
	public void pause(String queue) {
		this.store.line(queue).paused = true;
	}

	@Override
	public void resume(String queue) {
		this.store.line(queue).paused = false;
		this.listeners.forEach((listener) -> listener.onWork(queue));
	}

	@Override
	public long remove(String queue) {
		this.store.jobs(queue, JobState.RUNNING).forEach((job) -> job.removed = true);
		List<MemoryJob> waiting = this.store.jobs((job) -> job.queue().equals(queue) && job.state.isWaiting(),
				Comparator.comparing(MemoryJob::id));
		waiting.forEach((job) -> this.life.end(job, JobState.REMOVED));
		return waiting.size();
	}

	@Override
	public Listening listen(WorkListener listener) {
		this.listeners.add(listener);
		return () -> this.listeners.remove(listener);
	}

	@Override
	public Optional<JobRecord> find(String id) {
		return Optional.ofNullable(this.store.jobs.get(id)).map(MemoryJob::toRecord);
	}

	@Override
	public Optional<KeyOccupant> occupant(JobKey key) {
		return new MemoryOccupant(this.store, key.digest()).find();
	}

	@Override
	public Set<String> queues() {
		return new TreeSet<>(this.store.lines.keySet());
	}

	@Override
	public QueueCounts counts(String queue) {
		MemoryStore.Line line = this.store.lines.getOrDefault(queue, new MemoryStore.Line(queue));
		Map<JobState, Long> states = new EnumMap<>(JobState.class);
		for (MemoryJob job : this.store.jobs.values()) {
			if (job.queue().equals(queue)) {
				states.merge(job.state, 1L, Long::sum);
			}
		}
		return new QueueCounts(queue, line.paused, line.accepted, 0, 0, states);
	}

	@Override
	public List<Violation> verify() {
		return new MemoryCheck(this.store).violations();
	}

	@Override
	public List<Violation> repair() {
		return verify();
	}

}
