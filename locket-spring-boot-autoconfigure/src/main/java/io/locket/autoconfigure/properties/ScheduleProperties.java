package io.locket.autoconfigure.properties;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.schedule.Misfire;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a recurring job.
 */
public class ScheduleProperties {

	/**
	 * Name or alias of the job.
	 */
	private @Nullable String job;

	/**
	 * Cron expression of six fields, seconds first, or a macro such as '@daily'. Set
	 * either this or an interval.
	 */
	private @Nullable String cron;

	/**
	 * Interval between firings, counted from the time at which the schedule is first
	 * known. At least one second.
	 */
	private @Nullable Duration every;

	/**
	 * Time zone of the cron expression, such as 'Europe/Berlin'. Uses the system time
	 * zone of the leader if not set.
	 */
	private @Nullable String zone;

	/**
	 * Queue into which the job is enqueued. Uses the queue of the job if not set.
	 */
	private @Nullable String queue;

	/**
	 * Arguments of the job, converted to the types of its parameters.
	 */
	private List<Object> args = new ArrayList<>();

	/**
	 * Policy for missed firings.
	 */
	private Misfire misfire = Misfire.LATEST;

	/**
	 * Maximum delay after which a missed firing is still made up. Uses twice
	 * locket.leader.ttl if not set.
	 */
	private @Nullable Duration catchUp;

	/**
	 * Whether the schedule fires.
	 */
	private boolean enabled = true;

	/**
	 * Description of the schedule.
	 */
	private @Nullable String description;

	public @Nullable String getJob() {
		return this.job;
	}

	public void setJob(@Nullable String job) {
		this.job = job;
	}

	public @Nullable String getCron() {
		return this.cron;
	}

	public void setCron(@Nullable String cron) {
		this.cron = cron;
	}

	public @Nullable Duration getEvery() {
		return this.every;
	}

	public void setEvery(@Nullable Duration every) {
		this.every = every;
	}

	public @Nullable String getZone() {
		return this.zone;
	}

	public void setZone(@Nullable String zone) {
		this.zone = zone;
	}

	public @Nullable String getQueue() {
		return this.queue;
	}

	public void setQueue(@Nullable String queue) {
		this.queue = queue;
	}

	public List<Object> getArgs() {
		return this.args;
	}

	public void setArgs(List<Object> args) {
		this.args = args;
	}

	public Misfire getMisfire() {
		return this.misfire;
	}

	public void setMisfire(Misfire misfire) {
		this.misfire = misfire;
	}

	public @Nullable Duration getCatchUp() {
		return this.catchUp;
	}

	public void setCatchUp(@Nullable Duration catchUp) {
		this.catchUp = catchUp;
	}

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable String getDescription() {
		return this.description;
	}

	public void setDescription(@Nullable String description) {
		this.description = description;
	}

}
