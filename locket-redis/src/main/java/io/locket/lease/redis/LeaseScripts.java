package io.locket.lease.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.locket.JobKey;
import io.locket.LeaseKind;
import io.locket.lease.HeldLease;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import io.locket.lease.redis.PendingReleases.PendingRelease;
import io.locket.lease.redis.PendingReleases.Release;
import io.locket.redis.SlotRefusal;
import io.locket.redis.script.ScriptRunner;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * The lease scripts, with one method for each script and one command for each call. A
 * script that is unknown to the server, after a restart or a fail-over, is sent again in
 * full.
 */
public final class LeaseScripts {

	private static final Log logger = LogFactory.getLog(LeaseScripts.class);

	private static final RedisScript<List<Object>> ACQUIRE = script("acquire");

	private static final RedisScript<List<Object>> HOLDER = script("runs", "holder");

	private static final RedisScript<List<Object>> RENEW = script("renew");

	private static final RedisScript<List<Object>> KEEP = script("keep");

	private static final RedisScript<List<Object>> RELEASE = script("release");

	private static final RedisScript<List<Object>> CLAIM = script("fence", "claim");

	private static final RedisScript<List<Object>> CONFIRM_CLAIM = script("confirm-claim");

	private static final RedisScript<List<Object>> FIND = script("runs", "find");

	private static final RedisScript<List<Object>> LIST = script("runs", "list");

	private static final RedisScript<List<Object>> FORCE_RELEASE = script("runs", "fence", "force-release");

	private final ScriptRunner runner;

	private final LeaseKeys keys;

	private final RegistryListeners listeners;

	private final String fence;

	private final String index;

	private final String jobs;

	private final String due;

	/**
	 * Creates the scripts.
	 * @param connectionFactory the connections
	 * @param keys the names in Redis
	 * @param patience the time for which commands are repeated that a cluster refuses
	 * because its slot moves
	 */
	public LeaseScripts(RedisConnectionFactory connectionFactory, LeaseKeys keys, Duration patience) {
		this.runner = new ScriptRunner(connectionFactory, patience);
		this.keys = keys;
		this.listeners = RegistryListeners.of(connectionFactory);
		this.fence = keys.fence();
		this.index = keys.index();
		this.jobs = keys.jobs();
		this.due = keys.due();
	}

	private static RedisScript<List<Object>> script(String... parts) {
		return ScriptRunner.script(LeaseScripts.class, parts);
	}

	/**
	 * Takes the lease of a key.
	 * @param key the key
	 * @param token the token of the lease, a new one for each lease
	 * @param duration the duration of the lease without a renewal
	 * @param body the description of the holder
	 * @param waiting the wait of the caller
	 * @return the lease, or the current holder
	 */
	Grant acquire(JobKey key, String token, Duration duration, String body, Waiting waiting) {
		List<String> names = List.of(this.keys.lock(key.digest()), this.fence);
		String millis = millis(duration);
		List<Object> reply = switch (waiting) {
			case NONE -> run(ACQUIRE, names, token + " ", millis, body);
			case ALONE -> run(ACQUIRE, names, token + " ", millis, body, "1");
			case BEFORE_OTHERS -> run(ACQUIRE, names, token + " ", millis, body + HolderRecord.WAITER, "1");
		};
		if (reply.size() == 1) {
			return granted(text(reply.get(0)));
		}
		return Grant.refused(remaining(number(reply.get(0))), holder(text(reply.get(1))));
	}

	/**
	 * Returns the holder that the value of a lock describes. The value of a queued run
	 * leads to its job. If that is not readable now, the key is held nevertheless.
	 */
	private @Nullable HolderRecord holder(String value) {
		if (!HolderRecord.isRun(value)) {
			return HolderRecord.parse(value);
		}
		try {
			return HolderRecord.parse(text(run(HOLDER, List.of(this.jobs), value).get(0)));
		}
		catch (RuntimeException ex) {
			logger.debug("The queued run that holds a key could not be read", ex);
			return null;
		}
	}

