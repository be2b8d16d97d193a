package io.locket.job;

/**
 * What became of the dead letters that a {@link JobFilter} meant when they were put back.
 *
 * @param matched how many letters were seen that were meant
 * @param accepted how many were put back
 * @param duplicates how many stay, since another job of their key is there, or were
 * letters no longer
 */
public record PutBackSummary(long matched, long accepted, long duplicates) {

}
