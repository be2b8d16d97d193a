package io.locket.queue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far the last run of a job was when it last told.
 *
 * @param done how much was done, not negative
 * @param total how much there was to do, or {@code 0} if that was not known
 * @param message what it did, or {@code null}
 * @param at when it was stored, by the clock of the store
 */
public record JobProgress(long done, long total, @Nullable String message, Instant at) {

}
