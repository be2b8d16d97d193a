package io.locket.autoconfigure;

/**
 * One entry of a list of queues that a group of workers serves.
 *
 * @param name the name of the queue
 * @param weightText the weight as it is written, or an empty text
 */
record ServedQueue(String name, String weightText) {

	static final int HEAVIEST = 1000;

	/**
	 * Read an entry: a name, or a name and a weight as in {@code high=5}.
	 * @param entry the entry
	 * @return the queue
	 */
	static ServedQueue parse(String entry) {
		String[] parts = entry.split("=", 2);
		return new ServedQueue(parts[0].trim(), (parts.length == 2) ? parts[1].trim() : "");
	}

	boolean isWeighted() {
		return !this.weightText.isEmpty();
	}

	boolean hasValidWeight() {
		return !isWeighted() || (this.weightText.matches("[0-9]{1,4}") && weight() >= 1 && weight() <= HEAVIEST);
	}

	/**
	 * Return the share of the queue.
	 * @return the weight, 1 if none is written
	 */
	int weight() {
		return isWeighted() ? Integer.parseInt(this.weightText) : 1;
	}

}
