package io.locket.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * Numbers of events of all queues between two instants, usually a minute apart.
 * Immutable. Times are by the clock of the store.
 *
 * @param from the instant at which it begins, that of the sample before
 * @param to the instant at which it ends
 * @param queues the queues with an event in this time, at most {@value #MAX_QUEUES} and
 * the sum of the others
 */
public record ThroughputSample(Instant from, Instant to, List<QueueThroughput> queues) {

	/**
	 * Maximum number of queues of a sample.
	 */
	public static final int MAX_QUEUES = 100;

	/**
	 * Number of minutes for which samples are kept.
	 */
	public static final int KEPT_MINUTES = 240;

	public ThroughputSample {
		Objects.requireNonNull(from, "'from' must not be null");
		Objects.requireNonNull(to, "'to' must not be null");
		queues = List.copyOf(queues);
	}

	/**
	 * Returns the sums over all queues.
	 * @return the sums, with an empty name
	 */
	public QueueThroughput total() {
		return this.queues.stream().reduce(new QueueThroughput("", 0, 0, 0, 0, 0, 0, 0, 0), QueueThroughput::plus);
	}

	/**
	 * Returns whether this sample ends within the last minutes.
	 * @param now the end of these minutes
	 * @param minutes the number of minutes
	 * @return whether it ends within them
	 */
	public boolean isWithin(Instant now, int minutes) {
		return !this.to.isAfter(now) && this.to.isAfter(now.minus(Duration.ofMinutes(minutes)));
	}

	/**
	 * Checks a number of minutes.
	 * @param minutes the number
	 * @throws IllegalArgumentException if it is not between 1 and {@value #KEPT_MINUTES}
	 */
	public static void requireMinutes(int minutes) {
		Assert.isTrue(minutes >= 1 && minutes <= KEPT_MINUTES,
				() -> "From 1 to " + KEPT_MINUTES + " minutes are kept, not " + minutes);
	}

}
