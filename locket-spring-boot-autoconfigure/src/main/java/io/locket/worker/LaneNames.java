package io.locket.worker;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The names of the lanes of all consumers of a process. The store remembers each for an
 * hour, so that they are used again. Thread-safe.
 */
final class LaneNames {

	private final String prefix;

	private final Deque<String> free = new ArrayDeque<>();

	private int count;

	LaneNames(String prefix) {
		this.prefix = prefix;
	}

	synchronized String take() {
		String name = this.free.poll();
		if (name == null) {
			this.count++;
			name = this.prefix + this.count;
		}
		return name;
	}

	synchronized void giveBack(String name) {
		this.free.push(name);
	}

}
