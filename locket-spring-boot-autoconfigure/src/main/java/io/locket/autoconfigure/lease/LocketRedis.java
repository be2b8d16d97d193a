package io.locket.autoconfigure.lease;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Redis of Locket, without types of the module {@code locket-redis}: auto-configurations
 * that are also used without that module refer to this type.
 */
public final class LocketRedis {

	private final String description;

	private final String namespace;

	private final String registryKey;

	private final Duration commandTimeout;

	private final Supplier<Runnable> retain;

	/**
	 * Creates the Redis of Locket.
	 * @param description the kind and the hosts
	 * @param namespace the prefix of all keys
	 * @param registryKey the prefix of the keys of locks
	 * @param commandTimeout the timeout of a command
	 * @param retain keeps the connections open and returns their release
	 */
	LocketRedis(String description, String namespace, String registryKey, Duration commandTimeout,
			Supplier<Runnable> retain) {
		this.description = Objects.requireNonNull(description, "'description' must not be null");
		this.namespace = Objects.requireNonNull(namespace, "'namespace' must not be null");
		this.registryKey = Objects.requireNonNull(registryKey, "'registryKey' must not be null");
		this.commandTimeout = Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		this.retain = Objects.requireNonNull(retain, "'retain' must not be null");
	}

	/**
	 * Returns the kind and the hosts, without credentials.
	 * @return for example {@code standalone localhost:6379}
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Returns the namespace of all keys.
	 * @return the namespace
	 */
	public String namespace() {
		return this.namespace;
	}

	/**
	 * Returns the registry key of the lock space.
	 * @return the registry key
	 */
	public String registryKey() {
		return this.registryKey;
	}

	/**
	 * Returns the timeout of a command, which may be that of the application's
	 * connections.
	 * @return the timeout
	 */
	public Duration commandTimeout() {
		return this.commandTimeout;
	}

	/**
	 * Keeps the connections open until the returned release has run.
	 * @return the release, to be run once
	 */
	public Runnable retain() {
		return this.retain.get();
	}

}
