package io.locket.schedule;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

import io.locket.job.JobRequest;
import io.locket.job.JobTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A schedule that is to be put at run time:
 * {@code ScheduleRequest.cron("nightly", "0 0 3 * * *", JobRequest.of("report", 42))}.
 * Immutable: each method returns a request of its own. It is checked when it is put.
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
	 * Ask for a schedule by a cron expression, in the time zone of this process unless
	 * {@link #zone} says otherwise.
	 * @param name the name of the schedule, 1 to 40 letters and digits of ASCII, dots,
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
	 * Ask for a schedule at an interval, from when it is first put.
	 * @param name the name of the schedule, 1 to 40 letters and digits of ASCII, dots,
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
	 * Say in which time zone a cron expression counts. Beside an interval it is refused
	 * when the schedule is put.
	 * @param zone the zone
	 * @return a request of its own
	 */
	public ScheduleRequest zone(ZoneId zone) {
		Objects.requireNonNull(zone, "'zone' must not be null");
		Details d = this.details;
		return with(new Details(zone, d.misfire(), d.catchUp(), d.enabled(), d.description(), d.origin()));
	}

	/**
	 * Say what becomes of firings that were missed. Without it the last one is made up
	 * for.
	 * @param misfire what becomes of them
	 * @return a request of its own
	 */
	public ScheduleRequest misfire(Misfire misfire) {
		Objects.requireNonNull(misfire, "'misfire' must not be null");
		Details d = this.details;
		return with(new Details(d.zone(), misfire, d.catchUp(), d.enabled(), d.description(), d.origin()));
	}

	/**
	 * Say how late a firing is made up for at the most. Without it, for twice
	 * {@code locket.leader.ttl}.
	 * @param catchUp how late
	 * @return a request of its own
	 */
	public ScheduleRequest catchUp(Duration catchUp) {
		Objects.requireNonNull(catchUp, "'catchUp' must not be null");
		Details d = this.details;
		return with(new Details(d.zone(), d.misfire(), catchUp, d.enabled(), d.description(), d.origin()));
	}

	/**
	 * Put the schedule so that it does not fire.
	 * @return a request of its own
	 */
	public ScheduleRequest disabled() {
		Details d = this.details;
		return with(new Details(d.zone(), d.misfire(), d.catchUp(), false, d.description(), d.origin()));
	}

	/**
	 * Say what the schedule is for.
	 * @param description the description
	 * @return a request of its own
	 */
	public ScheduleRequest description(String description) {
		Objects.requireNonNull(description, "'description' must not be null");
		Details d = this.details;
		return with(new Details(d.zone(), d.misfire(), d.catchUp(), d.enabled(), description, d.origin()));
	}

	/**
	 * Let the schedule end with this process, at the latest. Without it, it stays until
	 * it is removed. It belongs to the process that put it last and ends with that one,
	 * also if others go on that had put it: what every replica puts, leave persistent.
	 * @return a request of its own
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
	 * Return the name of the schedule.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	JobRequest job() {
		return this.job;
	}

	/**
	 * Make a definition, which checks what can be checked without knowing the job.
	 * @throws IllegalArgumentException if it cannot work
	 */
	ScheduleDefinition definition(JobTemplate template, String group) {
		Details d = this.details;
		Assert.isTrue(this.every == null || d.zone() == null, () -> "Schedule '" + this.name
				+ "' has a time zone beside an interval, which goes by the time that passes: leave the zone out, or"
				+ " use a cron expression");
		ZoneId zone = (d.zone() != null) ? d.zone() : ZoneId.systemDefault();
		return new ScheduleDefinition(this.name, group, template.job(), template.arguments(), template.queue(),
				this.cron, this.every, zone, d.misfire(), d.catchUp(), d.enabled(), d.description(), d.origin());
	}

	/**
	 * Names the schedule without the arguments of its job, which logs are not to have.
	 */
	@Override
	public String toString() {
		return "schedule '" + this.name + "' of job " + this.job;
	}

	/**
	 * What need not be said.
	 */
	private record Details(@Nullable ZoneId zone, Misfire misfire, @Nullable Duration catchUp, boolean enabled,
			@Nullable String description, ScheduleOrigin origin) {

		private static final Details DEFAULT = new Details(null, Misfire.LATEST, null, true, null,
				ScheduleOrigin.PERSISTENT);

	}

}