	private static Grant granted(String fenceAndSince) {
		int space = fenceAndSince.indexOf(' ');
		return Grant.granted(Long.parseLong(fenceAndSince, 0, space, 10),
				Instant.ofEpochMilli(Long.parseLong(fenceAndSince, space + 1, fenceAndSince.length(), 10)));
	}

	/**
	 * Claims a key for a time.
	 * @param key the key
	 * @param token the token of the claim, a new one for each claim
	 * @param period the duration of the claim
	 * @param body the description of the holder
	 * @return the claim, or its current owner
	 */
	Grant claim(JobKey key, String token, Duration period, String body) {
		List<Object> reply = run(CLAIM, List.of(this.keys.claim(key.digest()), this.fence), token, millis(period),
				body);
		if (number(reply.get(0)) == 1) {
			return Grant.granted(number(reply.get(1)), instant(reply.get(2)));
		}
		return Grant.refused(remaining(number(reply.get(1))), HolderRecord.parse(text(reply.get(2))));
	}

	/**
	 * Extends a claim to its whole period.
	 * @return {@code false} if the claim is gone
	 */
	boolean confirmClaim(JobKey key, String token, Duration period) {
		return number(run(CONFIRM_CLAIM, List.of(this.keys.claim(key.digest())), token, millis(period)).get(0)) == 1;
	}

	/**
	 * Renews some leases. A cluster whose slot moves may refuse to renew several leases
	 * together and accept each of them alone.
	 * @return a result for each lease in its order
	 */
	List<Renewal> renew(List<? extends RedisLease> leases) {
		leases.forEach(RedisLease::markListed);
		try {
			return renewAll(leases);
		}
		catch (RuntimeException ex) {
			if (leases.size() > 1 || !SlotRefusal.isOfMovingSlot(ex)) {
				throw SlotRefusal.ofBatch(ex);
			}
			RedisLease lease = leases.get(0);
			return LeaseRenewals.read(this.runner.runWithoutRetry(KEEP, List.of(this.keys.lock(lease.key().digest())),
					lease.token() + " ", millis(lease.duration())));
		}
	}

	private List<Renewal> renewAll(List<? extends RedisLease> leases) {
		List<String> names = new ArrayList<>(leases.size() + 1);
		names.add(this.index);
		Object[] args = new Object[leases.size() * 3];
		int arg = 0;
		for (RedisLease lease : leases) {
			names.add(this.keys.lock(lease.key().digest()));
			args[arg++] = lease.token() + " ";
			args[arg++] = millis(lease.duration());
			args[arg++] = lease.key().digest();
		}
		return LeaseRenewals.read(this.runner.runWithoutRetry(RENEW, names, args));
	}

