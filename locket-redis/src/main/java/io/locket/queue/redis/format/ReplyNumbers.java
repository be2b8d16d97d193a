package io.locket.queue.redis.format;

/**
 * Numbers in the replies of scripts, which are integers or texts.
 */
public final class ReplyNumbers {

	private ReplyNumbers() {
	}

	/**
	 * Reads a number.
	 * @param value a part of a reply
	 * @return the number
	 * @throws NumberFormatException if it is none
	 */
	public static long number(Object value) {
		return (value instanceof Long number) ? number : Long.parseLong(value.toString());
	}

}
