package io.locket.actuate;

import java.util.Objects;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.ResultDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.jmx.annotation.EndpointJmxExtension;
import org.springframework.context.ApplicationEventPublisher;

/**
 * JMX operations of the {@link LocketEndpoint}. All JMX users count as authorized.
 * Thread-safe.
 */
@EndpointJmxExtension(endpoint = LocketEndpoint.class)
public final class LocketEndpointJmxExtension {

	private static final String PRINCIPAL = "jmx";

	private final EndpointSections sections;

	private final ArgumentMask mask;

	private final WriteAudit audit;

	/**
	 * Creates an extension.
	 * @param endpoint the endpoint
	 * @param showArguments when arguments are shown
	 * @param events the publisher of an audit event for each write
	 */
	public LocketEndpointJmxExtension(LocketEndpoint endpoint, Show showArguments, ApplicationEventPublisher events) {
		this.sections = endpoint.sections();
		this.mask = this.sections.mask(showArguments.isShown(true));
		this.audit = new WriteAudit(Objects.requireNonNull(events, "'events' must not be null"));
	}

	/**
	 * Returns the queues.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object queues() {
		return list(QueuesSection.PATH, ListQuery.all());
	}

	/**
	 * Returns a queue and a page of its jobs.
	 * @param queue the name of the queue
	 * @param state the states of the jobs, separated by commas, or {@code null} for all
	 * @param limit the maximum number of jobs, from 1 to 1000, or {@code null} for 50
	 * @param cursor the start of the page, or {@code null} for the first one
	 * @return a descriptor
	 */
	@ReadOperation
	public Object queue(String queue, @Nullable String state, @Nullable Integer limit, @Nullable String cursor) {
		return entry(QueuesSection.PATH, queue, new ListQuery(null, null, null, state, ListQuery.text(limit), cursor));
	}

	/**
	 * Returns a page of jobs.
	 * @param queue the queue, or {@code null} for all
	 * @param job the name of the jobs, or {@code null} for all
	 * @param key the digest of their key, or {@code null} for all
	 * @param state the states, separated by commas, or {@code null} for all
	 * @param limit the maximum number of jobs, from 1 to 1000, or {@code null} for 50
	 * @param cursor the start of the page, or {@code null} for the first one
	 * @return a descriptor
	 */
	@ReadOperation
	public Object jobs(@Nullable String queue, @Nullable String job, @Nullable String key, @Nullable String state,
			@Nullable Integer limit, @Nullable String cursor) {
		return list(JobsSection.PATH, new ListQuery(queue, job, key, state, ListQuery.text(limit), cursor));
	}

	/**
	 * Returns a job.
	 * @param id the id of the job
	 * @return a descriptor
	 */
	@ReadOperation
	public Object job(String id) {
		return entry(JobsSection.PATH, id, ListQuery.all());
	}

	/**
	 * Returns the held leases.
	 * @param limit the maximum number, from 1 to 1000, or {@code null} for 50
	 * @return a descriptor
	 */
	@ReadOperation
	public Object leases(@Nullable Integer limit) {
		return list(LeasesSection.PATH, ListQuery.ofLimit(limit));
	}

	/**
	 * Returns a lease.
	 * @param digest the digest of its key
	 * @return a descriptor
	 */
	@ReadOperation
	public Object lease(String digest) {
		return entry(LeasesSection.PATH, digest, ListQuery.all());
	}

	/**
	 * Returns the schedules.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object schedules() {
		return list(SchedulesSection.PATH, ListQuery.all());
	}

	/**
	 * Returns a schedule.
	 * @param name the name of the schedule
	 * @return a descriptor
	 */
	@ReadOperation
	public Object schedule(String name) {
		return entry(SchedulesSection.PATH, name, ListQuery.all());
	}

