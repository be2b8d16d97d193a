package io.locket.queue;

/**
 * A dead letter that is to be put back.
 *
 * @param id the id of the dead letter
 * @param newId the id of the job that it becomes, made by the caller; a repetition with
 * the same id is answered as the first one was
 */
public record PutBack(String id, String newId) {

	public PutBack {
		NewJob.requireId(newId);
	}

}
