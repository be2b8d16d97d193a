package io.locket.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;

/**
 * Trial that brings an empty queue into a situation and describes the effect of a
 * strategy in the words of the documentation.
 */
final class StrategyTrial {

	static final String ACCEPTED = "accepted";

	static final String REPLACED = "replaced";

	static final String DUPLICATE = "duplicate";

	static final String RUNS = "runs";

	static final String PARKS = "parks";

	static final String DISCARDED = "discarded";

	static final String FAILS = "fails";

	static final String LATER = "runs later";

	static final String WAITS_AGAIN = "waits again";

	static final String KEEPS_TICKET = "keeps its ticket";

	static final String KEEPS_CLAIM = "keeps its claim";

	static final String TAKES_TICKET_BACK = "takes its ticket back, or is superseded and passes its due time on";

	private static final JobKey KEY = TestJob.key("k");

	private static final Duration LONG = Duration.ofMinutes(5);

	private final QueueUser user;

	StrategyTrial(QueueUser user) {
		this.user = user;
	}

	/**
	 * Returns whether a job with a strategy can reach a state.
	 */
	static boolean canBe(LockStrategy lock, JobState state) {
		return switch (state) {
			case PARKED, DISCARDED -> lock.leasesQueuedRuns();
			case SUPERSEDED -> lock == LockStrategy.UNTIL_EXECUTING || lock == LockStrategy.UNTIL_AND_WHILE_EXECUTING;
			default -> true;
		};
	}

	/**
	 * Enqueues a job while another one of its key is in a state.
	 * @return the result of the second job
	 */
	String newcomer(LockStrategy lock, JobState existing, DuplicateStrategy onDuplicate) {
		TestJob first = TestJob.of("first").with(lock, KEY).retries(1);
		switch (existing) {
			case SCHEDULED -> this.user.enqueue(first.after(LONG));
			case READY -> this.user.enqueue(first);
			case PARKED -> startLocked(first);
			case RETRY -> this.user.fail(start(first));
			case RUNNING -> start(first);
			case SUCCEEDED -> this.user.succeed(start(first));
			case DISCARDED -> startLocked(first.onConflict(ConflictStrategy.REJECT));
			case SUPERSEDED -> supersede(first, lock);
			case DEAD -> this.user.end(RunEnd.dead(start(first), "it broke"));
			case CANCELLED -> {
				this.user.enqueue(first);
				this.user.store.cancel("first");
			}
			case REMOVED -> {
				this.user.enqueue(first);
				this.user.store.remove("q");
			}
		}
		require(existing, this.user.state("first"));
		TestJob newcomer = TestJob.of("newcomer").with(lock, KEY).onDuplicate(onDuplicate).arguments("[2]");
		EnqueueResult result = this.user
			.enqueue((existing == JobState.SCHEDULED) ? newcomer.after(LONG.plus(LONG)) : newcomer);
		if (result instanceof EnqueueResult.Accepted) {
			require(existing, this.user.state("first"));
			require(true, this.user.state("newcomer").isWaiting());
			return ACCEPTED;
		}
		require(Optional.empty(), this.user.store.find("newcomer"));
		require(existing, this.user.state("first"));
		if (result instanceof EnqueueResult.Duplicate duplicate) {
			require(new EnqueueResult.Duplicate("first", existing), duplicate);
			require("[1]", this.user.find("first").arguments());
			return DUPLICATE;
		}
		require(new EnqueueResult.Replaced("first"), result);
		require("[2]", this.user.find("first").arguments());
		return REPLACED;
	}

	private ReservedJob start(TestJob job) {
		this.user.enqueue(job);
		return this.user.take();
	}

	private void startLocked(TestJob job) {
		this.user.harness.takeForeign(KEY, LONG);
		this.user.enqueue(job);
		require(List.of(), this.user.reserve(1, "q").jobs());
		this.user.harness.releaseForeign(KEY);
	}

	/**
	 * Lets another job take the ticket while the first one runs, returns the first one to
	 * waiting, and ends the other.
	 */
	private void supersede(TestJob first, LockStrategy lock) {
		ReservedJob running = start(first);
		this.user.enqueue(TestJob.of("second").with(lock, KEY));
		this.user.fail(running);
		require("second", this.user.find("first").supersededBy());
		this.user.store.cancel("second");
	}

