package io.locket.job;

import io.locket.queue.spi.NewJob;

/**
 * Job that is ready to be enqueued.
 *
 * @param job the job
 * @param raising whether a duplicate is an exception
 * @param immediate whether it is enqueued without waiting for an open transaction
 */
record JobDraft(NewJob job, boolean raising, boolean immediate) {

	/**
	 * Returns the same draft, whose duplicate is no exception.
	 */
	JobDraft withoutRaising() {
		return new JobDraft(this.job, false, this.immediate);
	}

}
