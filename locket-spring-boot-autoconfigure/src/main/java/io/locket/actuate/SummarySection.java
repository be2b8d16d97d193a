package io.locket.actuate;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.JobDescriptor;
import io.locket.actuate.descriptor.LeaseDescriptor;
import io.locket.actuate.descriptor.PageCursor;
import io.locket.actuate.descriptor.QueueDescriptor;
import io.locket.actuate.descriptor.ScheduleDescriptor;
import io.locket.actuate.descriptor.ThroughputDescriptor;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.schedule.Schedules;
import org.jspecify.annotations.Nullable;

/**
 * The section of the views of a page, each in one response. Requests within a second
 * share the reads of the stores. Values are masked for each request.
 */
final class SummarySection implements EndpointSection {

	static final String PATH = "summary";

	private static final int MANY = 25;

	private static final int FEW = 5;

	private static final int MAX_LEASES = 1000;

	/**
	 * Maximum number of keys of one page whose leases are read.
	 */
	private static final int MAX_KEYS = 50;

	private final JobAdministration administration;

	private final @Nullable LeaseService leases;

	private final @Nullable LeaseService queueLeases;

	private final @Nullable Schedules schedules;

	private final WorkersSection workers;

	private final ThroughputSection throughput;

	private final Supplier<OverviewDescriptor> overview;

	private final SharedReads reads;

