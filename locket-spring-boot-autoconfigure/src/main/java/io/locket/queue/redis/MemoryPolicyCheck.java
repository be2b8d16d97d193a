package io.locket.queue.redis;

import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;

import io.locket.lease.LeaseConnections;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Finds out what Redis does when it is full, and warns if it then throws keys away:
 * leases and queued jobs would be among them. Finds out, too, whether Redis keeps each
 * change in a file. Asks by {@code INFO}, which managed servers allow, too. Thread-safe.
 */
public final class MemoryPolicyCheck {

	private static final Log logger = LogFactory.getLog(MemoryPolicyCheck.class);

	private static final String POLICY = "maxmemory_policy";

	private static final String SAFE = "noeviction";

	private static final String APPEND_ONLY = "aof_enabled";

	private final StringRedisTemplate redis;

	private volatile @Nullable String policy;

	private volatile @Nullable Boolean appendOnly;

	/**
	 * Create a check that has found nothing.
	 * @param connections the connections to ask on
	 */
	public MemoryPolicyCheck(LeaseConnections connections) {
		this.redis = new StringRedisTemplate(connections.shared());
	}

	/**
	 * Ask Redis, and warn if it evicts keys. A Redis that gives no answer leaves the last
	 * finding as it is.
	 * @return whether Redis gave an answer, which may be that it does not tell
	 */
	public boolean run() {
		try {
			Properties answer = this.redis
				.execute((RedisCallback<Properties>) (connection) -> connection.serverCommands().info());
			Properties info = Objects.requireNonNullElseGet(answer, Properties::new);
			String found = policy(info);
			if (found != null && !found.equals(this.policy) && !found.equals(SAFE)) {
				logger.warn(warning(found));
			}
			this.policy = found;
			this.appendOnly = appendOnly(info);
			return true;
		}
		catch (RuntimeException ex) {
			logger.info("Redis does not tell its maxmemory-policy, which must be " + SAFE + " for Locket: " + ex);
			return !(ex instanceof QueryTimeoutException || ex instanceof RedisConnectionFailureException);
		}
	}

	/**
	 * The policy of the server, or, of several masters, one that evicts keys if any does.
	 */
	private static @Nullable String policy(Properties info) {
		TreeSet<String> policies = values(info, POLICY);
		return policies.stream()
			.filter((name) -> !name.equals(SAFE))
			.findFirst()
			.orElse(policies.isEmpty() ? null : SAFE);
	}

	/**
	 * Whether every server keeps an append-only file.
	 */
	private static @Nullable Boolean appendOnly(Properties info) {
		TreeSet<String> enabled = values(info, APPEND_ONLY);
		return enabled.isEmpty() ? null : (Boolean) !enabled.contains("0");
	}

	private static TreeSet<String> values(Properties info, String field) {
		TreeSet<String> values = new TreeSet<>();
		for (String name : info.stringPropertyNames()) {
			// A cluster's nodes are put in front: 127.0.0.1:6379.maxmemory_policy
			if (name.equals(field) || name.endsWith("." + field)) {
				values.add(info.getProperty(name));
			}
		}
		return values;
	}

	private static String warning(String policy) {
		return "Redis has the maxmemory-policy " + policy
				+ ": when it is full it throws keys away, and with them leases"
				+ " that are held and jobs that were accepted. Set it to " + SAFE
				+ ", or give Locket a Redis of its own: a full Redis then refuses new jobs, and loses none";
	}

	/**
	 * Return the policy that was found last.
	 * @return the policy, or empty if none was found
	 */
	public Optional<String> policy() {
		return Optional.ofNullable(this.policy);
	}

	/**
	 * Return whether Redis was last found to keep an append-only file.
	 * @return {@code true} or {@code false}, or empty if it has not told
	 */
	public Optional<Boolean> appendOnly() {
		return Optional.ofNullable(this.appendOnly);
	}

	/**
	 * Return what to do about the policy that was found last.
	 * @return a text, or empty if that policy evicts nothing or none was found
	 */
	public Optional<String> warning() {
		return policy().filter((name) -> !name.equals(SAFE)).map(MemoryPolicyCheck::warning);
	}

}
