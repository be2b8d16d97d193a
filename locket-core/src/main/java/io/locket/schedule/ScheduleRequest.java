package io.locket.schedule;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

import io.locket.job.JobRequest;
import io.locket.job.JobTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Request to put a schedule at run time:
 * {@code ScheduleRequest.cron("nightly", "0 0 3 * * *", JobRequest.of("report", 42))}.
 * Immutable: each method returns a new request. It is checked when it is put.
 */
public final class ScheduleRequest {

	private final String name;

	private final @Nullable String cron;

	private final @Nullable Duration every;

	private final JobRequest job;

	private final Details details;

	private ScheduleRequest(String name, @Nullable String cron, @Nullable Duration every, JobRequest job,
			Details details) {
		this.name = Objects.requireNonNull(name, "'name' must not be null");
		this.cron = cron;
		this.every = every;
		this.job = Objects.requireNonNull(job, "'job' must not be null");
		this.details = details;
	}

	/**
	 * Creates a request for a schedule with a cron expression, in the time zone of this
	 * process unless {@link #zone} sets another one.
	 * @param name the name of the schedule, 1 to 40 ASCII letters and digits, dots,
	 * underscores and hyphens
	 * @param cron the expression, with six fields or as a macro such as {@code @daily};
	 * see {@link org.springframework.scheduling.support.CronExpression}
	 * @param job the job, its arguments and, in its options, its queue
	 * @return the request
	 */
	public static ScheduleRequest cron(String name, String cron, JobRequest job) {
		Objects.requireNonNull(cron, "'cron' must not be null");
		return new ScheduleRequest(name, cron, null, job, Details.DEFAULT);
	}

	/**
	 * Creates a request for a schedule with an interval, which starts when it is first
	 * put.
	 * @param name the name of the schedule, 1 to 40 ASCII letters and digits, dots,
	 * underscores and hyphens
	 * @param every the interval, at least a second
	 * @param job the job, its arguments and, in its options, its queue
	 * @return the request
	 */
	public static ScheduleRequest every(String name, Duration every, JobRequest job) {
		Objects.requireNonNull(every, "'every' must not be null");
		return new ScheduleRequest(name, null, every, job, Details.DEFAULT);
	}

	/**
	 * Sets the time zone of the cron expression. A schedule with an interval and a time
	 * zone is rejected when it is put.
	 * @param zone the zone
	 * @return a new request
	 */
	public ScheduleRequest zone(ZoneId zone) {
		Objects.requireNonNull(zone, "'zone' must not be null");
		Details d = this.details;
		return with(new Details(zone, d.misfire(), d.catchUp(), d.enabled(), d.description(), d.origin()));
	}

	/**
	 * Sets the misfire policy. The default is {@link Misfire#LATEST}.
	 * @param misfire the policy
	 * @return a new request
	 */
	public ScheduleRequest misfire(Misfire misfire) {
		Objects.requireNonNull(misfire, "'misfire' must not be null");
		Details d = this.details;
		return with(new Details(d.zone(), misfire, d.catchUp(), d.enabled(), d.description(), d.origin()));
	}

	/**
	 * Sets the maximum delay of a missed firing that is made up for. The default is twice
	 * {@code locket.leader.ttl}.
	 * @param catchUp the maximum delay
	 * @return a new request
	 */
	public ScheduleRequest catchUp(Duration catchUp) {
		Objects.requireNonNull(catchUp, "'catchUp' must not be null");
		Details d = this.details;
		return with(new Details(d.zone(), d.misfire(), catchUp, d.enabled(), d.description(), d.origin()));
	}

	/**
	 * Disables the schedule, so that it is stored but does not fire.
	 * @return a new request
	 */
	public ScheduleRequest disabled() {
		Details d = this.details;
		return with(new Details(d.zone(), d.misfire(), d.catchUp(), false, d.description(), d.origin()));
	}

	/**
	 * Sets a description of the purpose of the schedule.
	 * @param description the description
	 * @return a new request
	 */
	public ScheduleRequest description(String description) {
		Objects.requireNonNull(description, "'description' must not be null");
		Details d = this.details;
		return with(new Details(d.zone(), d.misfire(), d.catchUp(), d.enabled(), description, d.origin()));
	}

	/**
	 * Makes the schedule end with this process at the latest. Otherwise it stays until it
	 * is removed. It belongs to the process that put it last and ends with that one, even
	 * if other processes that have put it continue. Do not use this for a schedule that
	 * every replica puts.
	 * @return a new request
	 */
	public ScheduleRequest untilThisProcessEnds() {
		Details d = this.details;
		return with(new Details(d.zone(), d.misfire(), d.catchUp(), d.enabled(), d.description(),
				ScheduleOrigin.TRANSIENT));
	}

	private ScheduleRequest with(Details other) {
		return new ScheduleRequest(this.name, this.cron, this.every, this.job, other);
	}

	/**
	 * Returns the name of the schedule.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	JobRequest job() {
		return this.job;
	}

	/**
	 * Creates a definition, and checks everything that does not depend on the job.
	 * @throws IllegalArgumentException if it is invalid
	 */
	ScheduleDefinition definition(JobTemplate template, String group) {
		Details d = this.details;
		Assert.isTrue(this.every == null || d.zone() == null,
				() -> "Schedule '" + this.name
						+ "' has a time zone beside an interval, which follows elapsed time: remove the zone, or"
						+ " use a cron expression");
		ZoneId zone = (d.zone() != null) ? d.zone() : ZoneId.systemDefault();
		return new ScheduleDefinition(this.name, group, template.job(), template.arguments(), template.queue(),
				this.cron, this.every, zone, d.misfire(), d.catchUp(), d.enabled(), d.description(), d.origin());
	}

	/**
	 * Describes the schedule without the arguments of its job, which must not appear in
	 * logs.
	 */
	@Override
	public String toString() {
		return "schedule '" + this.name + "' of job " + this.job;
	}

	/**
	 * Optional settings.
	 */
	private record Details(@Nullable ZoneId zone, Misfire misfire, @Nullable Duration catchUp, boolean enabled,
			@Nullable String description, ScheduleOrigin origin) {

		private static final Details DEFAULT = new Details(null, Misfire.LATEST, null, true, null,
				ScheduleOrigin.PERSISTENT);

	}

}
