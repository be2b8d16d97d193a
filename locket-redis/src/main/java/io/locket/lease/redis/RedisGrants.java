package io.locket.lease.redis;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.LeaseUnavailableException;
import io.locket.lease.redis.PendingReleases.PendingRelease;
import io.locket.redis.NotConnectedException;
import io.locket.redis.RedisFailure;
import org.jspecify.annotations.Nullable;

/**
 * Requests for leases and claims, whose reply may be lost. What was granted but cannot
 * count is released in the background. Thread-safe.
 */
final class RedisGrants {

	private final PendingReleases pendingReleases;

	private final @Nullable ReplicaConfirmations replicas;

	private final String instance;

	RedisGrants(PendingReleases pendingReleases, @Nullable ReplicaConfirmations replicas, String instance) {
		this.pendingReleases = pendingReleases;
		this.replicas = replicas;
		this.instance = instance;
	}

	/**
	 * Calls the store. A call without a reply may have been granted, so it is released in
	 * the background unless the command was never sent. A call that the store refused is
	 * released once, because an earlier copy of the command may have been granted.
	 * @param key the key
	 * @param pending the lease or claim that may be granted
	 * @param expiry its duration
	 * @param call the call
	 * @return the reply
	 * @throws LeaseUnavailableException if there is no reply
	 */
	Grant request(JobKey key, PendingRelease pending, Duration expiry, Supplier<Grant> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			RedisFailure failure = RedisFailure.of(ex);
			if (!(ex instanceof NotConnectedException)) {
				this.pendingReleases.add(pending, expiry, mayBeGranted(failure));
			}
			throw new LeaseUnavailableException(failure.message("grant the lease of " + key), ex);
		}
		catch (Error ex) {
			this.pendingReleases.add(pending, expiry, true);
			throw ex;
		}
	}

	private static boolean mayBeGranted(RedisFailure failure) {
		return failure.kind() == RedisFailure.Kind.NO_REPLY || failure.kind() == RedisFailure.Kind.UNREADABLE;
	}

	/**
	 * Completes a grant before it counts, and releases it if that fails.
	 * @param key the key
	 * @param granted the lease or claim
	 * @param expiry its duration
	 * @param action the remaining steps
	 * @throws LeaseUnavailableException if a step fails
	 */
	void complete(JobKey key, PendingRelease granted, Duration expiry, Consumer<PendingRelease> action) {
		try {
			action.accept(granted);
		}
		catch (RuntimeException ex) {
			releaseLater(granted, expiry);
			throw new LeaseUnavailableException((ex instanceof IllegalStateException)
					? "Redis granted the lease of " + key + ", but it is released. " + ex.getMessage()
					: RedisFailure.of(ex).message("keep the lease of " + key), ex);
		}
		catch (Error ex) {
			releaseLater(granted, expiry);
			throw ex;
		}
	}

	/**
	 * Releases a grant in the background.
	 */
	void releaseLater(PendingRelease granted, Duration expiry) {
		this.pendingReleases.add(granted, expiry, false);
	}

	/**
	 * Waits until the required number of replicas has a grant.
	 */
	void replicate(PendingRelease granted) {
		if (this.replicas != null) {
			this.replicas.await(granted.lock(), granted.token());
		}
	}

	/**
	 * Returns the description of the holder on this thread.
	 */
	String holder(JobKey key) {
		return HolderRecord.body(key, this.instance, Thread.currentThread().getName());
	}

}
