package io.locket.observer;

import org.jspecify.annotations.Nullable;

/**
 * Call that enqueues jobs.
 *
 * @param job the name of the jobs, or {@code null} if they have several names
 * @param queue the queue of the jobs, or {@code null} if there are several
 * @param jobs the number of jobs
 * @param masked whether one of the jobs masks its arguments, so that the message of a
 * failure is kept out of every report about the call
 */
public record EnqueueCall(@Nullable String job, @Nullable String queue, int jobs, boolean masked) {

}
