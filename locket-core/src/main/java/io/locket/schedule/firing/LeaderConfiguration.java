package io.locket.schedule.firing;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.ScheduleStore.Configured;
import io.locket.schedule.StoredSchedule;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Schedules in the configuration of this process, which are those of its group while it
 * leads. Not thread-safe.
 */
final class LeaderConfiguration {

	private static final Log logger = LogFactory.getLog(LeaderConfiguration.class);

	private final String group;

	private final Supplier<? extends Collection<ScheduleDefinition>> definitions;

	private final Set<String> warned = new TreeSet<>();

	/**
	 * Schedules that have ended in the last term.
	 */
	private final Set<String> ended = new TreeSet<>();

	private long term;

	LeaderConfiguration(String group, Supplier<? extends Collection<ScheduleDefinition>> definitions) {
		this.group = group;
		this.definitions = definitions;
	}

	/**
	 * Returns whether no schedule is configured in this process.
	 */
	boolean isEmpty() {
		return this.definitions.get().isEmpty();
	}

	/**
	 * Replaces the configured schedules of the store with those of this process.
	 * @return {@code false} if the lease does not hold
	 */
	boolean write(ScheduleStore store, LeaseProof leader) {
		Configured configured = store.configure(leader, this.group, this.definitions.get());
		if (configured == null) {
			return false;
		}
		logEnded(configured.ended(), leader.fencingToken());
		warnOfTaken(configured.taken(), store);
		return true;
	}

	/**
	 * Logs schedules that have ended, each once a term.
	 */
	private void logEnded(Set<String> ended, long current) {
		if (this.term != current) {
			this.term = current;
			this.ended.clear();
		}
		Set<String> unknown = new TreeSet<>(ended);
		unknown.removeAll(this.ended);
		this.ended.addAll(unknown);
		if (!unknown.isEmpty() && isEmpty()) {
			logger.warn(textOf(unknown));
		}
		else if (!unknown.isEmpty()) {
			logger.info(textOf(unknown));
		}
	}

	private String textOf(Set<String> ended) {
		return "This process leads group '" + this.group + "', and is not configured with " + ScheduleQueue.count(ended)
				+ " of its former leader, which end. If other processes of the group still need them, set"
				+ " locket.leader.enabled=false here";
	}

	/**
	 * Returns whether schedules of the group have ended in the current term, because this
	 * process is not configured with them.
	 */
	boolean hasEndedOthers() {
		return !this.ended.isEmpty();
	}

	/**
	 * Logs names that are taken, each once until it is free.
	 */
	private void warnOfTaken(Set<String> taken, ScheduleStore store) {
		this.warned.retainAll(taken);
		if (!this.warned.containsAll(taken)) {
			store.load().schedules().stream().map(StoredSchedule::definition).forEach((other) -> {
				if (taken.contains(other.name()) && this.warned.add(other.name())) {
					logger.warn(warning(other));
				}
			});
		}
	}

	private String warning(ScheduleDefinition other) {
		String start = "The configured schedule '" + other.name() + "' does not fire, because ";
		if (other.origin() == ScheduleOrigin.CONFIGURED) {
			return start + "group '" + other.group() + "', which has a leader, is configured with a schedule of that"
					+ " name: rename one of the two";
		}
		return start + "a schedule of that name was put at run time"
				+ (other.group().equals(this.group) ? "" : " by group '" + other.group() + "'")
				+ ": remove it with Schedules.remove(\"" + other.name()
				+ "\") and make sure that no code puts it again, or" + " rename one of the two";
	}

	/**
	 * Returns whether the store matches the configuration: all schedules are present, or
	 * replaced by one that is not configured, and there are no others. A schedule that is
	 * configured in another group does not match, so it is requested again, because that
	 * group may no longer have a leader.
	 */
	boolean isIn(ScheduleSnapshot snapshot) {
		Map<String, ScheduleDefinition> there = snapshot.schedules()
			.stream()
			.collect(Collectors.toMap(StoredSchedule::name, StoredSchedule::definition));
		for (ScheduleDefinition definition : this.definitions.get()) {
			ScheduleDefinition found = there.remove(definition.name());
			if (found == null || (found.origin() == ScheduleOrigin.CONFIGURED && !found.equals(definition))) {
				return false;
			}
		}
		return there.values().stream().noneMatch(this::isOurs);
	}

	private boolean isOurs(ScheduleDefinition definition) {
		return definition.origin() == ScheduleOrigin.CONFIGURED && definition.group().equals(this.group);
	}

}
