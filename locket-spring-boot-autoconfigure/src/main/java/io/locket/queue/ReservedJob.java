package io.locket.queue;

import java.time.Duration;

import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * A job that was handed out to be run, with its leases taken.
 *
 * @param record the job
 * @param token the token of its run: of its run lease and, if it has one, its key lease
 * @param fence the fencing token
 * @param keyLeased whether the run holds a key lease
 * @param conflict who holds the key, if the job is to fail for that, else {@code null}
 * @param conflictFor for how long the key stays taken unless renewed, or {@code null}
 */
public record ReservedJob(JobRecord record, String token, long fence, boolean keyLeased, @Nullable LeaseHolder conflict,
		@Nullable Duration conflictFor) {

}
