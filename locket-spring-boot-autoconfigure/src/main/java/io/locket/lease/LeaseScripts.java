package io.locket.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Runs the lease scripts: one method a script, one command a call. A script that the
 * server does not know (after a restart or a fail-over) is sent again in full.
 */
final class LeaseScripts implements LeaseGrants {

	private static final RedisScript<List<Object>> ACQUIRE = script("runs", "acquire");

	private static final RedisScript<List<Object>> RENEW = script("renew");

	private static final RedisScript<List<Object>> RELEASE = script("release");

	private static final RedisScript<List<Object>> CLAIM = script("claim");

	private static final RedisScript<List<Object>> FIND = script("runs", "find");

	private static final RedisScript<List<Object>> LIST = script("runs", "list");

	private static final RedisScript<List<Object>> FORCE_RELEASE = script("runs", "force-release");

	private final ScriptRunner runner;

	private final LeaseKeys keys;

	LeaseScripts(RedisConnectionFactory connectionFactory, LeaseKeys keys) {
		this.runner = new ScriptRunner(connectionFactory);
		this.keys = keys;
	}

	private static RedisScript<List<Object>> script(String... parts) {
		return ScriptRunner.script(LeaseScripts.class, parts);
	}

	@Override
	public Grant acquire(JobKey key, String token, Duration duration, String body) {
		String digest = key.digest();
		List<Object> reply = run(ACQUIRE, List.of(this.keys.lock(digest), this.keys.holders(), this.keys.index(),
				this.keys.fence(), this.keys.jobs()), token, millis(duration), digest, body);
		if (number(reply.get(0)) == 1) {
			return Grant.granted(number(reply.get(1)), instant(reply.get(2)));
		}
		return Grant.refused(number(reply.get(1)), HolderRecord.parse(text(reply.get(3))), text(reply.get(2)));
	}

	@Override
	public Grant claim(JobKey key, String token, Duration period, String body) {
		List<Object> reply = run(CLAIM, List.of(this.keys.claim(key.digest()), this.keys.fence()), token,
				millis(period), body);
		if (number(reply.get(0)) == 1) {
			return Grant.granted(number(reply.get(1)), instant(reply.get(2)));
		}
		HolderRecord holder = HolderRecord.parse(text(reply.get(2)));
		return Grant.refused(number(reply.get(1)), holder, (holder != null) ? holder.token() : "");
	}

	/**
	 * Renew some leases.
	 * @return an answer for each lease in its order: 1 renewed, 0 another owner, -1 gone
	 */
	List<Integer> renew(List<? extends RedisLease> leases) {
		List<String> names = new ArrayList<>(leases.size() + 1);
		names.add(this.keys.index());
		Object[] args = new Object[leases.size() * 3];
		int arg = 0;
		for (RedisLease lease : leases) {
			names.add(this.keys.lock(lease.key().digest()));
			args[arg++] = lease.token();
			args[arg++] = millis(lease.duration());
			args[arg++] = lease.key().digest();
		}
		return run(RENEW, names, args).stream().map((answer) -> (int) number(answer)).toList();
	}

	/**
	 * Release some leases. Not repeated when the thread is interrupted meanwhile, since
	 * the repetition of a release finds its key gone.
	 * @return an answer for each lease in its order: 1 released, 0 another owner, -1 gone
	 */
	List<Integer> release(List<Surrender> surrenders) {
		List<String> names = new ArrayList<>(surrenders.size() + 3);
		names.add(this.keys.holders());
		names.add(this.keys.index());
		names.add(this.keys.due());
		Object[] args = new Object[2 + surrenders.size() * 3];
		int arg = 0;
		args[arg++] = this.keys.channel();
		args[arg++] = this.keys.work();
		for (Surrender surrender : surrenders) {
			names.add(surrender.lock());
			args[arg++] = surrender.token();
			args[arg++] = surrender.digest();
			args[arg++] = Long.toString(surrender.holdUntil());
		}
		boolean interrupted = Thread.interrupted();
		try {
			return this.runner.runOnce(RELEASE, names, args).stream().map((answer) -> (int) number(answer)).toList();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	List<HeldLease> find(List<String> digests) {
		return find(digests, digests.stream().map(this.keys::lock).toList());
	}

	List<HeldLease> findClaim(String digest) {
		return find(List.of(digest), List.of(this.keys.claim(digest)));
	}

	private List<HeldLease> find(List<String> digests, List<String> locks) {
		List<String> names = new ArrayList<>(locks.size() + 2);
		names.add(this.keys.holders());
		names.add(this.keys.jobs());
		names.addAll(locks);
		List<Object> reply = run(FIND, names, digests.toArray());
		Instant now = instant(reply.get(0));
		List<HeldLease> held = new ArrayList<>();
		for (int i = 0; i < digests.size(); i++) {
			String owner = text(reply.get(1 + 3 * i));
			if (!owner.isEmpty()) {
				Duration remaining = remaining(number(reply.get(2 + 3 * i)));
				// A claim is its own record.
				HolderRecord claim = HolderRecord.parse(owner);
				held.add((claim != null) ? HolderRecord.describe(digests.get(i), claim.token(), owner, remaining, now)
						: HolderRecord.describe(digests.get(i), owner, text(reply.get(3 + 3 * i)), remaining, now));
			}
		}
		return held;
	}

	List<String> list(int limit) {
		return run(LIST, List.of(this.keys.index(), this.keys.running(), this.keys.jobs()), Integer.toString(limit))
			.stream()
			.map(LeaseScripts::text)
			.toList();
	}

	/**
	 * Evict whoever holds a key now.
	 */
	@Nullable HeldLease forceRelease(String digest) {
		String owner = this.runner.redis().opsForValue().get(this.keys.lock(digest));
		return (owner != null) ? forceRelease(digest, owner) : null;
	}

	/**
	 * Evict an owner, and nobody who took the key since.
	 */
	@Nullable HeldLease forceRelease(String digest, String owner) {
		List<Object> reply = this.runner.runOnce(
				FORCE_RELEASE, List.of(this.keys.lock(digest), this.keys.holders(), this.keys.index(),
						this.keys.fence(), this.keys.jobs(), this.keys.due()),
				digest, this.keys.channel(), owner, this.keys.work());
		if (reply.size() == 1) {
			return null;
		}
		return HolderRecord.describe(digest, owner, text(reply.get(2)), remaining(number(reply.get(1))),
				instant(reply.get(0)));
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
	 * The answer to an acquire or a claim.
	 */
	record Grant(boolean granted, long fence, Instant since, @Nullable Duration remaining,
			@Nullable HolderRecord holder) {

		static Grant granted(long fence, Instant since) {
			return new Grant(true, fence, since, null, null);
		}

		static Grant refused(long pttl, @Nullable HolderRecord holder, String owner) {
			return new Grant(false, 0, Instant.EPOCH, LeaseScripts.remaining(pttl),
					(holder != null && holder.token().equals(owner)) ? holder : null);
		}

	}

	/**
	 * A lease, or an acquire that may have been granted, to be given back.
	 */
	record Surrender(String lock, String token, String digest, long holdUntil) {
	}

}
