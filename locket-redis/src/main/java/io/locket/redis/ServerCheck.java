package io.locket.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.Lifecycle;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Check of the settings of the server: its version, its mode, its policy for a full
 * memory, and whether it keeps each change in a file. It uses {@code INFO}, which managed
 * servers allow too. A problem is logged when it is first found. Thread-safe.
 */
public final class ServerCheck {

	private static final Log logger = LogFactory.getLog(ServerCheck.class);

	private static final String SAFE = "noeviction";

	private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");

	private static final int OLDEST_MAJOR = 6;

	private static final int OLDEST_MINOR = 2;

	private final RedisConnectionFactory connections;

	private final boolean oneSlot;

	/**
	 * The refusal that was logged last.
	 */
	private volatile @Nullable String refusal;

	/**
	 * Whether it was logged that a node of a cluster is used as a single server.
	 */
	private volatile boolean warned;

	private volatile Findings findings = new Findings(null, null, null, List.of());

	/**
	 * Creates a check that has found nothing.
	 * @param connections the connections to use
	 * @param oneSlot whether all keys of the namespace are in one slot of a cluster
	 */
	public ServerCheck(RedisConnectionFactory connections, boolean oneSlot) {
		this.connections = connections;
		this.oneSlot = oneSlot;
	}

	/**
	 * Runs the check. If Redis does not reply, the last findings stay.
	 * @return whether Redis replied, possibly with a refusal
	 */
	public boolean run() {
		try {
			report(findings(info()));
			return true;
		}
		catch (RuntimeException ex) {
			return !isStopped() && failed(RedisFailure.of(ex));
		}
	}

	private Properties info() {
		try (RedisConnection connection = this.connections.getConnection()) {
			Properties info = Objects.requireNonNullElseGet(connection.serverCommands().info(), Properties::new);
			boolean misused = !(connection instanceof RedisClusterConnection) && isCluster(info);
			if (misused && !this.warned) {
				this.warned = true;
				logger
					.warn("Redis is a cluster, but spring.data.redis.cluster.nodes is not set. Redis refuses all calls"
							+ " (MOVED) while another node has the slot of the namespace. Set this property");
			}
			return info;
		}
	}

	/**
	 * Returns whether the connections were closed with their context. A failure is then
	 * not one of Redis.
	 */
	private boolean isStopped() {
		return this.connections instanceof Lifecycle lifecycle && !lifecycle.isRunning();
	}

	private boolean failed(RedisFailure failure) {
		String message = failure.message("show its settings");
		switch (failure.kind()) {
			case NO_REPLY -> logger.debug(message);
			case CREDENTIALS -> {
				if (!this.findings.problems().contains(message)) {
					logger.error(message);
				}
				this.findings = new Findings(null, null, null, List.of(message));
			}
			default -> {
				if (!message.equals(this.refusal)) {
					logger.info("Redis does not return its version and its maxmemory-policy, which must be " + SAFE
							+ " for Locket. " + message);
				}
				this.refusal = message;
			}
		}
		return failure.kind() != RedisFailure.Kind.NO_REPLY;
	}

	private Findings findings(Properties info) {
		TreeSet<String> versions = values(info, "redis_version");
		List<String> problems = new ArrayList<>();
		versions.stream()
			.filter(ServerCheck::isTooOld)
			.findFirst()
			.ifPresent((version) -> problems.add(tooOld(version)));
		if (!this.oneSlot && isCluster(info)) {
			problems.add("Redis is a cluster, and locket.lease.registry-key lies in another slot than the namespace, so"
					+ " every script is refused. Set a key that begins with the namespace in braces, or no key");
		}
		return new Findings(versions.isEmpty() ? null : String.join(", ", versions), policy(info), appendOnly(info),
				problems);
	}

