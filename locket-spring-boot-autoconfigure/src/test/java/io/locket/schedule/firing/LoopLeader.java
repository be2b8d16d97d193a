package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.QueueUnavailableException;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.TestLease;
import io.locket.schedule.TestSchedule;
import io.locket.schedule.leader.LeaderTask;
import org.jspecify.annotations.Nullable;

/**
 * Leader as applications have it, whose calls a trial sends. Its clock is its estimate
 * from the replies of the store and the elapsed time.
 */
final class LoopLeader extends HandLeader {

	private static final int CALLS = 5000;

	private final TrialStore store;

	private final ScheduleRunner runner;

	private @Nullable TestLease held;

	private LeaderTask.@Nullable Term term;

	private boolean fresh;

	/**
	 * Creates a leader.
	 * @param nanoTime its monotonic clock
	 * @param configured its configured schedules
	 */
	LoopLeader(ScheduleStore store, Sender sender, LongSupplier nanoTime, Collection<ScheduleDefinition> configured) {
		super(store, sender);
		this.store = new TrialStore(store, sender);
		this.runner = new ScheduleRunner(this.store, (template, id) -> FiringTrial.job(id).build(), () -> configured,
				new FiringSettings(TestSchedule.GROUP, ScheduleModel.CATCH_UP.dividedBy(2),
						ScheduleModel.MISFIRE_AFTER),
				new JobEventPublisher(List.of()), nanoTime);
	}

	@Override
	void elect(LeaseProof lease) {
		this.lease = lease;
		forget();
	}

	/**
	 * Begins a new term with the same lease.
	 */
	@Override
	void forget() {
		if (this.lease != null) {
			this.held = new TestLease(this.lease);
			this.term = this.runner.begin(this.held);
			this.fresh = true;
		}
	}

	/**
	 * Returns whether it has just begun a term, so it has no state that may be outdated.
	 */
	@Override
	boolean isFresh() {
		return this.fresh;
	}

	@Override
	boolean isCurrent() {
		return false;
	}

	@Override
	boolean round(Instant time, boolean looking, boolean reckless) {
		this.store.failed = false;
		this.fresh = false;
		Duration rest = Duration.ZERO;
		for (int i = 0; rest.isZero() && this.held.isHeld(); i++) {
			if (i == CALLS) {
				throw new AssertionError("The leader never rests");
			}
			rest = this.term.perform();
		}
		if (!this.held.isHeld()) {
			this.lease = null;
		}
		return !this.store.failed;
	}

	/**
	 * Store behind a connection on which calls and replies get lost.
	 */
	private static final class TrialStore implements ScheduleStore {

		private final ScheduleStore store;

		private final Sender sender;

		private boolean failed;

		TrialStore(ScheduleStore store, Sender sender) {
			this.store = store;
			this.sender = sender;
		}

		@Override
		public ScheduleSnapshot load() {
			return this.store.load();
		}

		@Override
		public ScheduleSnapshot find(String name) {
			return this.store.find(name);
		}

		@Override
		public long revision() {
			return this.store.revision();
		}

		@Override
		public RevisionAt revisionAt() {
			return this.store.revisionAt();
		}

		@Override
		public @Nullable Configured configure(LeaseProof leader, String group,
				Collection<ScheduleDefinition> definitions) {
			return this.sender.configure(leader, List.copyOf(definitions));
		}

		@Override
		public FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings) {
			FiringReply reply = this.sender.send(leader, firings);
			if (reply == null) {
				this.failed = true;
				throw new QueueUnavailableException("no reply", null);
			}
			return reply;
		}

		@Override
		public void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void replaceAll(String group, Collection<ScheduleDefinition> definitions) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean remove(String name) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean pause(String name) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean resume(String name) {
			throw new UnsupportedOperationException();
		}

	}

}
