package io.locket.queue.redis;

import java.util.List;

import io.locket.lease.LeaseKeys;

/**
 * The names of what queues keep in Redis, beside those of leases and under the same hash
 * tag. The meaning of each is told in {@code store.lua}.
 */
final class QueueKeys {

	private final String prefix;

	private final String registryKey;

	private final List<String> all;

	QueueKeys(LeaseKeys leases) {
		this.prefix = "{" + leases.namespace() + "}:";
		this.registryKey = leases.registryKey();
		this.all = List.of(state(), jobs(), tickets(), name("due"), name("running"), name("ended"), name("dead"),
				name("fence"));
	}

	/**
	 * The keys of every script, in the order in which it expects them.
	 */
	List<String> all() {
		return this.all;
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

	String channel() {
		return name("work");
	}

	String name(String suffix) {
		return this.prefix + suffix;
	}

}
