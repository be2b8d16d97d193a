package io.locket.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.queue.QueueUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Store that counts its calls, and does not reply where a test requires it.
 */
public final class FailingScheduleStore implements ScheduleStore {

	private final ScheduleStore store;

	private final Map<String, RuntimeException> poisonous = new HashMap<>();

	private final Map<String, List<Integer>> firedBySchedule = new HashMap<>();

	private final List<Integer> fired = new ArrayList<>();

	private boolean down;

	private boolean moving;

	private boolean readOnly;

	private @Nullable RuntimeException defect;

	private int lostReplies;

	private boolean downAfterwards;

	private int questions;

	private @Nullable Long keptRevision;

	public FailingScheduleStore(ScheduleStore store) {
		this.store = store;
	}

	/**
	 * Stops or resumes replying.
	 */
	public void down(boolean down) {
		this.down = down;
	}

	/**
	 * Starts or ends the move of a slot, during which only single keys can be read.
	 */
	public void moving(boolean moving) {
		this.moving = moving;
	}

	/**
	 * Starts or ends a time in which schedules can be read, and nothing can fire.
	 */
	public void readOnly(boolean readOnly) {
		this.readOnly = readOnly;
	}

	/**
	 * Fails all calls for a reason other than an outage.
	 */
	public void defect(RuntimeException defect) {
		this.defect = defect;
	}

	/**
	 * Executes the next firings, and loses their replies.
	 */
	public void loseReplies(int replies) {
		this.lostReplies = replies;
	}

	/**
	 * Executes the next firing, loses its reply, and stops replying.
	 */
	public void loseReplyAndStop() {
		this.lostReplies = 1;
		this.downAfterwards = true;
	}

	/**
	 * Loses the configured schedules of a group without a new revision, as Redis may.
	 */
	public void loseConfigured(LeaseProof leader, String group) {
		this.keptRevision = this.store.revision();
		this.store.configure(leader, group, List.of());
	}

	/**
	 * Fails every call that fires a schedule, until it is cured.
	 */
	public void poison(String schedule) {
		poison(schedule, new QueueUnavailableException("poison", null));
	}

	public void poison(String schedule, RuntimeException failure) {
		this.poisonous.put(schedule, failure);
	}

	public void cure(String schedule) {
		this.poisonous.remove(schedule);
	}

	/**
	 * Returns the numbers of firings of the calls that have one of a schedule.
	 */
	public List<Integer> callsWith(String schedule) {
		return this.firedBySchedule.getOrDefault(schedule, List.of());
	}

	/**
	 * Returns the numbers of firings of the calls so far.
	 */
	public List<Integer> calls() {
		return this.fired;
	}

	/**
	 * Returns the number of calls so far.
	 */
	public int questions() {
		return this.questions;
	}

	private ScheduleStore ask() {
		this.questions++;
		if (this.defect != null) {
			throw this.defect;
		}
		if (this.down || this.moving) {
			throw new QueueUnavailableException("no reply", null);
		}
		return this.store;
	}

	@Override
	public ScheduleSnapshot load() {
		this.keptRevision = null;
		return ask().load();
	}

	@Override
	public ScheduleSnapshot find(String name) {
		return ask().find(name);
	}

	@Override
	public long revision() {
		return (this.moving ? this.store : ask()).revision();
	}

	@Override
	public RevisionAt revisionAt() {
		RevisionAt found = (this.moving ? this.store : ask()).revisionAt();
		return (this.keptRevision != null) ? new RevisionAt(this.keptRevision, found.time()) : found;
	}

	@Override
	public void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner) {
		ask().put(definitions, owner);
	}

	@Override
	public Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner) {
		return ask().restore(definitions, owner);
	}

	@Override
	public void replaceAll(String group, Collection<ScheduleDefinition> definitions) {
		ask().replaceAll(group, definitions);
	}

	@Override
	public @Nullable Configured configure(LeaseProof leader, String group, Collection<ScheduleDefinition> definitions) {
		return ask().configure(leader, group, definitions);
	}

	@Override
	public boolean remove(String name) {
		return ask().remove(name);
	}

	@Override
	public boolean pause(String name) {
		return ask().pause(name);
	}

	@Override
	public boolean resume(String name) {
		return ask().resume(name);
	}

	@Override
	public FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings) {
		this.fired.add(firings.size());
		firings.stream()
			.map(Firing::schedule)
			.distinct()
			.forEach((schedule) -> this.firedBySchedule.computeIfAbsent(schedule, (name) -> new ArrayList<>())
				.add(firings.size()));
		for (Firing firing : firings) {
			RuntimeException poison = this.poisonous.get(firing.schedule());
			if (poison != null) {
				throw poison;
			}
		}
		if (this.readOnly) {
			throw new QueueUnavailableException("READONLY", null);
		}
		FiringReply reply = ask().fire(leader, ttl, firings);
		if (this.lostReplies > 0) {
			this.lostReplies--;
			this.down = this.downAfterwards;
			this.downAfterwards = false;
			throw new QueueUnavailableException("the reply was lost", null);
		}
		return reply;
	}

}
