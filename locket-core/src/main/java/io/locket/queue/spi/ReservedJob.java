package io.locket.queue.spi;

import java.time.Duration;

import io.locket.LeaseHolder;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * Job handed out to a worker, with its leases taken.
 *
 * @param record the job
 * @param token the token of its run: of its run lease and, if it has one, its key lease
 * @param fence the fencing token, or {@code 0} if the run holds no key lease
 * @param keyLeased whether the run holds a key lease
 * @param conflict the holder of the key, if the job is to fail because of it, else
 * {@code null}
 * @param conflictFor the remaining time of the conflicting lease, or {@code null}
 */
public record ReservedJob(JobRecord record, String token, long fence, boolean keyLeased, @Nullable LeaseHolder conflict,
		@Nullable Duration conflictFor) {

}
