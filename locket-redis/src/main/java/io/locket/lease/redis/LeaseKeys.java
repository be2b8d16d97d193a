package io.locket.lease.redis;

import java.util.Objects;
import java.util.function.ToIntFunction;

import io.locket.redis.GlobPattern;

/**
 * Names of the Redis keys and channels of leases. All of them share the hash tag of the
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
	 * Returns the names for a namespace with its own registry key.
	 * @param namespace the namespace
	 * @return the names
	 */
	public static LeaseKeys of(String namespace) {
		return new LeaseKeys(namespace, defaultRegistryKey(namespace));
	}

	private static String defaultRegistryKey(String namespace) {
		return "{" + namespace + "}:lease";
	}

	/**
	 * Returns whether the registry key is the default one of the namespace, so that other
	 * names follow from that of a lock.
	 */
	boolean isDefault() {
		return this.registryKey.equals(defaultRegistryKey(this.namespace));
	}

	public String lock(String digest) {
		return this.registryKey + ":" + digest;
	}

	String claim(String digest) {
		return name("claim:" + digest);
	}

	String index() {
		return name("leases");
	}

	/**
	 * Returns the key of the fencing counter, which every process may read.
	 * @return the key
	 */
	public String fence() {
		return name("fence");
	}

	/**
	 * Returns a key that never exists. A deletion of it changes nothing, and is refused
	 * by a server that accepts no writes.
	 * @return the key
	 */
	public String absent() {
		return name("absent");
	}

	/**
	 * Returns whether all keys are in one slot of a Redis Cluster, including those of
	 * locks.
	 * @param slot calculates the slot of a key
	 * @return {@code false} if a script cannot touch both the locks and the rest
	 */
	public boolean isInOneSlot(ToIntFunction<String> slot) {
		int own = slot.applyAsInt(fence());
		return slot.applyAsInt(lock("0")) == own && slot.applyAsInt(lock("1")) == own;
	}

	/**
	 * Returns the key of the mark that confirmations of replicas write.
	 */
	String replicated() {
		return name("replicated");
	}

	/**
	 * Returns the key of the job records of the queue. Leases read some keys of the queue
	 * under the same hash tag: the job records, the ids of running jobs, the due times,
	 * and the channel of the workers.
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
	 * Returns the prefix of the channels on which a {@code RedisLockRegistry} in its
	 * publish-subscribe mode publishes released locks. A colon and the name of the lock
	 * follow, and that name is the message.
	 */
	String channel() {
		return this.registryKey + "-channel";
	}

	/**
	 * Returns the pattern of the channels of all locks.
	 * @return the pattern, in which special characters of the registry key are escaped
	 */
	public String channels() {
		return GlobPattern.literal(channel()) + ":*";
	}

	private String name(String suffix) {
		return "{" + this.namespace + "}:" + suffix;
	}

}