	SummarySection(EndpointParts parts, WorkersSection workers, ThroughputSection throughput,
			Supplier<OverviewDescriptor> overview, SharedReads reads) {
		this.administration = parts.administration();
		this.leases = parts.leases();
		this.queueLeases = parts.queueLeases();
		this.schedules = parts.schedules();
		this.workers = workers;
		this.throughput = throughput;
		this.overview = overview;
		this.reads = reads;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public Set<String> entryParameters(String name) {
		return name.equals(JobsSection.PATH) ? ListQuery.OF_ALL_JOBS : Set.of();
	}

	/**
	 * Returns the view of everything at a glance.
	 */
	@Override
	public SummaryDescriptor list(ListQuery query, ArgumentMask mask) {
		OverviewDescriptor overview = overview();
		OverviewDescriptor.TotalsDescriptor totals = overview.totals();
		List<JobRecord> parked = this.reads.get(JobState.PARKED, () -> parked(overview.queues()));
		return new SummaryDescriptor(overview, describe(some(totals.running(), JobState.RUNNING, MANY), mask),
				describe(parked, mask), describe(some(totals.deadLetters(), JobState.DEAD, FEW), mask), null, null,
				(this.schedules != null) ? schedules(this.schedules, mask) : null, workers(), leasesOf(parked, mask),
				lastHour());
	}

	/**
	 * Returns a view by its name, or that of a job by its id.
	 */
	@Override
	public SummaryDescriptor entry(String name, ListQuery query, ArgumentMask mask) {
		return switch (name) {
			case JobsSection.PATH -> jobs(query, mask);
			case QueuesSection.PATH -> SummaryDescriptor.ofQueues(overview(), lastHour());
			case WorkersSection.PATH -> SummaryDescriptor.ofWorkers(overview(), workers());
			case SchedulesSection.PATH ->
				SummaryDescriptor.ofSchedules(overview(), schedules(present(this.schedules, name), mask));
			case LeasesSection.PATH -> SummaryDescriptor.ofLeases(overview(), held(present(this.leases, name), mask));
			default -> job(name, mask);
		};
	}

	private SummaryDescriptor jobs(ListQuery query, ArgumentMask mask) {
		JobFilter filter = query.filter(mask);
		int size = query.size();
		String place = query.place();
		JobPage page = query.isByArguments() ? this.administration.list(filter, size, place)
				: this.reads.get(query, () -> this.administration.list(filter, size, place));
		return SummaryDescriptor.ofJobs(overview(),
				new JobsSection.JobsDescriptor(describe(page.jobs(), mask), PageCursor.write(page.cursor())),
				leasesOf(page.jobs().stream().filter((job) -> job.state() == JobState.PARKED).toList(), mask));
	}

	private SummaryDescriptor job(String id, ArgumentMask mask) {
		JobRecord job = this.reads.get("job " + id, () -> this.administration.find(id))
			.orElseThrow(() -> JobsSection.unknown(id));
		List<FailedAttempt> attempts = this.reads.get("attempts " + id,
				() -> JobsSection.attempts(this.administration, job));
		return SummaryDescriptor.ofJob(overview(), JobDescriptor.of(job, attempts, mask),
				leasesOf(job.state().isEnded() ? List.of() : List.of(job), mask));
	}

	private OverviewDescriptor overview() {
		return this.reads.get("overview", this.overview);
	}

	private ThroughputDescriptor lastHour() {
		return this.throughput.last(ThroughputSection.HOUR);
	}

	private List<WorkersSection.WorkerDescriptor> workers() {
		return this.reads.get("workers", this.workers::workers);
	}

	private List<ScheduleDescriptor> schedules(Schedules schedules, ArgumentMask mask) {
		return this.reads.get("schedules", schedules::list)
			.stream()
			.map((schedule) -> ScheduleDescriptor.of(schedule, mask))
			.toList();
	}

	private List<LeaseDescriptor> held(LeaseService leases, ArgumentMask mask) {
		return this.reads.get("leases", () -> leases.held(MAX_LEASES))
			.stream()
			.map((lease) -> LeaseDescriptor.of(lease, mask))
			.toList();
	}

	private List<JobRecord> some(long total, JobState state, int limit) {
		return (total > 0)
				? this.reads.get(state, () -> this.administration.list(JobFilter.inState(state), limit, null)).jobs()
				: List.of();
	}

	/**
	 * Reads only queues that have parked jobs. A page over all queues examines a bounded
	 * number of them.
	 */
	private List<JobRecord> parked(List<QueueDescriptor> queues) {
		return queues.stream()
			.filter((queue) -> queue.parked() > 0)
			.limit(FEW)
			.map((queue) -> JobFilter.inState(JobState.PARKED).queue(queue.queue()))
			.flatMap((filter) -> this.administration.list(filter, FEW, null).jobs().stream())
			.limit(FEW)
			.toList();
	}

	private static List<JobDescriptor> describe(List<JobRecord> jobs, ArgumentMask mask) {
		return jobs.stream().map((job) -> JobDescriptor.of(job, mask)).toList();
	}

	/**
	 * Returns the leases or claims of the keys of some jobs, without keys that are free.
	 */
	private @Nullable List<LeaseDescriptor> leasesOf(List<JobRecord> jobs, ArgumentMask mask) {
		LeaseService leases = this.queueLeases;
		if (leases == null) {
			return null;
		}
		List<String> digests = jobs.stream()
			.map(JobRecord::key)
			.filter(Objects::nonNull)
			.map(JobKey::digest)
			.distinct()
			.limit(MAX_KEYS)
			.toList();
		return this.reads.get(digests, () -> find(leases, digests))
			.stream()
			.map((lease) -> LeaseDescriptor.of(lease, mask))
			.toList();
	}

	/**
	 * Finds leases, and the claims of keys without a lease, in the order of the keys.
	 */
	private static List<HeldLease> find(LeaseService leases, List<String> digests) {
		List<JobKey> keys = digests.stream().map(LeasesSection::keyOf).toList();
		Map<String, HeldLease> found = leases.findAll(keys)
			.stream()
			.collect(Collectors.toMap(HeldLease::digest, Function.identity()));
		return keys.stream()
			.map((key) -> Optional.ofNullable(found.get(key.digest())).or(() -> LeasesSection.findClaim(leases, key)))
			.flatMap(Optional<HeldLease>::stream)
			.toList();
	}

	private static <T> T present(@Nullable T part, String name) {
		if (part == null) {
			throw new UnknownEntryException("This process has no " + name);
		}
		return part;
	}

}
