package io.locket.queue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Last reported progress of the last run of a job.
 *
 * @param done the amount of work done, not negative
 * @param total the amount of work in total, or {@code 0} if unknown
 * @param message a description of the current step, or {@code null}
 * @param at the time when it was stored, by the clock of the store
 */
public record JobProgress(long done, long total, @Nullable String message, Instant at) {

}
