package io.locket.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import io.locket.health.StoreProbe;
import io.locket.lease.redis.LeaseKeys;
import io.locket.log.OutageLog;
import io.locket.redis.PermissionCheck;
import io.locket.redis.RedisConnections;
import io.locket.redis.RedisFailure;
import io.locket.redis.ServerCheck;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * {@link StoreProbe} for Redis. It deletes a key of the namespace that never exists, so
 * it also detects whether Redis accepts writes. On a cluster, it checks the master that
 * holds the namespace. It reads the configuration of Redis at most once a minute, on a
 * thread of its own, because that takes more than ten commands. A caller waits for it for
 * at most one command timeout, and then gets the last findings. Thread-safe.
 */
final class RedisProbe implements StoreProbe {

	private static final Log logger = LogFactory.getLog(RedisProbe.class);

	private static final long CHECK_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

	private final StringRedisTemplate redis;

	private final String absent;

	private final ServerCheck server;

	private final @Nullable PermissionCheck permissions;

	private final long commandTimeout;

	private final LongSupplier nanoTime;

	private final OutageLog outages;

	private volatile @Nullable Long failedAt;

	private @Nullable Long checkedAt;

	private CompletableFuture<?> running = CompletableFuture.completedFuture(null);

	RedisProbe(RedisConnections connections, LeaseKeys keys, ServerCheck server, @Nullable PermissionCheck permissions,
			LongSupplier nanoTime) {
		this.redis = new StringRedisTemplate(connections.shared());
		this.absent = keys.absent();
		this.server = server;
		this.permissions = permissions;
		this.commandTimeout = connections.commandTimeout().toNanos();
		this.nanoTime = nanoTime;
		this.outages = new OutageLog(logger, nanoTime, "Locket's Redis cannot be used",
				"Locket's Redis can be used again");
	}

	@Override
	public void ping() {
		boolean replied = false;
		try {
			this.redis.delete(this.absent);
			replied = true;
			this.outages.succeeded();
		}
		catch (RuntimeException ex) {
			RedisFailure failure = RedisFailure.of(ex);
			replied = failure.isReply();
			IllegalStateException thrown = new IllegalStateException(
					failure.message("delete a key that does not exist"), ex);
			this.outages.failed(thrown);
			throw thrown;
		}
		finally {
			note(replied);
		}
	}

	private void note(boolean replied) {
		this.failedAt = replied ? null : (Long) this.nanoTime.getAsLong();
	}

	@Override
	public boolean isUnavailable() {
		Long at = this.failedAt;
		return at != null && this.nanoTime.getAsLong() - at < this.commandTimeout;
	}

	@Override
	public Optional<String> evictionPolicy() {
		check();
		return this.server.policy();
	}

	@Override
	public Optional<String> evictionWarning() {
		return this.server.warning();
	}

	@Override
	public Optional<Boolean> appendOnly() {
		return this.server.appendOnly();
	}

	@Override
	public Optional<String> version() {
		return this.server.version();
	}

	@Override
	public List<String> problems() {
		return this.server.problems();
	}

	@Override
	public Set<String> missingPermissions() {
		return (this.permissions != null) ? this.permissions.missing() : Set.of();
	}

	/**
	 * Checks the server and the permissions again once a minute, because either may have
	 * been corrected, or Redis may not have responded at start-up.
	 */
	private void check() {
		CompletableFuture<?> check = startIfDue();
		try {
			check.get(this.commandTimeout, TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			logger.debug("The check of Redis takes longer than a command timeout. The last findings are used", ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The check of Redis failed unexpectedly", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized CompletableFuture<?> startIfDue() {
		long now = this.nanoTime.getAsLong();
		Long last = this.checkedAt;
		if (this.running.isDone() && (last == null || now - last >= CHECK_INTERVAL_NANOS)) {
			boolean known = last == null && this.server.policy().isPresent();
			this.running = CompletableFuture.runAsync(() -> checkNow(known), RedisProbe::startThread);
			this.checkedAt = now;
		}
		return this.running;
	}

	private static void startThread(Runnable check) {
		Thread thread = new Thread(check, "locket-health-check");
		thread.setDaemon(true);
		thread.start();
	}

	private void checkNow(boolean serverIsKnown) {
		if (!serverIsKnown) {
			note(this.server.run());
		}
		if (this.permissions != null && !isUnavailable()) {
			this.permissions.run();
		}
	}

}
