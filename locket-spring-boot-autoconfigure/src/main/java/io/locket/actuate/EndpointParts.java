package io.locket.actuate;

import java.util.Objects;
import java.util.function.Supplier;

import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.lease.LeaseService;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.Leadership;
import io.locket.settings.EffectiveSettings;
import org.jspecify.annotations.Nullable;

/**
 * The components behind a {@link LocketEndpoint}. A {@code null} component has no
 * section.
 *
 * @param namespace the namespace of the queues, or {@code null} if they have none
 * @param instance the name of this process, or {@code null} if it has none
 * @param masked whether the arguments of unknown jobs are hidden
 * @param administration the administration of jobs
 * @param jobs the known jobs
 * @param leases the leases of direct calls, or {@code null}
 * @param queueLeases the leases in the store of the queue, which queued runs hold, or
 * {@code null}
 * @param schedules the recurring jobs, or {@code null}
 * @param leadership the leadership, or {@code null}
 * @param settings the settings of this process, or {@code null}
 * @param events the totals of events of this process, or {@code null}
 */
public record EndpointParts(@Nullable String namespace, @Nullable String instance, boolean masked,
		JobAdministration administration, UniqueJobs jobs, @Nullable LeaseService leases,
		@Nullable LeaseService queueLeases, @Nullable Schedules schedules, @Nullable Leadership leadership,
		@Nullable Supplier<EffectiveSettings> settings, @Nullable EventTotals events) {

	public EndpointParts {
		Objects.requireNonNull(administration, "'administration' must not be null");
		Objects.requireNonNull(jobs, "'jobs' must not be null");
	}

}
