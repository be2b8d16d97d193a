package io.locket.worker.reservation;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Names of the pollers of all consumers of a process. Names are reused, because the store
 * remembers each of them for an hour. Thread-safe.
 */
public final class PollerNames {

	private final String prefix;

	private final Deque<String> free = new ArrayDeque<>();

	private int count;

	public PollerNames(String prefix) {
		this.prefix = prefix;
	}

	public synchronized String take() {
		String name = this.free.poll();
		if (name == null) {
			this.count++;
			name = this.prefix + this.count;
		}
		return name;
	}

	public synchronized void release(String name) {
		this.free.push(name);
	}

}
