package io.locket.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Check of the permissions of the user of Redis. It tries each command on an otherwise
 * unused key, because a user may lack the permission to read its own permissions. Missing
 * permissions are logged when they are first found. Thread-safe.
 */
public final class PermissionCheck {

	private static final Log logger = LogFactory.getLog(PermissionCheck.class);

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> SCRIPT = RedisScript
		.of(new ClassPathResource("permissions.lua", PermissionCheck.class), List.class);

	private static final String UNKNOWN_SCRIPT = "0".repeat(40);

	private final OwnConnectionFactory connections;

	private final StringRedisTemplate redis;

	private final String namespace;

	private final String registryKey;

	private final String channels;

	private volatile Set<String> missing = Set.of();

	/**
	 * Creates a check that has found nothing.
	 * @param connections the connections to use
	 * @param namespace the namespace
	 * @param registryKey the prefix of the locks
	 * @param channels the pattern of the channels of released locks, as it is subscribed.
	 * Redis permits the subscription only if the permission is equal to it
	 */
	public PermissionCheck(OwnConnectionFactory connections, String namespace, String registryKey, String channels) {
		this.connections = connections;
		this.redis = new StringRedisTemplate(connections);
		this.namespace = namespace;
		this.registryKey = registryKey;
		this.channels = channels;
	}

	/**
	 * Runs the check. If Redis does not reply, the last findings stay.
	 * @return whether Redis replied
	 */
	public boolean run() {
		Set<String> found = new TreeSet<>();
		try {
			tryCommands(found);
			tryScript(found);
			subscribe(found);
		}
		catch (RuntimeException ex) {
			RedisFailure failure = RedisFailure.of(ex);
			logger.debug("Could not check the permissions. " + failure.message("try commands"), ex);
			return failure.kind() != RedisFailure.Kind.NO_REPLY;
		}
		if (!found.isEmpty() && !found.equals(this.missing)) {
			logger.warn("The user of Redis lacks permissions that Locket needs: " + String.join(" ", found)
					+ ". Grant them (ACL SETUSER <user> " + String.join(" ", found)
					+ "). All permissions are in docs/configuration.md#redis");
		}
		this.missing = Set.copyOf(found);
		return true;
	}

	private void tryCommands(Set<String> found) {
		String keys = this.registryKey.startsWith(prefix()) ? prefix() : this.registryKey + ":";
		attempt(found, "~" + GlobPattern.literal(keys) + "*", "+get",
				() -> this.redis.opsForValue().get(this.registryKey + ":permissions"));
		attempt(found, "", "+info", () -> this.redis
			.execute((RedisCallback<Object>) (connection) -> connection.serverCommands().info("server")));
		attempt(found, "", "+ping",
				() -> this.redis.execute((RedisCallback<Object>) (connection) -> connection.ping()));
		attempt(found, "", "+evalsha",
				() -> this.redis.execute((RedisCallback<Object>) (connection) -> connection.scriptingCommands()
					.evalSha(UNKNOWN_SCRIPT, ReturnType.INTEGER, 0)));
	}

	private void tryScript(Set<String> found) {
		// A script that Redis has is run by its digest.
		attempt(found, "", "+eval",
				() -> this.redis.execute((RedisCallback<Object>) (connection) -> connection.scriptingCommands()
					.eval("return 1".getBytes(StandardCharsets.UTF_8), ReturnType.INTEGER, 0)));
		String channel = this.registryKey + "-channel:permissions";
		attempt(found, "~" + GlobPattern.literal(prefix()) + "*", "+eval", () -> {
			List<?> reply = this.redis.execute(SCRIPT, List.of(prefix() + "permissions"), prefix() + "work", channel);
			Objects.requireNonNullElse(reply, List.of())
				.forEach((name) -> found.add(name.toString().replace(channel, this.channels)));
			return null;
		});
	}

	private void subscribe(Set<String> found) {
		try {
			this.connections.withSubscriber((commands) -> trySubscriptions(commands, found));
		}
		catch (UnsupportedOperationException ex) {
			logger.debug("These connections have no Pub/Sub, so Locket needs no permissions for it", ex);
		}
	}

	private void trySubscriptions(RedisPubSubCommands<byte[], byte[]> commands, Set<String> found) {
		byte[] channel = (prefix() + "work").getBytes(StandardCharsets.UTF_8);
		byte[] pattern = this.channels.getBytes(StandardCharsets.UTF_8);
		attempt(found, "&" + prefix() + "work", "+subscribe", () -> {
			commands.subscribe(channel);
			return null;
		});
		attempt(found, "&" + this.channels, "+psubscribe", () -> {
			commands.psubscribe(pattern);
			return null;
		});
		attempt(found, "", "+unsubscribe", () -> {
			commands.unsubscribe(channel);
			return null;
		});
		attempt(found, "", "+punsubscribe", () -> {
			commands.punsubscribe(pattern);
			return null;
		});
	}

	private String prefix() {
		return "{" + this.namespace + "}:";
	}

	private static void attempt(Set<String> found, String resource, String command, Attempt attempt) {
		try {
			attempt.run();
		}
		catch (RuntimeException ex) {
			RedisFailure failure = RedisFailure.of(ex);
			if (failure.kind() == RedisFailure.Kind.PERMISSION) {
				boolean ofResource = !resource.isEmpty() && isOfResource(failure.cause());
				found.add(ofResource ? resource : command);
			}
			else if (failure.kind() == RedisFailure.Kind.NO_REPLY) {
				throw ex;
			}
		}
	}

	/**
	 * Returns whether an error is about a key or a channel, not about a command.
	 * @param error the error: up to Redis 7.0 about "one of the keys used as arguments",
	 * and later about "a key"
	 */
	static boolean isOfResource(String error) {
		return error.contains(" key") || error.contains("channel");
	}

	/**
	 * Returns the permissions that were missing at the last check.
	 * @return permissions as {@code ACL SETUSER} takes them, or an empty set
	 */
	public Set<String> missing() {
		return new TreeSet<>(this.missing);
	}

	@FunctionalInterface
	private interface Attempt {

		@Nullable Object run();

	}

}
