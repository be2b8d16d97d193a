package io.locket.queue.spi;

import org.jspecify.annotations.Nullable;

/**
 * Progress of a run.
 *
 * @param run the run
 * @param done the amount of work done, not negative
 * @param total the amount of work in total, or {@code 0} if unknown
 * @param message a description of the current step, or {@code null}
 */
public record RunProgress(RunToken run, long done, long total, @Nullable String message) {

}
