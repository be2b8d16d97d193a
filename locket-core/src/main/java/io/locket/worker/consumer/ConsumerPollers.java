package io.locket.worker.consumer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.locket.worker.reservation.PollerNames;
import org.jspecify.annotations.Nullable;

/**
 * Unused pollers of a consumer. A poller with an open request is used first, because it
 * may hold a job. Thread-safe.
 */
final class ConsumerPollers {

	private final PollerNames names;

	private final Deque<ConsumerPoller> free = new ArrayDeque<>();

	private boolean closed;

	/**
	 * Creates pollers.
	 * @param names the names of new pollers
	 */
	ConsumerPollers(PollerNames names) {
		this.names = names;
	}

	/**
	 * Borrows a poller.
	 * @return the poller, or {@code null} if the pollers are closed
	 */
	synchronized @Nullable ConsumerPoller borrow() {
		if (this.closed) {
			return null;
		}
		ConsumerPoller poller = this.free.poll();
		return (poller != null) ? poller : new ConsumerPoller(this.names.take());
	}

	/**
	 * Exchanges a borrowed poller for one with an open request, if there is any.
	 * @param poller the borrowed poller
	 * @return the poller to use
	 */
	synchronized ConsumerPoller exchange(ConsumerPoller poller) {
		ConsumerPoller first = this.free.peek();
		if (poller.hasOpenRequest() || first == null || !first.hasOpenRequest()) {
			return poller;
		}
		this.free.remove();
		this.free.add(poller);
		return first;
	}

	/**
	 * Releases a borrowed poller.
	 * @param poller the poller
	 * @return {@code false} if the pollers are closed, so the caller has to leave it
	 */
	synchronized boolean release(ConsumerPoller poller) {
		if (this.closed) {
			return false;
		}
		if (poller.hasOpenRequest()) {
			this.free.addFirst(poller);
		}
		else {
			this.free.addLast(poller);
		}
		return true;
	}

	/**
	 * Closes the pollers, so that no more are lent.
	 */
	synchronized void close() {
		this.closed = true;
	}

	/**
	 * Takes all unused pollers, after the close.
	 * @return the pollers, to be left
	 */
	synchronized List<ConsumerPoller> takeUnused() {
		List<ConsumerPoller> unused = List.copyOf(this.free);
		this.free.clear();
		return unused;
	}

	/**
	 * Releases the name of a poller that is no longer used.
	 * @param poller the poller; one with an open request keeps its name
	 */
	void leave(ConsumerPoller poller) {
		if (!poller.hasOpenRequest()) {
			this.names.release(poller.name());
		}
	}

}
