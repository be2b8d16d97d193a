package io.locket.lease;

import java.util.Objects;

/**
 * The names of what leases keep in Redis. All of them share the hash tag of the
 * namespace, so that each script works on a Redis Cluster.
 *
 * @param namespace the namespace
 * @param registryKey the prefix of the locks, as a {@code RedisLockRegistry} has it
 */
public record LeaseKeys(String namespace, String registryKey) {

	public LeaseKeys {
		Objects.requireNonNull(namespace, "'namespace' must not be null");
		Objects.requireNonNull(registryKey, "'registryKey' must not be null");
	}

	/**
	 * Return the names for a namespace with its own registry key.
	 * @param namespace the namespace
	 * @return the names
	 */
	public static LeaseKeys of(String namespace) {
		return new LeaseKeys(namespace, "{" + namespace + "}:lease");
	}

	String lock(String digest) {
		return this.registryKey + ":" + digest;
	}

	String claim(String digest) {
		return name("claim:" + digest);
	}

	String holders() {
		return name("holders");
	}

	String index() {
		return name("leases");
	}

	String fence() {
		return name("fence");
	}

	/**
	 * What the queue keeps under the same hash tag and leases look at: the records of
	 * jobs, the ids of those that run, the times of what is due, and the channel of its
	 * workers.
	 */
	String jobs() {
		return name("jobs");
	}

	String running() {
		return name("running");
	}

	String due() {
		return name("due");
	}

	String work() {
		return name("work");
	}

	/**
	 * The beginning of the channels on which a {@code RedisLockRegistry} in its
	 * publish-subscribe mode tells of released locks: a colon and the name of the lock
	 * follow, and that name is the message.
	 */
	String channel() {
		return this.registryKey + "-channel";
	}

	/**
	 * The pattern of the channels of all locks.
	 */
	String channels() {
		return channel().replaceAll("[*?\\[\\]\\\\]", "\\\\$0") + ":*";
	}

	private String name(String suffix) {
		return "{" + this.namespace + "}:" + suffix;
	}

}
