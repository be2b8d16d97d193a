package io.locket.redis;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import javax.net.ssl.SSLHandshakeException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisSystemException;

/**
 * Failed call of Redis, with its kind and the text of Redis or of its driver.
 *
 * @param kind the kind of failure
 * @param cause the most specific cause as text, after the address of a failed connection
 * if it is known, and before a possible reason
 */
public record RedisFailure(Kind kind, String cause) {

	/**
	 * Exceptions of Lettuce and Jedis for an error reply. Neither driver has to be on the
	 * class path.
	 */
	private static final Set<String> ERROR_REPLIES = Set.of("RedisCommandExecutionException", "JedisDataException");

	/**
	 * Exceptions for a connection that failed or a reply that was late: those of the
	 * drivers, and that of a caller which has waited itself.
	 */
	private static final Set<String> OUTAGES = Set.of("RedisConnectionException", "RedisCommandTimeoutException",
			"JedisConnectionException", "TimeoutException");

	/**
	 * Texts of Lettuce before the address to which a connection failed.
	 */
	private static final List<String> UNREACHABLE = List.of("Unable to connect to ",
			"Cannot connect to a Redis Sentinel: ");

	/**
	 * Text of Spring Data Redis, which has no address.
	 */
	private static final String UNREACHABLE_REDIS = "Unable to connect to Redis";

	/**
	 * Texts of Lettuce for a connection that Redis closed during the handshake. The
	 * second one is that of a connection that was closed before Lettuce searched for its
	 * {@code RedisHandshakeHandler}.
	 */
	private static final Set<String> LOST_HANDSHAKES = Set.of("Connection closed prematurely",
			"RedisHandshakeHandler not registered");

	/**
	 * Begin of Netty's text for a connection that was closed during its TLS handshake.
	 */
	private static final String CLOSED = "Connection closed";

	public RedisFailure {
		Objects.requireNonNull(kind, "'kind' must not be null");
		Objects.requireNonNull(cause, "'cause' must not be null");
	}

	/**
	 * Classifies an exception.
	 * @param ex the exception of a call, as Spring Data Redis or a driver threw it
	 * @return the failure, whose kind is {@link Kind#NO_REPLY} unless Redis replied
	 */
	public static RedisFailure of(Throwable ex) {
		Throwable reason = NestedExceptionUtils.getMostSpecificCause(ex);
		String text = address(ex, reason) + reason;
		if (isRefusedCertificate(ex)) {
			return new RedisFailure(Kind.NO_REPLY,
					text + ": the TLS handshake failed. Set spring.data.redis.ssl.bundle to a bundle that trusts the"
							+ " certificate of Redis, and has a certificate for this client if Redis requires one");
		}
		if (isClosedInHandshake(ex)) {
			return new RedisFailure(Kind.NO_REPLY,
					text + ": Redis closed the connection during its handshake, possibly"
							+ " because it does not accept the user or the password, or because its port needs TLS and"
							+ " spring.data.redis.ssl.enabled is not set");
		}
		if (text.contains("Connection initialization timed out")) {
			return new RedisFailure(Kind.NO_REPLY, text + ": the connection was opened, but its handshake did not end,"
					+ " possibly because Redis hangs, or because spring.data.redis.ssl.enabled is set and the server"
					+ " has no TLS on this port");
		}
		return new RedisFailure(kind(ex, reason), text);
	}

