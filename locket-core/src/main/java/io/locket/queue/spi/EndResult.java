package io.locket.queue.spi;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Result of ending a run.
 *
 * @param id the id of the job
 * @param counted whether the outcome counts. It is {@code false} if the run had lost a
 * lease: the outcome was refused and the job was returned, or runs or ran elsewhere
 * @param state the state of the job afterwards, or {@code null} if it is no longer known
 */
public record EndResult(String id, boolean counted, @Nullable JobState state) {

}
