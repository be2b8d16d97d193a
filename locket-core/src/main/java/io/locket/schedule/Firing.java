package io.locket.schedule;

import java.time.Instant;

import io.locket.queue.spi.NewJob;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Firing that the leader requests.
 *
 * @param schedule the name of the schedule
 * @param revision the revision of the schedule that the leader knows
 * @param time the time for which it fires, in whole milliseconds
 * @param latest the latest time at which it may fire, by the clock of the store; after
 * that it was missed
 * @param lastFired the last time of the schedule that has fired as far as the leader
 * knows, or {@code null}
 * @param job the job, whose id is that of the firing
 */
public record Firing(String schedule, long revision, Instant time, Instant latest, @Nullable Instant lastFired,
		NewJob job) {

	public Firing {
		Assert.isTrue(job.id().equals(id(schedule, time)), "The id of a firing's job is that of the firing");
	}

	/**
	 * Returns the id of a firing, which does not depend on the leader.
	 * @param schedule the name of the schedule
	 * @param time the time for which it fires
	 * @return the id of its job
	 */
	public static String id(String schedule, Instant time) {
		return schedule + "." + time.toEpochMilli();
	}

}
