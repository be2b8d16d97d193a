package io.locket.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The lanes of a consumer that nobody uses at the moment. One whose request was not
 * answered is the first to be used again, since it may hold a job. Thread-safe.
 */
final class ConsumerLanes {

	private final LaneNames names;

	private final Deque<ConsumerLane> free = new ArrayDeque<>();

	private boolean closed;

	/**
	 * Create lanes.
	 * @param names names new ones
	 */
	ConsumerLanes(LaneNames names) {
		this.names = names;
	}

	/**
	 * Borrow a lane.
	 * @return the lane, or {@code null} if these are closed
	 */
	synchronized @Nullable ConsumerLane borrow() {
		if (this.closed) {
			return null;
		}
		ConsumerLane lane = this.free.poll();
		return (lane != null) ? lane : new ConsumerLane(this.names.take());
	}

	/**
	 * Exchange a borrowed lane for one whose request was not answered, if there is any.
	 * @param lane the borrowed lane
	 * @return the lane to use
	 */
	synchronized ConsumerLane exchange(ConsumerLane lane) {
		ConsumerLane first = this.free.peek();
		if (lane.isUnanswered() || first == null || !first.isUnanswered()) {
			return lane;
		}
		this.free.remove();
		this.free.add(lane);
		return first;
	}

	/**
	 * Give a borrowed lane back.
	 * @param lane the lane
	 * @return {@code false} if these are closed, so that whoever has it is to leave it
	 */
	synchronized boolean giveBack(ConsumerLane lane) {
		if (this.closed) {
			return false;
		}
		if (lane.isUnanswered()) {
			this.free.addFirst(lane);
		}
		else {
			this.free.addLast(lane);
		}
		return true;
	}

	/**
	 * Lend no more lanes.
	 * @return those that nobody uses, to be left
	 */
	synchronized List<ConsumerLane> close() {
		this.closed = true;
		List<ConsumerLane> left = List.copyOf(this.free);
		this.free.clear();
		return left;
	}

	/**
	 * Nobody uses a lane any more.
	 * @param lane the lane; one whose request was not answered keeps its name
	 */
	void leave(ConsumerLane lane) {
		if (!lane.isUnanswered()) {
			this.names.giveBack(lane.name());
		}
	}

}
