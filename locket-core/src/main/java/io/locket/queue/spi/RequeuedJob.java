package io.locket.queue.spi;

import io.locket.text.NameRule;

/**
 * Dead letter to be requeued.
 *
 * @param id the id of the dead letter
 * @param newId the id of the new job, made by the caller; a repetition with the same id
 * returns the first result
 */
public record RequeuedJob(String id, String newId) {

	public RequeuedJob {
		NameRule.ID.require("The id of a job", newId);
	}

}