	/**
	 * Returns whether one side refused the certificate of the other. A connection that is
	 * lost during its handshake is another failure.
	 */
	private static boolean isRefusedCertificate(Throwable ex) {
		for (Throwable one = ex; one != null; one = one.getCause()) {
			if (one instanceof SSLHandshakeException && !String.valueOf(one.getMessage()).startsWith(CLOSED)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the address of a failed connection, which Lettuce has in an exception above
	 * the most specific cause. Names are not resolved there.
	 * @param ex the exception of a call
	 * @param reason its most specific cause
	 * @return a prefix of the cause, empty if the address is not known
	 */
	private static String address(Throwable ex, Throwable reason) {
		for (Throwable one = ex; one != null && one != reason; one = one.getCause()) {
			String message = one.getMessage();
			if (message != null && !message.equals(UNREACHABLE_REDIS)
					&& UNREACHABLE.stream().anyMatch(message::startsWith)) {
				return message.replace("/<unresolved>", "") + ": ";
			}
		}
		return "";
	}

	/**
	 * Returns whether this failure is an error reply of Redis, so no later reply follows.
	 * @return {@code false} if there was no reply, or one that could not be read
	 */
	public boolean isReply() {
		return this.kind != Kind.NO_REPLY && this.kind != Kind.UNREADABLE;
	}

	/**
	 * Returns whether Redis refused to write because the server is a replica. Inside
	 * scripts, Redis 6.2 uses a longer text.
	 */
	boolean isReadOnly() {
		return this.kind == Kind.REFUSED && this.cause.contains("READONLY ");
	}

	/**
	 * Returns whether Redis closed the connection during the handshake. Its last reply is
	 * lost then, even if it was {@code WRONGPASS}.
	 * @param ex the exception of an attempt to connect
	 * @return {@code true} if Lettuce reports this
	 */
	static boolean isClosedInHandshake(Throwable ex) {
		String text = NestedExceptionUtils.getMostSpecificCause(ex).toString();
		return LOST_HANDSHAKES.stream().anyMatch(text::contains);
	}

	/**
	 * Returns whether an open connection was reset before the reply. The driver does not
	 * send the command again, as it does when a connection is closed in an orderly way.
	 * Redis may have executed it.
	 * @param failure the failure, as Spring Data throws it
	 * @return {@code true} if the connection was reset
	 */
	public static boolean isReset(Throwable failure) {
		return failure instanceof RedisSystemException
				&& NestedExceptionUtils.getMostSpecificCause(failure) instanceof IOException;
	}

	private static Kind kind(Throwable ex, Throwable reason) {
		String text = reason.toString();
		if (text.contains("OOM command not allowed")) {
			return Kind.FULL;
		}
		if (text.contains("WRONGPASS ") || text.contains("NOAUTH ")
				|| text.contains("ERR AUTH <password> called without any password")) {
			return Kind.CREDENTIALS;
		}
		if (isPermission(text)) {
			return Kind.PERMISSION;
		}
		if (SlotRefusal.isCause(ex)) {
			return Kind.SLOT;
		}
		if (isOneOf(ERROR_REPLIES, reason.getClass())) {
			return Kind.REFUSED;
		}
		boolean silent = ex instanceof DataAccessException || reason instanceof IOException
				|| isOneOf(OUTAGES, reason.getClass());
		return silent ? Kind.NO_REPLY : Kind.UNREADABLE;
	}

	/**
	 * Returns whether a text is an error reply about a missing permission. Inside
	 * scripts, Redis 6.2 and 7.0 use other texts for it.
	 * @param text the error reply, or a text that contains it
	 * @return {@code true} if a permission is missing
	 */
	public static boolean isPermission(String text) {
		return text.contains("NOPERM") || text.contains("ACL failure in script")
				|| text.contains("The user executing the script can't");
	}

	/**
	 * Returns whether a type or one of its superclasses has one of some names.
	 */
	private static boolean isOneOf(Set<String> names, Class<?> type) {
		for (Class<?> one = type; one != null; one = one.getSuperclass()) {
			if (names.contains(one.getSimpleName())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Describes the failure for users: first the cause in their terms, then the remedy.
	 * @param what the call, which completes "Redis refused to: "
	 * @return one or more sentences, the last of them without a full stop
	 */
	public String message(String what) {
		return switch (this.kind) {
			case FULL -> "Redis is full (OOM, maxmemory is reached) and refused to: " + what
					+ ". Nothing was executed. Give Redis more memory, or let jobs end";
			case CREDENTIALS -> "Redis does not accept the user or the password, and refused to: " + what
					+ ". Correct spring.data.redis.username and spring.data.redis.password. " + this.cause;
			case PERMISSION -> "The user of Redis lacks a permission, and Redis refused to: " + what
					+ ". Give the user the permissions of docs/configuration.md#redis. " + this.cause;
			case SLOT ->
				"The Redis Cluster does not serve the slot of the namespace now, because it is moving to another"
						+ " node or its node is down, and refused to: " + what
						+ ". Nothing was executed. Repeat the call with the same ids. If it is always refused, set"
						+ " spring.data.redis.cluster.nodes. " + this.cause;
			case REFUSED -> "Redis refused to: " + what + ". "
					+ (isReadOnly() ? "It is a replica. If this lasts, set spring.data.redis.sentinel.* or .cluster.*,"
							+ " or the address of its master. " : "")
					+ this.cause;
			case UNREADABLE -> "The reply of Redis could not be read: " + what + ". " + this.cause;
			case NO_REPLY -> "Redis did not reply to: " + what + ". " + this.cause
					+ ". Check Redis, spring.data.redis.* and locket.redis.command-timeout";
		};
	}

	/**
	 * Kind of a failure.
	 */
	public enum Kind {

		/**
		 * Redis has reached {@code maxmemory}.
		 */
		FULL,

		/**
		 * The user or the password is wrong or missing.
		 */
		CREDENTIALS,

		/**
		 * The user lacks a permission.
		 */
		PERMISSION,

		/**
		 * A cluster does not serve the slot for a while.
		 */
		SLOT,

		/**
		 * Redis replied with another error.
		 */
		REFUSED,

		/**
		 * Redis replied, and the reply could not be read.
		 */
		UNREADABLE,

		/**
		 * Redis did not reply in time, or there is no connection.
		 */
		NO_REPLY

	}

}
