package io.locket.queue.redis.turn;

import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.queue.spi.ReservationRequest;
import org.jspecify.annotations.Nullable;

/**
 * Requests that may have been executed although no thread has the reply. Thread-safe.
 */
public final class FailedRequests {

	/**
	 * Maximum number of requests of either kind. The oldest ones are forgotten first.
	 */
	static final int REMEMBERED = 1024;

	private final Map<String, ReservationRequest> failed = new Remembered();

	private final Map<String, ReservationRequest> lost = new Remembered();

	/**
	 * Handles the failure of a request, which the caller may repeat.
	 * @param request the request
	 */
	public synchronized void failed(ReservationRequest request) {
		this.failed.put(request.id(), request);
	}

	/**
	 * Handles the reply to a request.
	 * @param request the request
	 */
	public synchronized void succeeded(ReservationRequest request) {
		if (!this.failed.isEmpty()) {
			this.failed.remove(request.id());
		}
	}

	/**
	 * Returns whether a request has failed and got no reply since.
	 * @param request the request
	 * @return whether it has
	 */
	public synchronized boolean hasFailed(ReservationRequest request) {
		return !this.failed.isEmpty() && this.failed.containsKey(request.id());
	}

	/**
	 * Adds the reservation of a call for several turns that failed. No turn repeats it.
	 */
	synchronized void lost(ReservationRequest reservation) {
		this.lost.put(reservation.poller(), reservation);
	}

	/**
	 * Returns the lost reservation of a poller.
	 * @param poller the poller
	 * @return the reservation, or {@code null} if there is none
	 */
	public synchronized @Nullable ReservationRequest lostBy(String poller) {
		return this.lost.isEmpty() ? null : this.lost.get(poller);
	}

	/**
	 * Removes a lost reservation, whose jobs have been returned.
	 * @param reservation the reservation
	 */
	public synchronized void found(ReservationRequest reservation) {
		this.lost.remove(reservation.poller(), reservation);
	}

	private static final class Remembered extends LinkedHashMap<String, ReservationRequest> {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, ReservationRequest> eldest) {
			return size() > REMEMBERED;
		}

	}

}