	private static boolean isTooOld(String version) {
		Matcher matcher = VERSION.matcher(version);
		if (!matcher.matches()) {
			return false;
		}
		int major = Integer.parseInt(matcher.group(1));
		return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && Integer.parseInt(matcher.group(2)) < OLDEST_MINOR);
	}

	private static String tooOld(String version) {
		return "Redis " + version + " is too old for Locket, whose scripts need Redis " + OLDEST_MAJOR + "."
				+ OLDEST_MINOR + " or later. Update Redis, or set spring.data.redis.* to another server";
	}

	private void report(Findings found) {
		found.problems()
			.stream()
			.filter((problem) -> !this.findings.problems().contains(problem))
			.forEach(logger::error);
		String policy = found.policy();
		if (policy != null && !policy.equals(SAFE) && !policy.equals(this.findings.policy())) {
			logger.warn(warning(policy));
		}
		this.findings = found;
	}

	/**
	 * Returns the policy of the server. Of several masters, one that evicts keys wins.
	 */
	private static @Nullable String policy(Properties info) {
		TreeSet<String> policies = values(info, "maxmemory_policy");
		return policies.stream()
			.filter((name) -> !name.equals(SAFE))
			.findFirst()
			.orElse(policies.isEmpty() ? null : SAFE);
	}

	/**
	 * Returns whether every server keeps an append-only file.
	 */
	private static @Nullable Boolean appendOnly(Properties info) {
		TreeSet<String> enabled = values(info, "aof_enabled");
		return enabled.isEmpty() ? null : (Boolean) !enabled.contains("0");
	}

	/**
	 * Returns whether the server is a node of a cluster. Valkey has another name for its
	 * mode.
	 * @param info the reply to {@code INFO}
	 */
	static boolean isCluster(Properties info) {
		return values(info, "redis_mode").contains("cluster") || values(info, "server_mode").contains("cluster");
	}

	private static TreeSet<String> values(Properties info, String field) {
		TreeSet<String> values = new TreeSet<>();
		for (String name : info.stringPropertyNames()) {
			// The nodes of a cluster are prefixes: 127.0.0.1:6379.maxmemory_policy
			if (name.equals(field) || name.endsWith("." + field)) {
				values.add(info.getProperty(name));
			}
		}
		return values;
	}

	private static String warning(String policy) {
		return "Redis has the maxmemory-policy " + policy
				+ ", so a full Redis evicts keys, including held leases and accepted jobs. Set the policy to " + SAFE
				+ ", or give Locket a Redis of its own. A full Redis then refuses new jobs and loses none";
	}

	/**
	 * Returns the version that was found last, or all versions of a cluster's nodes.
	 * @return the version, or empty if none was found
	 */
	public Optional<String> version() {
		return Optional.ofNullable(this.findings.version());
	}

	/**
	 * Returns the problems that prevent Locket from working on this server.
	 * @return a text with the remedy for each problem, or an empty list
	 */
	public List<String> problems() {
		return this.findings.problems();
	}

	/**
	 * Returns the policy that was found last.
	 * @return the policy, or empty if none was found
	 */
	public Optional<String> policy() {
		return Optional.ofNullable(this.findings.policy());
	}

	/**
	 * Returns whether Redis was last found to keep an append-only file.
	 * @return {@code true} or {@code false}, or empty if unknown
	 */
	public Optional<Boolean> appendOnly() {
		return Optional.ofNullable(this.findings.appendOnly());
	}

	/**
	 * Returns the remedy for the policy that was found last.
	 * @return a text, or empty if that policy evicts nothing or none was found
	 */
	public Optional<String> warning() {
		return policy().filter((name) -> !name.equals(SAFE)).map(ServerCheck::warning);
	}

	/**
	 * Findings of one check.
	 *
	 * @param version the version, if known
	 * @param policy the policy for a full memory, if known
	 * @param appendOnly whether every server keeps an append-only file, if known
	 * @param problems the problems that prevent Locket from working
	 */
	private record Findings(@Nullable String version, @Nullable String policy, @Nullable Boolean appendOnly,
			List<String> problems) {

	}

}
