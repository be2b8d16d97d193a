package io.locket.schedule;

import java.time.Instant;

import io.locket.queue.NewJob;

import org.springframework.util.Assert;

/**
 * A firing that the leader asks for.
 *
 * @param schedule the name of the schedule
 * @param revision the revision of the schedule that the leader has gone by
 * @param time the time for which it fires, in whole milliseconds
 * @param latest until when it may fire, by the clock of the store; after that it was
 * missed
 * @param job the job, whose id is that of the firing
 */
public record Firing(String schedule, long revision, Instant time, Instant latest, NewJob job) {

	public Firing {
		Assert.isTrue(job.id().equals(id(schedule, time)), "The id of a firing's job is that of the firing");
	}

	/**
	 * Return the id of a firing, which is the same whoever asks for it.
	 * @param schedule the name of the schedule
	 * @param time the time for which it fires
	 * @return the id of its job
	 */
	public static String id(String schedule, Instant time) {
		return schedule + "." + time.toEpochMilli();
	}

}