	/**
	 * Releases a lease, or takes back an acquire without a reply. It is not repeated
	 * after an interrupt of the thread or a lost connection, because a repeated release
	 * finds its key gone.
	 */
	Release release(PendingRelease pending) {
		boolean interrupted = Thread.interrupted();
		try {
			if (pending.isClaim()) {
				return Release.of(release(List.of(pending.lock()), pending.token() + " "));
			}
			String listening = this.listeners.argument();
			return Release
				.of(this.listeners.onReply(listening, release(names(pending), arguments(pending, listening))));
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private int release(List<String> names, Object... args) {
		return (int) number(this.runner.runOnce(RELEASE, names, args).get(0));
	}

	private List<String> names(PendingRelease pending) {
		if (pending.listed() || pending.holdUntil() != 0) {
			return List.of(pending.lock(), this.due, this.index);
		}
		return this.keys.isDefault() ? List.of(pending.lock()) : List.of(pending.lock(), this.due);
	}

	private Object[] arguments(PendingRelease pending, String listening) {
		String token = pending.token() + " ";
		if (pending.holdUntil() != 0) {
			return new Object[] { token, listening, Long.toString(pending.holdUntil()),
					Long.toString(pending.holdFor()) };
		}
		return RegistryListeners.NONE.equals(listening) ? new Object[] { token } : new Object[] { token, listening };
	}

	public List<HeldLease> find(List<String> digests) {
		return find(digests, digests.stream().map(this.keys::lock).toList(), false);
	}

	List<HeldLease> findClaim(String digest) {
		return find(List.of(digest), List.of(this.keys.claim(digest)), true);
	}

	private List<HeldLease> find(List<String> digests, List<String> locks, boolean claims) {
		List<String> names = new ArrayList<>(locks.size() + 1);
		names.add(this.jobs);
		names.addAll(locks);
		List<Object> reply = run(FIND, names);
		Instant now = instant(reply.get(0));
		List<HeldLease> held = new ArrayList<>();
		for (int i = 0; i < digests.size(); i++) {
			if (!text(reply.get(1 + 3 * i)).isEmpty()) {
				held.add(HolderRecord.describe(digests.get(i), text(reply.get(3 + 3 * i)),
						remaining(number(reply.get(2 + 3 * i))), now, claims));
			}
		}
		return held;
	}

	List<String> list(int limit) {
		return run(LIST, List.of(this.index, this.keys.running(), this.jobs), Integer.toString(limit)).stream()
			.map(LeaseScripts::text)
			.toList();
	}

	/**
	 * Evicts the holder of a key, or else the owner of its claim.
	 */
	@Nullable HeldLease forceRelease(String digest) {
		String owner = this.runner.redis().opsForValue().get(this.keys.lock(digest));
		return (owner != null) ? forceRelease(digest, owner) : forceReleaseClaim(digest);
	}

	private @Nullable HeldLease forceReleaseClaim(String digest) {
		String claim = this.runner.redis().opsForValue().get(this.keys.claim(digest));
		HolderRecord holder = (claim != null) ? HolderRecord.parse(claim) : null;
		if (claim == null || holder == null) {
			return null;
		}
		List<Object> reply = forceRelease(this.keys.claim(digest), "", claim);
		return (reply.size() > 1)
				? holder.describe(digest, remaining(number(reply.get(1))), instant(reply.get(0)), LeaseKind.CLAIM)
				: null;
	}

	/**
	 * Evicts an owner, but not a later owner of the same key.
	 */
	@Nullable HeldLease forceRelease(String digest, String owner) {
		List<Object> reply = forceRelease(this.keys.lock(digest), digest, owner);
		if (reply.size() == 1) {
			return null;
		}
		return HolderRecord.describe(digest, text(reply.get(2)), remaining(number(reply.get(1))), instant(reply.get(0)),
				false);
	}

	private List<Object> forceRelease(String name, String digest, String owner) {
		return this.runner.runOnce(FORCE_RELEASE, List.of(name, this.index, this.fence, this.jobs, this.due), digest,
				this.keys.channel(), owner, this.keys.work());
	}

	private List<Object> run(RedisScript<List<Object>> script, List<String> names, Object... args) {
		return this.runner.run(script, names, args);
	}

	private static String millis(Duration duration) {
		return Long.toString(Math.max(1, duration.toMillis()));
	}

	private static @Nullable Duration remaining(long pttl) {
		return (pttl >= 0) ? Duration.ofMillis(pttl) : null;
	}

	private static long number(Object value) {
		return (value instanceof Long number) ? number : Long.parseLong(text(value));
	}

	private static String text(Object value) {
		return value.toString();
	}

	private static Instant instant(Object value) {
		return Instant.ofEpochMilli(number(value));
	}

	/**
	 * Wait of the caller of an acquire.
	 */
	enum Waiting {

		/**
		 * The caller does not wait.
		 */
		NONE,

		/**
		 * The caller waits, and no other caller of its process.
		 */
		ALONE,

		/**
		 * Other callers of the process wait too, so the release of the lease has to wake
		 * them.
		 */
		BEFORE_OTHERS

	}

}
