package io.locket.autoconfigure.schedule;

import java.time.Duration;

import io.locket.lease.Lease;
import io.locket.schedule.leader.LeaderTask;
import org.jspecify.annotations.Nullable;

/**
 * The optional task of a leader. With {@code locket.leader.enabled: true} a process takes
 * part in the election without a task, because an application may lead for purposes of
 * its own.
 *
 * @param task the task, or {@code null} if there is nothing to do
 * @param enabled whether the process is configured to lead in any case
 */
record ConditionalLeaderTask(@Nullable LeaderTask task, boolean enabled) implements LeaderTask {

	private static final Duration REST = Duration.ofHours(1);

	@Override
	public Term begin(Lease lease) {
		return (this.task != null) ? this.task.begin(lease) : () -> REST;
	}

	@Override
	public boolean isOwn() {
		return this.enabled || (this.task != null && this.task.isOwn());
	}

	@Override
	public boolean isNeeded() {
		return isOwn() || (this.task != null && this.task.isNeeded());
	}

}
