package io.locket.queue;

import org.jspecify.annotations.Nullable;

/**
 * How far a run is.
 *
 * @param run the run
 * @param done how much is done, not negative
 * @param total how much there is to do, or {@code 0} if that is not known
 * @param message what it does at the moment, or {@code null}
 */
public record RunProgress(RunToken run, long done, long total, @Nullable String message) {

}
