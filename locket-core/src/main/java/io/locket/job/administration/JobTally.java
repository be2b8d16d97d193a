package io.locket.job.administration;

import org.jspecify.annotations.Nullable;

/**
 * Number of jobs of a {@link JobSelection}, counted in one bounded step.
 *
 * @param jobs number of jobs in this step
 * @param cursor place at which the next step begins, or {@code null} after the last step
 */
public record JobTally(long jobs, @Nullable String cursor) {

}
