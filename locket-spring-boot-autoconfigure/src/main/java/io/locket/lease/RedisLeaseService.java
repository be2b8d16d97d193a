package io.locket.lease;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseLossCause;
import io.locket.LeaseUnavailableException;
import io.locket.event.JobEventPublisher;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseForced;
import io.locket.event.LeaseUnavailable;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseScripts.Grant;
import io.locket.lease.LeaseScripts.Surrender;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;

/**
 * Leases in Redis, in the lock space of a {@code RedisLockRegistry}: the key of the lock,
 * the owner's token as its value, and an expiry.
 */
public final class RedisLeaseService implements LeaseService, AutoCloseable {

	private static final Log logger = LogFactory.getLog(RedisLeaseService.class);

	private static final int PAGE = 100;

	private final LeaseKeys keys;

	private final LeaseSettings settings;

	private final JobKeys jobKeys;

	private final JobEventPublisher events;

	private final LongSupplier nanoTime;

	private final LeaseScripts scripts;

	private final LeaseWait waiting;

	private final LeaseSurrenders surrenders;

	private final LeaseGrants grants;

	private final LiveLease.Context context;

	private final LeaseClosing closing;

	/**
	 * Create a service.
	 * @param connections the connections, of which it becomes a user
	 * @param keys the names in Redis
	 * @param settings how it works
	 * @param jobKeys makes keys
	 * @param heartbeat keeps the leases alive
	 * @param threads runs what is left to do, of which it becomes a user
	 * @param events is told of what happens
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public RedisLeaseService(LeaseConnections connections, LeaseKeys keys, LeaseSettings settings, JobKeys jobKeys,
			LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events, LongSupplier nanoTime) {
		this.keys = keys;
		this.settings = settings;
		this.jobKeys = jobKeys;
		this.events = events;
		this.nanoTime = nanoTime;
		connections.retain();
		threads.retain();
		this.scripts = new LeaseScripts(connections.shared(), keys);
		LeaseWakeups wakeups = new LeaseWakeups(connections.shared(), keys.channels());
		this.waiting = new LeaseWait(wakeups, nanoTime);
		this.closing = new LeaseClosing(() -> {
			threads.release();
			wakeups.close();
			connections.close();
		});
		this.surrenders = new LeaseSurrenders(this.scripts, threads.cleanup(), this.closing, nanoTime);
		this.grants = (settings.waitReplicas() > 0)
				? new ReplicatedGrants(connections.waiting(), keys, settings.waitReplicas(), settings.commandTimeout())
				: this.scripts;
		this.context = new LiveLease.Context(heartbeat, events, threads.notifier(), nanoTime, this.closing,
				this::renew);
	}

	@Override
	public JobKey keyOf(String name, @Nullable Object... key) {
		return this.jobKeys.keyOf(name, Arrays.asList(key), this.settings.mask());
	}

	@Override
	public LeaseAttempt attempt(LeaseRequest request) {
		Duration duration = this.settings.durationOf(request);
		try {
			LeaseAttempt attempt = attempt(request, duration);
			if (attempt instanceof LeaseAttempt.Refused && !request.waitTime().isZero()) {
				attempt = this.waiting.await(this.keys.lock(request.key().digest()), request,
						() -> attempt(request, duration));
			}
			return told(request.key(), attempt);
		}
		catch (LeaseUnavailableException ex) {
			throw told(request.key(), ex);
		}
	}

	private LeaseUnavailableException told(JobKey key, LeaseUnavailableException ex) {
		this.events.publish(new LeaseUnavailable(key, Objects.toString(ex.getMessage(), "")));
		return ex;
	}

	private LeaseAttempt told(JobKey key, LeaseAttempt attempt) {
		if (attempt instanceof LeaseAttempt.Acquired acquired) {
			this.events.publish(
					new LeaseAcquired(key, acquired.lease().fencingToken(), acquired.lease() instanceof ClaimLease));
		}
		else if (attempt instanceof LeaseAttempt.Refused refused) {
			this.events.publish(new LeaseConflicted(key, refused.holder()));
		}
		return attempt;
	}

	private LeaseAttempt attempt(LeaseRequest request, Duration duration) {
		JobKey key = request.key();
		String token = UUID.randomUUID().toString();
		Surrender surrender = new Surrender(this.keys.lock(key.digest()), token, key.digest(), 0);
		long sentAt = this.nanoTime.getAsLong();
		this.closing.enter();
		RedisLease lease = null;
		try {
			Grant grant = ask(key, surrender, duration, () -> this.grants.acquire(key, token, duration, holder(key)));
			if (!grant.granted()) {
				return refused(grant);
			}
			RedisLease granted = new RedisLease(key, duration, grant.since(), grant.fence(), sentAt, this.context,
					token, request.holdAtLeast(), this);
			if (granted.isPastDeadline() && !isRenewedInTime(granted)) {
				this.surrenders.add(surrender, duration);
				throw new LeaseUnavailableException("The answer for the lease of " + key + " came too late", null);
			}
			this.context.heartbeat().add(granted);
			lease = granted;
			return new LeaseAttempt.Acquired(lease);
		}
		finally {
			if (lease == null) {
				this.closing.leave();
			}
		}
	}

	/**
	 * The first command of a process waits for its connection, and no body may start
	 * after its local deadline.
	 */
	private boolean isRenewedInTime(RedisLease lease) {
		long sentAt = this.nanoTime.getAsLong();
		try {
			if (this.scripts.renew(List.of(lease)).get(0) != 1) {
				return false;
			}
		}
		catch (RuntimeException ex) {
			logger.debug("Could not renew " + lease + ", which was granted late", ex);
			return false;
		}
		lease.confirm(sentAt);
		return !lease.isPastDeadline();
	}

