package io.locket.health;

import java.util.Objects;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of Locket's Redis: up while it answers. A policy by which Redis throws keys away
 * when it is full is told as a warning, and that it keeps no append-only file as a note;
 * neither takes anything down.
 */
public final class LocketHealthIndicator extends AbstractHealthIndicator {

	private static final String NOT_PERSISTENT = "Redis keeps no append-only file: a crash of it loses the jobs that were"
			+ " accepted since its last snapshot, if it takes any. Set appendonly to yes, unless replicas are enough";

	private final StoreProbe store;

	/**
	 * Create an indicator.
	 * @param store answers for the store
	 */
	public LocketHealthIndicator(StoreProbe store) {
		super("Locket's Redis gives no answer: look whether it runs, and is where spring.data.redis.* says");
		this.store = Objects.requireNonNull(store, "'store' must not be null");
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.withDetail("redis", "unreachable");
		this.store.ping();
		builder.up().withDetail("redis", "reachable");
		builder.withDetail("evictionPolicy", this.store.evictionPolicy().orElse("unknown"));
		this.store.evictionWarning().ifPresent((warning) -> builder.withDetail("warning", warning));
		builder.withDetail("appendOnly", this.store.appendOnly().map(Object::toString).orElse("unknown"));
		this.store.appendOnly().filter((on) -> !on).ifPresent((off) -> builder.withDetail("note", NOT_PERSISTENT));
	}

}
