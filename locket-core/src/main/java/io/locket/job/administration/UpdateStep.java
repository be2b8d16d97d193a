package io.locket.job.administration;

import org.jspecify.annotations.Nullable;

/**
 * Outcome of one bounded step through the jobs of a {@link JobSelection}.
 *
 * @param matched number of jobs of this step that fit the filter
 * @param done number of jobs that were updated
 * @param flagged number of running jobs that were flagged as cancelled
 * @param refused number of jobs that were left alone, because they had changed, were gone
 * or their key was taken
 * @param cursor place at which the next step begins, or {@code null} after the last step
 */
public record UpdateStep(long matched, long done, long flagged, long refused, @Nullable String cursor) {

}
