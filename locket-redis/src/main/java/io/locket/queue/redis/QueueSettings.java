package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.locket.queue.FailedAttempt;

/**
 * Settings of the queue's scripts.
 *
 * @param commandTimeout the time limit of a command
 * @param maxReclaims the number of reclaims that count as one failed attempt, {@code 0}
 * if reclaims never count
 * @param historyMaxAge the maximum age of ended jobs
 * @param historyMaxSize the maximum number of ended jobs
 * @param deadMaxAge the maximum age of dead letters
 * @param deadMaxSize the maximum number of dead letters
 * @param keptAttempts the maximum number of failed attempts that are kept of a job
 */
public record QueueSettings(Duration commandTimeout, int maxReclaims, Duration historyMaxAge, int historyMaxSize,
		Duration deadMaxAge, int deadMaxSize, int keptAttempts) {

	/**
	 * Creates settings with the default number of kept attempts.
	 * @param commandTimeout the time limit of a command
	 * @param maxReclaims the number of reclaims that count as one failed attempt,
	 * {@code 0} if reclaims never count
	 * @param historyMaxAge the maximum age of ended jobs
	 * @param historyMaxSize the maximum number of ended jobs
	 * @param deadMaxAge the maximum age of dead letters
	 * @param deadMaxSize the maximum number of dead letters
	 */
	public QueueSettings(Duration commandTimeout, int maxReclaims, Duration historyMaxAge, int historyMaxSize,
			Duration deadMaxAge, int deadMaxSize) {
		this(commandTimeout, maxReclaims, historyMaxAge, historyMaxSize, deadMaxAge, deadMaxSize,
				FailedAttempt.DEFAULT_KEPT);
	}

	public QueueSettings {
		Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		Objects.requireNonNull(historyMaxAge, "'historyMaxAge' must not be null");
		Objects.requireNonNull(deadMaxAge, "'deadMaxAge' must not be null");
	}

	/**
	 * Returns the arguments that {@code read_limits} in {@code reservation.lua} reads.
	 * The last one is the age up to which ended jobs are always kept, because a client
	 * may repeat a call until then.
	 */
	List<String> limits() {
		return List.of(this.maxReclaims + " " + this.keptAttempts, Long.toString(this.historyMaxAge.toMillis()),
				Long.toString(this.historyMaxSize), Long.toString(this.deadMaxAge.toMillis()),
				Long.toString(this.deadMaxSize), Long.toString(this.commandTimeout.multipliedBy(5).toMillis()));
	}

	/**
	 * Returns the settings of {@code turn.lua} and {@code handover.lua}: the limits, and
	 * whether each freed key is published.
	 * @param singleServer whether one server has all subscribers, so that a script can
	 * count them
	 */
	String forTurns(boolean singleServer) {
		return settings(limits().subList(1, 6), singleServer);
	}

	/**
	 * Returns the settings of {@code fail.lua}: the number of failed attempts that are
	 * kept, the limits of dead letters, and whether each freed key is published.
	 * @param singleServer whether one server has all subscribers, so that a script can
	 * count them
	 */
	String forFailures(boolean singleServer) {
		return this.keptAttempts + " " + settings(limits().subList(3, 6), singleServer);
	}

	private static String settings(List<String> limits, boolean singleServer) {
		return String.join(" ", limits) + (singleServer ? " 0" : " 1");
	}

}