	/**
	 * Starts a job while its key is held.
	 * @return the result for the job
	 */
	String conflict(LockStrategy lock, ConflictStrategy onConflict) {
		this.user.harness.takeForeign(KEY, LONG);
		this.user.enqueue(TestJob.of("job").with(lock, KEY).onConflict(onConflict));
		List<ReservedJob> taken = this.user.reserve(1, "q").jobs();
		JobRecord job = this.user.find("job");
		require(job.state() == JobState.RUNNING, !taken.isEmpty());
		return switch (job.state()) {
			case RUNNING -> (taken.get(0).conflict() != null) ? FAILS : RUNS;
			case PARKED -> PARKS;
			case DISCARDED -> DISCARDED;
			case RETRY -> {
				require(0, job.attempt());
				boolean unique = lock.isUniqueWhileWaiting();
				require(unique, probe(lock, JobState.RETRY));
				yield LATER;
			}
			default -> job.state().toString();
		};
	}

	/**
	 * Returns a job from a run to waiting, twice: while another job waits instead, if
	 * that is possible, and while there is none.
	 * @return the result
	 */
	String comeBack(LockStrategy lock, Return way) {
		ReservedJob alone = start(TestJob.of("job").with(lock, KEY));
		bringBack(alone, way);
		Set<JobState> waiting = Set.of(JobState.READY, JobState.RETRY);
		JobState state = this.user.state("job");
		require(true, waiting.contains(state));
		boolean unique = probe(lock, state);
		this.user.store.remove("q");
		this.user.advance(LONG);
		this.user.advance(LONG);
		ReservedJob first = start(TestJob.of("first").in("first").with(lock, KEY), "first");
		boolean accepted = this.user
			.enqueue(TestJob.of("second").with(lock, KEY).after(LONG)) instanceof EnqueueResult.Accepted;
		bringBack(first, way);
		JobRecord record = this.user.find("first");
		if (record.state() == JobState.SUPERSEDED) {
			require("second", record.supersededBy());
			require(true, unique);
			this.user.advance(Duration.ofSeconds(1));
			require("second", this.user.take().record().id());
			return TAKES_TICKET_BACK;
		}
		require(true, waiting.contains(record.state()));
		require(!unique, accepted);
		return unique ? ((lock == LockStrategy.UNTIL_EXPIRED) ? KEEPS_CLAIM : KEEPS_TICKET) : WAITS_AGAIN;
	}

	private ReservedJob start(TestJob job, String queue) {
		this.user.enqueue(job);
		return this.user.take(queue);
	}

	private void bringBack(ReservedJob job, Return way) {
		switch (way) {
			case RETRY -> this.user.fail(job);
			case RECLAIM -> this.user.die();
			case SHUTDOWN -> this.user.end(RunEnd.returned(job));
			case LOST_LEASE -> {
				this.user.harness.releaseForeign(KEY);
				require(false, this.user.succeed(job).counted());
			}
		}
	}

	/**
	 * Returns whether another job of the key is a duplicate of the waiting one.
	 */
	private boolean probe(LockStrategy lock, JobState state) {
		EnqueueResult result = this.user.enqueue(TestJob.of("probe").with(lock, KEY));
		if (result instanceof EnqueueResult.Accepted) {
			return false;
		}
		require(new EnqueueResult.Duplicate("job", state), result);
		return true;
	}

	private static void require(Object expected, Object actual) {
		if (!expected.equals(actual)) {
			throw new AssertionError("expected " + expected + " but it was " + actual);
		}
	}

	/**
	 * Ways in which a job returns from a run to waiting.
	 */
	enum Return {

		RETRY("after a failed attempt"), RECLAIM("from a dead worker"), LOST_LEASE("after its key lease was lost"),
		SHUTDOWN("from a worker that shuts down");

		final String words;

		Return(String words) {
			this.words = words;
		}

		boolean isPossible(LockStrategy lock) {
			return this != LOST_LEASE || lock.leasesQueuedRuns();
		}

	}

}
