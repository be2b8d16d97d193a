package io.locket.autoconfigure.properties;

import org.jspecify.annotations.Nullable;

/**
 * An entry in the list of queues of a group of workers.
 *
 * @param name the name of the queue
 * @param weightText the weight as written, or {@code null} if there is none
 */
public record ServedQueue(String name, @Nullable String weightText) {

	static final int HEAVIEST = 1000;

	/**
	 * Parses an entry: a name, or a name and a weight as in {@code high=5}.
	 * @param entry the entry
	 * @return the queue
	 */
	static ServedQueue parse(String entry) {
		String[] parts = entry.split("=", 2);
		return new ServedQueue(parts[0].trim(), (parts.length == 2) ? parts[1].trim() : null);
	}

	boolean isWeighted() {
		return this.weightText != null;
	}

	boolean hasValidWeight() {
		return this.weightText == null
				|| (this.weightText.matches("[0-9]{1,4}") && weight() >= 1 && weight() <= HEAVIEST);
	}

	/**
	 * Returns the share of the queue.
	 * @return the weight, 1 if none is written
	 */
	public int weight() {
		return (this.weightText != null) ? Integer.parseInt(this.weightText) : 1;
	}

}
