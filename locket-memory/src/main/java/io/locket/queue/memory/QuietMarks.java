package io.locket.queue.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * Marks of quiet and resumed workers. Process by process, the value is whether its
 * workers are quiet.
 */
final class QuietMarks {

	private final Map<String, Boolean> marks = new HashMap<>();

	boolean add(String instance) {
		return !Boolean.TRUE.equals(this.marks.put(instance, true));
	}

	boolean resume(String instance) {
		return Boolean.TRUE.equals(this.marks.put(instance, false));
	}

	boolean contains(String instance) {
		return this.marks.getOrDefault(instance, false);
	}

	/**
	 * Marks workers that are quiet again, unless they were resumed.
	 */
	boolean keep(String instance) {
		return this.marks.computeIfAbsent(instance, (absent) -> true);
	}

	void clear() {
		this.marks.clear();
	}

}
