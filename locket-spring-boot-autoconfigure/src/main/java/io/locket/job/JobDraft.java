package io.locket.job;

import io.locket.queue.NewJob;

/**
 * A job that is ready to be enqueued.
 *
 * @param job the job
 * @param raising whether a duplicate is an exception
 * @param immediate whether an open transaction is not waited for
 */
record JobDraft(NewJob job, boolean raising, boolean immediate) {

}
