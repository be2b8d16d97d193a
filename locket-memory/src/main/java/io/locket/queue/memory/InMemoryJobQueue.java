package io.locket.queue.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.event.JobDuplicated;
import io.locket.event.WorkersQuieted;
import io.locket.event.WorkersResumed;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.memory.KeyLock;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.DueTime;
import io.locket.queue.EnqueueResult;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueNames;
import io.locket.queue.StoreOverview;
import io.locket.queue.ThroughputSample;
import io.locket.queue.UpdateResult;
import io.locket.queue.Violation;
import io.locket.queue.WorkerInfo;
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
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.UpdateAction;
import io.locket.queue.spi.WorkListener;
import org.jspecify.annotations.Nullable;

/**
 * In-memory reference implementation of {@link JobQueue} and {@link JobStore} in plain
 * Java. It behaves as the queue in Redis does, but is slower and never unavailable. Ended
 * jobs stay known forever. Thread-safe.
 */
public class InMemoryJobQueue implements JobQueue, JobStore {

	final MemoryStore store;

	final MemoryLife life;

	final MemoryDue due;

	private final MemoryEnds ends;

	private final MemoryUpdates updates;

	private final MemoryDeadLetters letters;

	private final MemoryViews views;

	final MemoryMinutes minutes;

	final MemorySteps steps;

	/**
	 * Creates an empty queue with a lock space of its own and the system clock. Every
	 * third reclaim counts as a failed attempt, and no events are published.
	 */
	public InMemoryJobQueue() {
		this(new LockSpace(Clock.systemUTC()), 3, new JobEventPublisher(List.of()));
	}

	/**
	 * Creates an empty queue.
	 * @param space the lock space, which also supplies the time
	 * @param maxReclaims the number of reclaims that count as one failed attempt,
	 * {@code 0} if reclaims never count
	 * @param events the publisher of the events of jobs
	 */
	public InMemoryJobQueue(LockSpace space, int maxReclaims, JobEventPublisher events) {
		this(new MemoryLife(new MemoryStore(space)), maxReclaims, events);
	}

	private InMemoryJobQueue(MemoryLife life, int maxReclaims, JobEventPublisher events) {
		this(life, new MemoryDue(life, maxReclaims), events);
	}

	InMemoryJobQueue(MemoryLife life, MemoryDue due, JobEventPublisher events) {
		this.store = life.store;
		this.life = life;
		this.due = due;
		this.ends = new MemoryEnds(life);
		this.updates = new MemoryUpdates(life);
		this.letters = new MemoryDeadLetters(life, this::enqueueOne);
		this.views = new MemoryViews(this.store);
		this.minutes = new MemoryMinutes(this.store, this.views);
		this.steps = new MemorySteps(this.store, events);
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		return this.steps.take(() -> jobs.stream().map(this::enqueueOne).toList());
	}

	private EnqueueResult enqueueOne(NewJob job) {
		EnqueueResult result = admit(job);
		if (result instanceof EnqueueResult.Duplicate duplicate) {
			this.life.addEvent(new JobDuplicated(job.id(), job.job(), job.queue(), duplicate.of(), job.onDuplicate()));
		}
		return result;
	}

