package io.locket.actuate;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.jmx.annotation.EndpointJmxExtension;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The operations of the {@link LocketEndpoint} in JMX. Whoever reaches JMX counts as
 * authorized. Thread-safe.
 */
@EndpointJmxExtension(endpoint = LocketEndpoint.class)
public final class LocketEndpointJmxExtension {

	private static final String PRINCIPAL = "jmx";

	private final EndpointSections sections;

	private final ArgumentMask mask;

	private final WriteAudit audit;

	/**
	 * Create an extension.
	 * @param endpoint the endpoint
	 * @param showArguments when arguments are shown
	 * @param events is told of each write, as audit events
	 */
	public LocketEndpointJmxExtension(LocketEndpoint endpoint, Show showArguments, ApplicationEventPublisher events) {
		this.sections = endpoint.sections();
		this.mask = this.sections.mask(showArguments.isShown(true));
		this.audit = new WriteAudit(Objects.requireNonNull(events, "'events' must not be null"));
	}

	/**
	 * List the queues.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object queues() {
		return list(QueuesSection.PATH, ListQuery.all());
	}

	/**
	 * Look at a queue and a page of its jobs.
	 * @param queue the name of the queue
	 * @param state the states of the jobs, separated by commas, or {@code null} for all
	 * @param limit how many jobs at most, from 1 to 1000, or {@code null} for 50
	 * @param cursor where the page begins, or {@code null} for the first one
	 * @return a descriptor
	 */
	@ReadOperation
	public Object queue(String queue, @Nullable String state, @Nullable Integer limit, @Nullable String cursor) {
		return entry(QueuesSection.PATH, queue, new ListQuery(null, null, null, state, ListQuery.text(limit), cursor));
	}

	/**
	 * List jobs, a page at a time.
	 * @param queue the queue, or {@code null} for all
	 * @param job the name of the jobs, or {@code null} for all
	 * @param key the digest of their key, or {@code null} for all
	 * @param state the states, separated by commas, or {@code null} for all
	 * @param limit how many jobs at most, from 1 to 1000, or {@code null} for 50
	 * @param cursor where the page begins, or {@code null} for the first one
	 * @return a descriptor
	 */
	@ReadOperation
	public Object jobs(@Nullable String queue, @Nullable String job, @Nullable String key, @Nullable String state,
			@Nullable Integer limit, @Nullable String cursor) {
		return list(JobsSection.PATH, new ListQuery(queue, job, key, state, ListQuery.text(limit), cursor));
	}

	/**
	 * Look at a job.
	 * @param id the id of the job
	 * @return a descriptor
	 */
	@ReadOperation
	public Object job(String id) {
		return entry(JobsSection.PATH, id, ListQuery.all());
	}

	/**
	 * List the leases that are held.
	 * @param limit how many at most, from 1 to 1000, or {@code null} for 50
	 * @return a descriptor
	 */
	@ReadOperation
	public Object leases(@Nullable Integer limit) {
		return list(LeasesSection.PATH, ListQuery.ofLimit(limit));
	}

	/**
	 * Look at a lease.
	 * @param digest the digest of its key
	 * @return a descriptor
	 */
	@ReadOperation
	public Object lease(String digest) {
		return entry(LeasesSection.PATH, digest, ListQuery.all());
	}

	/**
	 * List the schedules.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object schedules() {
		return list(SchedulesSection.PATH, ListQuery.all());
	}

	/**
	 * Look at a schedule.
	 * @param name the name of the schedule
	 * @return a descriptor
	 */
	@ReadOperation
	public Object schedule(String name) {
		return entry(SchedulesSection.PATH, name, ListQuery.all());
	}

	/**
	 * List the processes that take jobs.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object workers() {
		return list(WorkersSection.PATH, ListQuery.all());
	}

	/**
	 * Look who leads.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object leader() {
		return list(LeaderSection.PATH, ListQuery.all());
	}

	/**
	 * Hand out no more jobs of a queue.
	 * @param queue the name of the queue
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor pauseQueue(String queue) {
		return write(EndpointWrite.QUEUE_PAUSED, queue);
	}

	/**
	 * End the pause of a queue.
	 * @param queue the name of the queue
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor resumeQueue(String queue) {
		return write(EndpointWrite.QUEUE_RESUMED, queue);
	}

	/**
	 * Remove what waits in a queue.
	 * @param queue the name of the queue
	 * @return what came of it
	 */
	@DeleteOperation
	public ResultDescriptor removeQueue(String queue) {
		return write(EndpointWrite.QUEUE_REMOVED, queue);
	}

	/**
	 * Cancel a job.
	 * @param id the id of the job
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor cancelJob(String id) {
		return write(EndpointWrite.JOB_CANCELLED, id);
	}

	/**
	 * Put a dead letter back.
	 * @param id the id of the letter
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor putBackJob(String id) {
		return write(EndpointWrite.JOB_PUT_BACK, id);
	}

	/**
	 * Make a job ready that is scheduled or waits for a retry.
	 * @param id the id of the job
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor runJobNow(String id) {
		return write(EndpointWrite.JOB_RUN_NOW, id);
	}

	/**
	 * Take a job out of the dead letters.
	 * @param id the id of the letter
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor dismissJob(String id) {
		return write(EndpointWrite.JOB_DISMISSED, id);
	}

	/**
	 * Move a job that waits to another queue.
	 * @param id the id of the job
	 * @param queue the name of the queue
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor moveJob(String id, String queue) {
		return write(EndpointWrite.JOB_MOVED, id, queue);
	}

	/**
	 * Take a lease from whoever holds it.
	 * @param digest the digest of its key
	 * @return what came of it
	 */
	@DeleteOperation
	public ResultDescriptor releaseLease(String digest) {
		return write(EndpointWrite.LEASE_RELEASED, digest);
	}

	/**
	 * Pause a schedule.
	 * @param name the name of the schedule
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor pauseSchedule(String name) {
		return write(EndpointWrite.SCHEDULE_PAUSED, name);
	}

	/**
	 * End the pause of a schedule.
	 * @param name the name of the schedule
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor resumeSchedule(String name) {
		return write(EndpointWrite.SCHEDULE_RESUMED, name);
	}

	/**
	 * Enqueue the job of a schedule now.
	 * @param name the name of the schedule
	 * @return what came of it
	 */
	@WriteOperation
	public ResultDescriptor triggerSchedule(String name) {
		return write(EndpointWrite.SCHEDULE_TRIGGERED, name);
	}

	/**
	 * Remove a schedule.
	 * @param name the name of the schedule
	 * @return what came of it
	 */
	@DeleteOperation
	public ResultDescriptor removeSchedule(String name) {
		return write(EndpointWrite.SCHEDULE_REMOVED, name);
	}

	private Object list(String section, ListQuery query) {
		return this.sections.section(section).list(query, this.mask);
	}

	private Object entry(String section, String name, ListQuery query) {
		return this.sections.section(section).entry(name, query, this.mask);
	}

	private ResultDescriptor write(EndpointWrite write, String name) {
		return write(write, name, null);
	}

	private ResultDescriptor write(EndpointWrite write, String name, @Nullable String queue) {
		EndpointSection section = this.sections.section(write.section());
		return this.audit.write(PRINCIPAL, write, name, queue, () -> section.write(write, name, queue));
	}

}
