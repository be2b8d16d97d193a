package io.locket.queue.redis;

import java.util.List;

import io.locket.lease.redis.LeaseKeys;

/**
 * Names of the Redis keys of the queues. They have the same hash tag as those of leases.
 * {@code store.lua} describes each key.
 */
final class QueueKeys {

	private final String prefix;

	private final String registryKey;

	private final List<String> all;

	private final List<String> ofRenewals;

	private final List<String> ofFastPaths;

	QueueKeys(LeaseKeys leases) {
		this.prefix = "{" + leases.namespace() + "}:";
		this.registryKey = leases.registryKey();
		this.all = List.of(state(), jobs(), tickets(), name("due"), name("running"), name("ended"), name("dead"),
				name("fence"), name("absent"));
		this.ofFastPaths = List.of(state(), jobs(), name("absent"));
		this.ofRenewals = List.of(state(), jobs(), state(), state(), name("running"), state(), state(), state());
	}

	/**
	 * Returns the keys of every script in the expected order. The last key never exists,
	 * so a cluster refuses the script while the slot moves.
	 */
	List<String> all() {
		return this.all;
	}

	/**
	 * Returns the keys of the script that renews runs, in the order of {@link #all()}. A
	 * key that it uses stands in for each one that it does not use. While the slot moves,
	 * the node that has all of these keys serves the script.
	 */
	List<String> ofRenewals() {
		return this.ofRenewals;
	}

	/**
	 * Returns the keys of the scripts for common cases. They derive all other names,
	 * because Redis spends time on each key that is declared.
	 */
	List<String> ofFastPaths() {
		return this.ofFastPaths;
	}

	String prefix() {
		return this.prefix;
	}

	String registryKey() {
		return this.registryKey;
	}

	String state() {
		return name("state");
	}

	String jobs() {
		return name("jobs");
	}

	String tickets() {
		return name("tickets");
	}

	String attempts() {
		return name("attempts");
	}

	String channel() {
		return name("work");
	}

	String name(String suffix) {
		return this.prefix + suffix;
	}

}
