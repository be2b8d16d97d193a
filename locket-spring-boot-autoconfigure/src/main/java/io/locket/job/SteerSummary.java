package io.locket.job;

/**
 * What became of the jobs that a {@link JobFilter} meant when they were steered. A job
 * that came back between two pages may have been seen twice.
 *
 * @param matched how many jobs were seen that were meant
 * @param done with how many of them it was done
 * @param flagged how many run, and were told that they are cancelled
 * @param changed how many had changed, or were gone, when their turn came: they were left
 * alone
 */
public record SteerSummary(long matched, long done, long flagged, long changed) {

}
