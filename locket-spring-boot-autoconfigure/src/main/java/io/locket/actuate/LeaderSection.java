package io.locket.actuate;

import java.time.Instant;

import io.locket.LeaseHolder;
import io.locket.schedule.Leadership;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The process that fires the schedules of the group of this one.
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
		boolean here = this.leadership.isLeader();
		return (leader != null) ? new LeaderDescriptor(leader.instance(), leader.since(), leader.fencingToken(), here)
				: new LeaderDescriptor(null, null, null, here);
	}

	/**
	 * Who leads.
	 *
	 * @param instance the process that leads, or {@code null} if nobody does
	 * @param since since when, by the clock of the store, or {@code null}
	 * @param term its term: each leader has a greater one than those before it, or
	 * {@code null}
	 * @param thisInstance whether the process that answers leads, as far as it knows
	 */
	public record LeaderDescriptor(@Nullable String instance, @Nullable Instant since, @Nullable Long term,
			boolean thisInstance) implements OperationResponseBody {

	}

}
