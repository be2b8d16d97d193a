package io.locket.event;

import org.jspecify.annotations.Nullable;

/**
 * A call that enqueues jobs.
 *
 * @param job the name of the jobs, or {@code null} if they are of several
 * @param queue the queue of the jobs, or {@code null} if there are several
 * @param jobs how many they are
 */
public record EnqueueCall(@Nullable String job, @Nullable String queue, int jobs) {

}
