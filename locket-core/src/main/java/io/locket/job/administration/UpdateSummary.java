package io.locket.job.administration;

/**
 * Result of a bulk action on the jobs that a {@link JobFilter} selects. A job that
 * changes its place between two pages may count twice.
 *
 * @param matched the number of jobs that matched
 * @param done the number of updated jobs
 * @param flagged the number of running jobs that were flagged as cancelled
 * @param changed the number of jobs that were left unchanged, because they had changed or
 * were gone when they were to be updated
 */
public record UpdateSummary(long matched, long done, long flagged, long changed) {

}
