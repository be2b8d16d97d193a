package io.locket.worker.reservation;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids of the reservation requests of this process, each greater than those before. So a
 * request that arrives late is recognized, see
 * {@link io.locket.queue.spi.ReservationRequest}. Thread-safe.
 */
public final class RequestIds {

	/**
	 * First number. The number of digits stays the same for 900,000 million ids, so that
	 * scripts can compare ids as texts. The last digit is always 9. Others are those of
	 * requests that are sent before this one for the same thread.
	 */
	private static final long FIRST = 1_000_000_000_009L;

	private static final String SENDER = UUID.randomUUID() + "-";

	private static final AtomicLong numbers = new AtomicLong(FIRST);

	private RequestIds() {
	}

	/**
	 * Returns a new id.
	 * @return the id, which ends with a hyphen and a number
	 */
	public static String next() {
		return SENDER + numbers.getAndAdd(10);
	}

}
