package io.locket.actuate;

import java.util.List;

import io.locket.actuate.descriptor.JobDescriptor;
import io.locket.actuate.descriptor.LeaseDescriptor;
import io.locket.actuate.descriptor.ScheduleDescriptor;
import io.locket.actuate.descriptor.ThroughputDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The content of one view of a page. A part that the view does not show is {@code null}.
 *
 * @param overview the overview of the namespace
 * @param running some running jobs
 * @param parked some parked jobs
 * @param dead some dead letters
 * @param jobs a page of jobs
 * @param job a job
 * @param schedules the schedules, by name
 * @param workers the worker processes
 * @param leases the held leases, or those of the keys of the jobs of this view
 * @param throughput the counts of the last hour
 */
public record SummaryDescriptor(OverviewDescriptor overview, @Nullable List<JobDescriptor> running,
		@Nullable List<JobDescriptor> parked, @Nullable List<JobDescriptor> dead,
		JobsSection.@Nullable JobsDescriptor jobs, @Nullable JobDescriptor job,
		@Nullable List<ScheduleDescriptor> schedules, @Nullable List<WorkersSection.WorkerDescriptor> workers,
		@Nullable List<LeaseDescriptor> leases,
		@Nullable ThroughputDescriptor throughput) implements OperationResponseBody {

	static SummaryDescriptor ofQueues(OverviewDescriptor overview, ThroughputDescriptor throughput) {
		return new SummaryDescriptor(overview, null, null, null, null, null, null, null, null, throughput);
	}

	static SummaryDescriptor ofJobs(OverviewDescriptor overview, JobsSection.JobsDescriptor jobs,
			@Nullable List<LeaseDescriptor> leases) {
		return new SummaryDescriptor(overview, null, null, null, jobs, null, null, null, leases, null);
	}

	static SummaryDescriptor ofJob(OverviewDescriptor overview, JobDescriptor job,
			@Nullable List<LeaseDescriptor> leases) {
		return new SummaryDescriptor(overview, null, null, null, null, job, null, null, leases, null);
	}

	static SummaryDescriptor ofSchedules(OverviewDescriptor overview, List<ScheduleDescriptor> schedules) {
		return new SummaryDescriptor(overview, null, null, null, null, null, schedules, null, null, null);
	}

	static SummaryDescriptor ofWorkers(OverviewDescriptor overview, List<WorkersSection.WorkerDescriptor> workers) {
		return new SummaryDescriptor(overview, null, null, null, null, null, null, workers, null, null);
	}

	static SummaryDescriptor ofLeases(OverviewDescriptor overview, List<LeaseDescriptor> leases) {
		return new SummaryDescriptor(overview, null, null, null, null, null, null, null, leases, null);
	}

}
