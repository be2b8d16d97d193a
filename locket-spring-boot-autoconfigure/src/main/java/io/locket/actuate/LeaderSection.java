package io.locket.actuate;

import java.time.Instant;

import io.locket.LeaseHolder;
import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.schedule.leader.Leadership;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The section of the leader, which fires the schedules of the group of this process.
 */
final class LeaderSection implements EndpointSection {

	static final String PATH = "leader";

	private final Leadership leadership;

	LeaderSection(Leadership leadership) {
		this.leadership = leadership;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public LeaderDescriptor list(ListQuery query, ArgumentMask mask) {
		return leader();
	}

	LeaderDescriptor leader() {
		LeaseHolder leader = this.leadership.leader().orElse(null);
		String group = this.leadership.group();
		boolean here = this.leadership.isLeader();
		return (leader != null)
				? new LeaderDescriptor(group, leader.instance(), leader.since(), leader.fencingToken(), here)
				: new LeaderDescriptor(group, null, null, null, here);
	}

	/**
	 * The leader.
	 *
	 * @param group the group of the responding process, whose schedules the leader fires
	 * @param instance the process that leads, or {@code null} if there is no leader
	 * @param since the start of its term, by the clock of the store, or {@code null}
	 * @param term the term, greater than that of each earlier leader, or {@code null}
	 * @param thisInstance whether the responding process leads, by its own state
	 */
	public record LeaderDescriptor(String group, @Nullable String instance, @Nullable Instant since,
			@Nullable Long term, boolean thisInstance) implements OperationResponseBody {

	}

}
