package io.locket.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.locket.worker.WorkerStatus;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of the workers of this process: down while one of their threads is stalled, and
 * after the store has failed all their calls for the same time. Sends no command to the
 * store.
 */
public final class WorkerHealthIndicator extends AbstractHealthIndicator {

	private final Supplier<WorkerStatus> status;

	/**
	 * Creates an indicator.
	 * @param status supplies the status of the workers
	 */
	public WorkerHealthIndicator(Supplier<WorkerStatus> status) {
		super("The health of the workers cannot be determined");
		this.status = Objects.requireNonNull(status, "'status' must not be null");
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		WorkerStatus now = this.status.get();
		Map<String, String> groups = new LinkedHashMap<>();
		now.groups()
			.forEach((group) -> groups.put(group.name(),
					group.running() + " of " + group.concurrency() + " run a job from " + group.queues()));
		builder.up().withDetail("groups", groups);
		String stalled = now.stalled();
		if (stalled != null) {
			builder.down().withDetail("stalled", stalled);
		}
		String failing = now.failing();
		if (failing != null) {
			builder.down().withDetail("failing", failing);
		}
	}

}
