package io.locket.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.schedule.Misfire;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job.
 */
public class ScheduleProperties {

	/**
	 * Name of the job, or one of its aliases.
	 */
	private @Nullable String job;

	/**
	 * When the job fires, as a cron expression of six fields, seconds first, or as a
	 * macro such as '@daily'. Either this or an interval.
	 */
	private @Nullable String cron;

	/**
	 * Interval at which the job fires, from when the schedule is first known. At least a
	 * second.
	 */
	private @Nullable Duration every;

	/**
	 * Time zone of the cron expression, such as 'Europe/Berlin'. Uses that of the
	 * leader's system if it is not set.
	 */
	private @Nullable String zone;

	/**
	 * Queue of the job. Uses that of the job itself if it is not set.
	 */
	private @Nullable String queue;

	/**
	 * Arguments of the job, which are converted to the types of its parameters.
	 */
	private List<Object> args = new ArrayList<>();

	/**
	 * What becomes of firings that were missed.
	 */
	private Misfire misfire = Misfire.LATEST;

	/**
	 * How late a firing is made up for at the most. Uses twice locket.leader.ttl if it is
	 * not set.
	 */
	private @Nullable Duration catchUp;

	/**
	 * Whether the job fires.
	 */
	private boolean enabled = true;

	/**
	 * What the schedule is for.
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
