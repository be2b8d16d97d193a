package io.locket.actuate;

import java.util.Objects;

import io.locket.job.JobAdministration;
import io.locket.job.UniqueJobs;
import io.locket.lease.LeaseService;
import io.locket.schedule.Leadership;
import io.locket.schedule.Schedules;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LocketEndpoint} looks at. What is {@code null} has no section.
 *
 * @param namespace the namespace of the queues, or {@code null} if they have none
 * @param instance the name of this process, or {@code null} if it has none
 * @param masked whether the arguments of jobs are hidden whose definitions are not known
 * here
 * @param administration finds and steers jobs
 * @param jobs tells which jobs hide their arguments
 * @param leases knows the leases, or {@code null}
 * @param schedules the recurring jobs, or {@code null}
 * @param leadership knows the leader, or {@code null}
 */
public record EndpointParts(@Nullable String namespace, @Nullable String instance, boolean masked,
		JobAdministration administration, UniqueJobs jobs, @Nullable LeaseService leases, @Nullable Schedules schedules,
		@Nullable Leadership leadership) {

	public EndpointParts {
		Objects.requireNonNull(administration, "'administration' must not be null");
		Objects.requireNonNull(jobs, "'jobs' must not be null");
	}

}
