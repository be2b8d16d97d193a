package io.locket.health;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of Locket's Redis: up while it responds and meets Locket's requirements. An
 * eviction policy other than {@code noeviction} is a warning, missing permissions are
 * listed, and a missing append-only file is a note. None of them changes the status.
 */
public final class LocketHealthIndicator extends AbstractHealthIndicator {

	private static final String NOT_PERSISTENT = "Redis has no append-only file. A crash of Redis loses the jobs that"
			+ " were accepted since its last snapshot, if it takes snapshots. Set appendonly to yes, unless replicas"
			+ " are enough";

	private final StoreProbe store;

	/**
	 * Creates an indicator.
	 * @param store the probe of the store
	 */
	public LocketHealthIndicator(StoreProbe store) {
		super("The health of Locket's Redis cannot be determined");
		this.store = Objects.requireNonNull(store, "'store' must not be null");
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		try {
			this.store.ping();
		}
		catch (RuntimeException ex) {
			// Spring Boot would log an exception of the builder at each check.
			builder.down()
				.withDetail("redis", this.store.isUnavailable() ? "unreachable" : "refused")
				.withDetail("error", ex.toString());
			addMissingPermissions(builder);
			addProblems(builder);
			return;
		}
		builder.up().withDetail("redis", "reachable");
		builder.withDetail("evictionPolicy", this.store.evictionPolicy().orElse("unknown"));
		this.store.evictionWarning().ifPresent((warning) -> builder.withDetail("warning", warning));
		this.store.version().ifPresent((version) -> builder.withDetail("version", version));
		addMissingPermissions(builder);
		addProblems(builder);
		builder.withDetail("appendOnly", this.store.appendOnly().map(Object::toString).orElse("unknown"));
		this.store.appendOnly().filter((on) -> !on).ifPresent((off) -> builder.withDetail("note", NOT_PERSISTENT));
	}

	private void addMissingPermissions(Health.Builder builder) {
		Set<String> missing = this.store.missingPermissions();
		if (!missing.isEmpty()) {
			builder.withDetail("missingPermissions", String.join(" ", missing));
		}
	}

	private void addProblems(Health.Builder builder) {
		List<String> problems = this.store.problems();
		if (!problems.isEmpty()) {
			builder.down().withDetail("reason", String.join("; ", problems));
		}
	}

}