	private EnqueueResult admit(NewJob job) {
		MemoryJob known = this.store.jobs.get(job.id());
		if (known != null) {
			return isSameCall(known.spec, job) ? new EnqueueResult.Accepted(job.id())
					: new EnqueueResult.Duplicate(job.id(), known.state);
		}
		String replaced = this.store.replacements.get(job.id());
		if (replaced != null) {
			return repeatedReplacement(replaced, job);
		}
		long start = start(job.start());
		MemoryJob existing = null;
		if (job.lock() == LockStrategy.UNTIL_EXPIRED) {
			KeyLock claim = this.store.claim(digest(job));
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

	private EnqueueResult repeatedReplacement(String replaced, NewJob job) {
		if (isSameCall(Objects.requireNonNull(this.store.replacers.get(job.id())), job)) {
			return new EnqueueResult.Replaced(replaced);
		}
		MemoryJob existing = this.store.jobs.get(replaced);
		return new EnqueueResult.Duplicate(replaced, (existing != null) ? existing.state : null);
	}

	private static boolean isSameCall(NewJob known, NewJob job) {
		return known.job().equals(job.job()) && known.arguments().equals(job.arguments());
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
		return reserve(request, (id) -> true);
	}

	Reservation reserve(ReservationRequest request, Predicate<String> ids) {
		return this.steps.take(() -> new MemoryReservation(this.life, this.due, request, ids).take());
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		return this.steps.take(() -> {
			MemoryEnds.FullQueues full = new MemoryEnds.FullQueues(this.store, next);
			this.store.older.begin(ends);
			List<EndResult> results = ends.stream().map(this.ends::settle).toList();
			if (next != null) {
				this.store.older.find(ends, next);
			}
			Settlement settlement = new Settlement(results, (next != null) ? reserve(next) : null);
			this.store.older.clear();
			full.notifyOfRoom(ends);
			return settlement;
		});
	}

	@Override
	public List<RunRenewal> renew(List<RunToken> runs) {
		return this.steps.take(() -> runs.stream().map(this::renewOne).toList());
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
			KeyLock lock = this.store.lock(job.digest());
			if (lock != null && lock.owner().equals(token.token())) {
				this.store.space.put(job.digest(), lock.until(deadline));
			}
			else {
				loss = (lock != null) ? LeaseLossCause.TAKEN : LeaseLossCause.GONE;
			}
		}
		return new RunRenewal(true, loss, job.cancelled || job.removed);
	}

	@Override
	public void progress(List<RunProgress> runs) {
		this.steps.run(() -> runs.forEach(this::progressOne));
	}

	private void progressOne(RunProgress progress) {
		RunToken token = progress.run();
		MemoryJob job = this.store.jobs.get(token.id());
		if (job != null && job.run != null && job.run.token.equals(token.token())) {
			job.setProgress(progress, this.store.now);
		}
	}

	@Override
	public JobPage list(JobQuery listing) {
		return this.steps.take(() -> new MemoryQueries(this.store, listing).page());
	}

	@Override
	public List<DueTime> dueTimes(DueTimeQuery listing) {
		return this.steps.take(() -> this.views.dueTimes(listing));
	}

	@Override
	public List<UpdateResult> update(UpdateAction action, List<ExpectedJob> jobs) {
		return this.steps.take(() -> this.updates.update(action, jobs));
	}

	@Override
	public List<EnqueueResult> requeue(List<RequeuedJob> letters) {
		return this.steps.take(() -> letters.stream().map(this.letters::requeue).toList());
	}

	@Override
	public void pause(String queue) {
		QueueNames.require(queue);
		this.steps.run(() -> {
			MemoryStore.QueueState state = this.store.queue(queue);
			state.unlisted = false;
			state.paused = true;
		});
	}

	@Override
	public void resume(String queue) {
		QueueNames.require(queue);
		this.steps.run(() -> {
			MemoryStore.QueueState state = this.store.queues.get(queue);
			if (state != null) {
				state.paused = false;
				this.store.notified.add(queue);
			}
		});
	}

	@Override
	public long remove(String queue) {
		QueueNames.require(queue);
		return this.steps.take(() -> removeAll(queue));
	}

	private long removeAll(String queue) {
		this.store.jobs(queue, JobState.RUNNING).forEach((job) -> job.removed = true);
		List<MemoryJob> waiting = this.store.index.states(queue)
			.values()
			.stream()
			.flatMap(Set::stream)
			.filter((job) -> job.state.isWaiting())
			.sorted(Comparator.comparing(MemoryJob::id))
			.toList();
		waiting.forEach((job) -> this.life.end(job, JobState.REMOVED));
		this.store.unlistIfEmpty(queue);
		return waiting.size();
	}

	@Override
	public Listening listen(WorkListener listener) {
		return this.steps.listen(listener);
	}

	@Override
	public Optional<JobRecord> find(String id) {
		return this.steps.take(() -> Optional.ofNullable(this.store.jobs.get(id)).map(MemoryJob::toRecord));
	}

	@Override
	public List<FailedAttempt> attempts(String id) {
		return this.steps.take(() -> {
			MemoryJob job = this.store.jobs.get(id);
			return (job != null) ? List.copyOf(job.attempts) : List.of();
		});
	}

	@Override
	public Optional<KeyBlocker> blocker(JobKey key, boolean claimable) {
		return this.steps.take(() -> new MemoryKeyBlocker(this.store, key.digest(), claimable).find());
	}

	@Override
	public Set<String> queues() {
		return this.steps.take(() -> new TreeSet<>(this.store.queues.keySet()));
	}

	@Override
	public QueueCounts counts(String queue) {
		return this.steps.take(() -> this.views.counts(queue));
	}

	@Override
	public StoreOverview overview() {
		return this.steps.take(this.views::overview);
	}

	@Override
	public boolean refreshQuiet(String instance, boolean quiet) {
		return this.steps.take(() -> quiet ? this.store.quiet.keep(instance) : this.store.quiet.contains(instance));
	}

	@Override
	public boolean quiet(String instance) {
		return this.steps.take(() -> this.steps.announce(this.store.quiet.add(instance), new WorkersQuieted(instance)));
	}

	@Override
	public boolean unquiet(String instance) {
		return this.steps
			.take(() -> this.steps.announce(this.store.quiet.resume(instance), new WorkersResumed(instance)));
	}

	@Override
	public Duration countMinute() {
		return this.steps.take(this.minutes::count);
	}

	@Override
	public List<ThroughputSample> throughput(int minutes) {
		return this.steps.take(() -> this.minutes.samples(minutes));
	}

	@Override
	public List<WorkerInfo> workers() {
		return this.steps.take(this.views::workers);
	}

	@Override
	public Optional<PollRequest> requestPolls(Instant oldest) {
		return this.steps.take(() -> this.steps.wakeFor(this.views.requestPolls(oldest)));
	}

	@Override
	public List<Violation> verify() {
		return this.steps.take(() -> new MemoryCheck(this.store).violations());
	}

	@Override
	public List<Violation> repair() {
		return verify();
	}

}
