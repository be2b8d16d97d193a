package io.locket.schedule;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The schedules that this process is configured with, which are those of its group while
 * it leads. Not thread-safe.
 */
final class LeaderConfiguration {

	private static final Log logger = LogFactory.getLog(LeaderConfiguration.class);

	private final String group;

	private final Supplier<? extends Collection<ScheduleDefinition>> definitions;

	private final Set<String> told = new TreeSet<>();

	LeaderConfiguration(String group, Supplier<? extends Collection<ScheduleDefinition>> definitions) {
		this.group = group;
		this.definitions = definitions;
	}

	/**
	 * Put the schedules in the place of those that were configured before.
	 * @return {@code false} if the lease does not hold
	 */
	boolean write(ScheduleStore store, LeaseProof leader) {
		Set<String> taken = store.configure(leader, this.group, this.definitions.get());
		if (taken == null) {
			return false;
		}
		this.told.retainAll(taken);
		if (!this.told.containsAll(taken)) {
			store.load().schedules().stream().map(StoredSchedule::definition).forEach((other) -> {
				if (taken.contains(other.name()) && this.told.add(other.name())) {
					logger.warn(warning(other));
				}
			});
		}
		return true;
	}

	private String warning(ScheduleDefinition other) {
		String start = "The configured schedule '" + other.name() + "' does not fire, since ";
		if (other.origin() == ScheduleOrigin.CONFIGURED) {
			return start + "group '" + other.group() + "', which has a leader, is configured with one of that name:"
					+ " rename one of the two";
		}
		return start + "one of that name was put at run time"
				+ (other.group().equals(this.group) ? "" : " by group '" + other.group() + "'")
				+ ": remove that with Schedules.remove(\"" + other.name() + "\"), and see that nobody puts it again, or"
				+ " rename one of the two";
	}

	/**
	 * Return whether all are there as they should be, or others in their place that are
	 * not configured, and no others that are. What another group is configured with is
	 * asked for again and again, since nobody may lead that any more.
	 */
	boolean isIn(ScheduleBook book) {
		Map<String, ScheduleDefinition> there = book.schedules()
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
