package io.locket.queue;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What the queue made of the end of a run.
 *
 * @param id the id of the job
 * @param counted whether the outcome counts; {@code false} if the run had lost a lease,
 * so that its outcome was refused and the job was put back, or runs or ran elsewhere
 * @param state the state of the job afterwards, or {@code null} if it is not known any
 * more
 */
public record EndResult(String id, boolean counted, @Nullable JobState state) {

}