	@Override
	public LeaseAttempt claim(JobKey key, Duration period) {
		LeaseRequest.requireBounded(period, "A period");
		String token = UUID.randomUUID().toString();
		Surrender surrender = new Surrender(this.keys.claim(key.digest()), token, "", 0);
		long endsAt = this.nanoTime.getAsLong() + period.toNanos();
		try {
			this.closing.enter();
			try {
				Grant grant = ask(key, surrender, period, () -> this.grants.claim(key, token, period, holder(key)));
				if (grant.granted() && endsAt - this.nanoTime.getAsLong() <= 0) {
					throw new LeaseUnavailableException("The answer for the claim of " + key + " came too late", null);
				}
				return told(key,
						grant.granted()
								? new LeaseAttempt.Acquired(
										new ClaimLease(key, grant.fence(), grant.since(), endsAt, this.nanoTime))
								: refused(grant));
			}
			finally {
				this.closing.leave();
			}
		}
		catch (LeaseUnavailableException ex) {
			throw told(key, ex);
		}
	}

	/**
	 * Ask the store. An answer that does not come may have been a grant, which is taken
	 * back in the background.
	 */
	private Grant ask(JobKey key, Surrender surrender, Duration expiry, Supplier<Grant> question) {
		try {
			return question.get();
		}
		catch (RuntimeException ex) {
			this.surrenders.add(surrender, expiry.plus(this.settings.commandTimeout().multipliedBy(5)));
			throw new LeaseUnavailableException("Redis gave no answer for the lease of " + key + reason(ex), ex);
		}
	}

	private static LeaseAttempt.Refused refused(Grant grant) {
		HolderRecord holder = grant.holder();
		return new LeaseAttempt.Refused((holder != null) ? holder.toLeaseHolder() : LeaseHolder.foreign(),
				grant.remaining());
	}

	private String holder(JobKey key) {
		return HolderRecord.body(key, this.settings.instance(), Thread.currentThread().getName());
	}

	private List<LeaseRenewer.Renewal> renew(List<LiveLease> leases) {
		return this.scripts.renew(leases.stream().map(RedisLease.class::cast).toList())
			.stream()
			.map((answer) -> switch (answer) {
				case 1 -> LeaseRenewer.Renewal.RENEWED;
				case 0 -> LeaseRenewer.Renewal.TAKEN;
				default -> LeaseRenewer.Renewal.GONE;
			})
			.toList();
	}

	@Nullable LeaseLossCause giveBack(RedisLease lease) {
		try {
			return switch (this.scripts.release(List.of(surrender(lease))).get(0)) {
				case 1 -> null;
				case 0 -> LeaseLossCause.TAKEN;
				default -> LeaseLossCause.GONE;
			};
		}
		catch (RuntimeException ex) {
			logger.warn("Redis gave no answer to the release of " + lease
					+ "; trying again in the background, and nobody renews it. Look at Redis: " + ex);
			giveBackLater(lease);
			return lease.isPastDeadline() ? LeaseLossCause.UNREACHABLE : null;
		}
	}

	void giveBackLater(RedisLease lease) {
		this.surrenders.add(surrender(lease), lease.duration());
	}

	private Surrender surrender(RedisLease lease) {
		return new Surrender(this.keys.lock(lease.key().digest()), lease.token(), lease.key().digest(),
				lease.holdUntil());
	}

	@Override
	public Optional<HeldLease> find(JobKey key) {
		return look(() -> this.scripts.find(List.of(key.digest())).stream().findFirst());
	}

	@Override
	public Optional<HeldLease> findClaim(JobKey key) {
		return look(() -> this.scripts.findClaim(key.digest()).stream().findFirst());
	}

	@Override
	public List<HeldLease> held(int limit) {
		List<String> digests = look(() -> this.scripts.list(limit)).stream().distinct().toList();
		return IntStream.iterate(0, (from) -> from < digests.size(), (from) -> from + PAGE)
			.mapToObj((from) -> digests.subList(from, Math.min(digests.size(), from + PAGE)))
			.flatMap((page) -> look(() -> this.scripts.find(page)).stream())
			.toList();
	}

	@Override
	public Optional<HeldLease> forceRelease(String digest) {
		HeldLease evicted = look(() -> this.scripts.forceRelease(digest));
		if (evicted != null) {
			logger.warn("Released by force, while its body may go on: " + evicted + ". See that it does no harm");
			this.events.publish(new LeaseForced(evicted.jobKey(), evicted.holder()));
		}
		return Optional.ofNullable(evicted);
	}

	private static <T extends @Nullable Object> T look(Supplier<T> question) {
		try {
			return question.get();
		}
		catch (RuntimeException ex) {
			throw new LeaseUnavailableException("Redis gave no answer" + reason(ex), ex);
		}
	}

	/**
	 * The driver's own failure, at the bottom, is the one that tells host and port.
	 */
	private static String reason(RuntimeException ex) {
		return ": " + NestedExceptionUtils.getMostSpecificCause(ex) + ". Is it where spring.data.redis.* says?";
	}

	/**
	 * Take no more leases. Heartbeat and connections live on, as daemons, until the last
	 * lease has been released.
	 */
	@Override
	public void close() {
		this.closing.close();
	}

}
