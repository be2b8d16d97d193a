package io.locket.worker.reservation;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids of reservation requests, each greater than those before, so that a request that
 * arrives late is recognized. They have the same length, so that scripts can compare them
 * as texts. Thread-safe.
 */
public final class RequestIds {

	/**
	 * First number. The number of digits stays the same for nine million million ids.
	 */
	private static final long FIRST = 1_000_000_000_000L;

	private final String sender = UUID.randomUUID() + "-";

	private final AtomicLong numbers = new AtomicLong(FIRST);

	/**
	 * Returns a new id.
	 * @return the id, which ends with a hyphen and a number
	 */
	public String next() {
		return this.sender + this.numbers.getAndIncrement();
	}

}
