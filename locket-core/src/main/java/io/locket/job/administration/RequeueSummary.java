package io.locket.job.administration;

/**
 * Result of requeuing the dead letters that a {@link JobFilter} selects.
 *
 * @param matched the number of dead letters that matched
 * @param accepted the number of requeued dead letters
 * @param duplicates the number of jobs that were not requeued, because another job of
 * their key exists or they were no longer dead letters
 */
public record RequeueSummary(long matched, long accepted, long duplicates) {

}
