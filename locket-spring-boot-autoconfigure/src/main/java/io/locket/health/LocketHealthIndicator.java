package io.locket.health;

import java.util.Objects;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of Locket: up while its Redis answers. A policy by which Redis throws keys away
 * when it is full is told as a warning, and takes nothing down.
 */
public final class LocketHealthIndicator extends AbstractHealthIndicator {

	private final StoreProbe store;

	/**
	 * Create an indicator.
	 * @param store answers for the store
	 */
	public LocketHealthIndicator(StoreProbe store) {
		super("Locket's Redis gives no answer");
		this.store = Objects.requireNonNull(store, "'store' must not be null");
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.withDetail("redis", "unreachable");
		this.store.ping();
		builder.up().withDetail("redis", "reachable");
		builder.withDetail("evictionPolicy", this.store.evictionPolicy().orElse("unknown"));
		this.store.evictionWarning().ifPresent((warning) -> builder.withDetail("warning", warning));
	}

}
