package io.locket.actuate;

import java.util.List;
import java.util.Set;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.BatchDescriptor;
import io.locket.actuate.descriptor.QueueDescriptor;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.Violation;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The section of the violations of the invariants of the stored data. A request verifies
 * all stored data in small steps, so it is refused if there are too many jobs. Concurrent
 * requests share one verification.
 */
final class ViolationsSection implements EndpointSection {

	static final String PATH = "violations";

	/**
	 * Maximum number of waiting and running jobs and dead letters.
	 */
	static final long MAX_JOBS = 100_000;

	private final JobAdministration administration;

	private final SharedReads reads;

	ViolationsSection(JobAdministration administration, SharedReads reads) {
		this.administration = administration;
		this.reads = reads;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public Set<String> listParameters() {
		return ListQuery.LIMIT;
	}

	@Override
	public ViolationsDescriptor list(ListQuery query, ArgumentMask mask) {
		int limit = query.size();
		List<Violation> found = this.reads.get(PATH, () -> {
			requireFewJobs();
			return this.administration.verify();
		});
		return new ViolationsDescriptor(found.size(),
				found.stream()
					.limit(limit)
					.map((violation) -> new ViolationDescriptor(violation.subject(), violation.description()))
					.toList());
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String argument) {
		throw new UnknownEntryException("Violations are repaired together: POST /" + PATH + "/repair");
	}

	@Override
	public synchronized BatchDescriptor writeBatch(EndpointWrite write, ListQuery query, @Nullable String argument,
			ArgumentMask mask) {
		requireFewJobs();
		List<Violation> found = this.reads.change(this.administration::repair);
		long repaired = found.stream().filter(Violation::repaired).count();
		return new BatchDescriptor(found.size(), repaired, 0, found.size() - repaired, null);
	}

	private void requireFewJobs() {
		List<QueueOverview> queues = this.administration.overview().queues();
		if (queues.size() >= StoreOverview.MAX_QUEUES) {
			throw new IllegalArgumentException("There are " + StoreOverview.MAX_QUEUES
					+ " queues or more. Use JobAdministration.verify() or repair()");
		}
		long jobs = queues.stream()
			.map((queue) -> QueueDescriptor.of(queue.counts(), null))
			.mapToLong((queue) -> queue.scheduled() + queue.ready() + queue.parked() + queue.retry() + queue.running()
					+ queue.deadLetters())
			.sum();
		if (jobs > MAX_JOBS) {
			throw new IllegalArgumentException("There are " + jobs + " jobs. A request verifies at most " + MAX_JOBS
					+ ". Use JobAdministration.verify() or repair()");
		}
	}

	/**
	 * The violations found.
	 *
	 * @param total the number of violations
	 * @param violations the first violations
	 */
	public record ViolationsDescriptor(int total,
			List<ViolationDescriptor> violations) implements OperationResponseBody {

	}

	/**
	 * A violation.
	 *
	 * @param subject the affected job, key or queue
	 * @param description a description of the violation
	 */
	public record ViolationDescriptor(String subject, String description) {

	}

}
