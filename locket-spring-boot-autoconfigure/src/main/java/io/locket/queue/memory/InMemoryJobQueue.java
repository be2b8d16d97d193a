package io.locket.queue.memory;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.event.JobDuplicated;
import io.locket.event.JobEventPublisher;
import io.locket.lease.memory.KeyLock;
import io.locket.lease.memory.LockSpace;
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
import io.locket.queue.QueueNames;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
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

/**
 * The queue as the design describes it, in plain Java and in memory: what the queue in
 * Redis does, slowly and without anything that may fail. What has ended stays known for
 * ever. Thread-safe.
 */
public class InMemoryJobQueue implements JobQueue, JobStore {

	final MemoryStore store;

	final MemoryLife life;

	final MemoryDue due;

	private final MemoryEnds ends;

	private final MemorySteering steering;

	private final MemoryLetters letters;

	private final MemoryViews views;

	final MemorySteps steps;

	/**
	 * Create a queue that is empty, has the keys for itself, goes by the clock of the
	 * system, takes every third reclaim for a failed attempt and tells nobody.
	 */
	public InMemoryJobQueue() {
		this(new LockSpace(Clock.systemUTC()), 3, new JobEventPublisher(List.of()));
	}

	/**
	 * Create a queue that is empty.
	 * @param space tells the time, and who has which key
	 * @param maxReclaims every so many reclaims of a job are a failed attempt, {@code 0}
	 * for none
	 * @param events is told of what happens
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
		this.steering = new MemorySteering(life);
		this.letters = new MemoryLetters(life, this::enqueueOne);
		this.views = new MemoryViews(this.store);
		this.steps = new MemorySteps(this.store, events);
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		return this.steps.take(() -> jobs.stream().map(this::enqueueOne).toList());
	}

	private EnqueueResult enqueueOne(NewJob job) {
		EnqueueResult result = answer(job);
		if (result instanceof EnqueueResult.Duplicate duplicate) {
			this.life.tell(new JobDuplicated(job.id(), job.job(), job.queue(), duplicate.of(), job.onDuplicate()));
		}
		return result;
	}

	private EnqueueResult answer(NewJob job) {
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
		return this.steps.take(() -> new MemoryReservation(this.life, this.due, request).take());
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		return this.steps.take(() -> {
			List<EndResult> results = ends.stream().map(this.ends::settle).toList();
			return new Settlement(results, (next != null) ? reserve(next) : null);
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
		this.steps.take(() -> runs.stream().filter(this::progressOne).count());
	}

	private boolean progressOne(RunProgress progress) {
		RunToken token = progress.run();
		MemoryJob job = this.store.jobs.get(token.id());
		if (job == null || job.run == null || !job.run.token.equals(token.token())) {
			return false;
		}
		job.tell(progress, this.store.now);
		return true;
	}

	@Override
	public JobPage list(JobListing listing) {
		return this.steps.take(() -> new MemoryListing(this.store, listing).page());
	}

	@Override
	public List<DueTime> dueTimes(DueTimeListing listing) {
		return this.steps.take(() -> new MemoryDueTimes(this.store, listing).times());
	}

	@Override
	public List<SteerResult> steer(SteerAction action, List<JobSighting> jobs) {
		return this.steps.take(() -> jobs.stream().map((job) -> this.steering.steer(action, job)).toList());
	}

	@Override
	public List<EnqueueResult> putBack(List<PutBack> letters) {
		return this.steps.take(() -> letters.stream().map(this.letters::putBack).toList());
	}

	@Override
	public void pause(String queue) {
		QueueNames.require(queue);
		this.steps.take(() -> {
			MemoryStore.Line line = this.store.line(queue);
			line.unlisted = false;
			line.paused = true;
			return line;
		});
	}

	@Override
	public void resume(String queue) {
		QueueNames.require(queue);
		this.steps.take(() -> {
			this.store.line(queue).paused = false;
			return this.store.news.add(queue);
		});
	}

	@Override
	public long remove(String queue) {
		QueueNames.require(queue);
		return this.steps.take(() -> removeAll(queue));
	}

	private long removeAll(String queue) {
		this.store.jobs(queue, JobState.RUNNING).forEach((job) -> job.removed = true);
		List<MemoryJob> waiting = this.store.jobs((job) -> job.queue().equals(queue) && job.state.isWaiting(),
				Comparator.comparing(MemoryJob::id));
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
	public Optional<KeyOccupant> occupant(JobKey key) {
		return this.steps.take(() -> new MemoryOccupant(this.store, key.digest()).find());
	}

	@Override
	public Set<String> queues() {
		return this.steps.take(() -> new TreeSet<>(this.store.lines.keySet()));
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
	public List<WorkerSighting> workers() {
		return this.steps.take(this.views::workers);
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