	/**
	 * Returns the worker processes.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object workers() {
		return list(WorkersSection.PATH, ListQuery.all());
	}

	/**
	 * Returns the leader.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object leader() {
		return list(LeaderSection.PATH, ListQuery.all());
	}

	/**
	 * Returns the settings of this process.
	 * @return a descriptor
	 */
	@ReadOperation
	public Object settings() {
		return list(SettingsSection.PATH, ListQuery.all());
	}

	/**
	 * Quiets the workers of a process. They take no new jobs.
	 * @param worker the instance of the process, or the last part of it
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor quietWorker(String worker) {
		return write(EndpointWrite.WORKER_QUIETED, worker);
	}

	/**
	 * Resumes quiet workers.
	 * @param worker the instance of the process, or the last part of it
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor resumeWorker(String worker) {
		return write(EndpointWrite.WORKER_RESUMED, worker);
	}

	/**
	 * Pauses a queue. No more of its jobs are handed out.
	 * @param queue the name of the queue
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor pauseQueue(String queue) {
		return write(EndpointWrite.QUEUE_PAUSED, queue);
	}

	/**
	 * Resumes a paused queue.
	 * @param queue the name of the queue
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor resumeQueue(String queue) {
		return write(EndpointWrite.QUEUE_RESUMED, queue);
	}

	/**
	 * Removes the waiting jobs of a queue.
	 * @param queue the name of the queue
	 * @return the result
	 */
	@DeleteOperation
	public ResultDescriptor removeQueue(String queue) {
		return write(EndpointWrite.QUEUE_REMOVED, queue);
	}

	/**
	 * Cancels a job.
	 * @param id the id of the job
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor cancelJob(String id) {
		return write(EndpointWrite.JOB_CANCELLED, id);
	}

	/**
	 * Requeues a dead letter as a new job.
	 * @param id the id of the dead letter
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor requeueJob(String id) {
		return write(EndpointWrite.JOB_REQUEUED, id);
	}

	/**
	 * Makes a job ready that is scheduled or waits for a retry.
	 * @param id the id of the job
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor runJobNow(String id) {
		return write(EndpointWrite.JOB_RUN_NOW, id);
	}

	/**
	 * Dismisses a dead letter.
	 * @param id the id of the dead letter
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor dismissJob(String id) {
		return write(EndpointWrite.JOB_DISMISSED, id);
	}

	/**
	 * Moves a waiting job to another queue.
	 * @param id the id of the job
	 * @param queue the name of the queue
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor moveJob(String id, String queue) {
		return write(EndpointWrite.JOB_MOVED, id, queue);
	}

	/**
	 * Changes the due time of a waiting job.
	 * @param id the id of the job
	 * @param at the due time, in ISO 8601 with an offset
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor rescheduleJob(String id, String at) {
		return write(EndpointWrite.JOB_RESCHEDULED, id, at);
	}

	/**
	 * Releases a lease by force.
	 * @param digest the digest of its key
	 * @return the result
	 */
	@DeleteOperation
	public ResultDescriptor releaseLease(String digest) {
		return write(EndpointWrite.LEASE_RELEASED, digest);
	}

	/**
	 * Pauses a schedule.
	 * @param name the name of the schedule
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor pauseSchedule(String name) {
		return write(EndpointWrite.SCHEDULE_PAUSED, name);
	}

	/**
	 * Resumes a paused schedule.
	 * @param name the name of the schedule
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor resumeSchedule(String name) {
		return write(EndpointWrite.SCHEDULE_RESUMED, name);
	}

	/**
	 * Enqueues the job of a schedule now.
	 * @param name the name of the schedule
	 * @return the result
	 */
	@WriteOperation
	public ResultDescriptor triggerSchedule(String name) {
		return write(EndpointWrite.SCHEDULE_TRIGGERED, name);
	}

	/**
	 * Removes a schedule.
	 * @param name the name of the schedule
	 * @return the result
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

	private ResultDescriptor write(EndpointWrite write, String name, @Nullable String argument) {
		EndpointSection section = this.sections.section(write.section());
		return this.audit.write(PRINCIPAL, write, name, argument,
				() -> this.sections.change(() -> section.write(write, name, argument)));
	}

}
