package io.locket.queue.redis;

import java.time.Duration;
import java.util.Objects;

/**
 * What the scripts need to know of the configuration.
 *
 * @param commandTimeout how long a command may take
 * @param maxReclaims every so many reclaims of a job are a failed attempt, {@code 0} for
 * none
 * @param historyMaxAge how long what has ended stays known
 * @param historyMaxSize how much of what has ended stays known
 * @param deadMaxAge how long dead letters are kept
 * @param deadMaxSize how many dead letters are kept
 */
public record QueueSettings(Duration commandTimeout, int maxReclaims, Duration historyMaxAge, int historyMaxSize,
		Duration deadMaxAge, int deadMaxSize) {

	public QueueSettings {
		Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		Objects.requireNonNull(historyMaxAge, "'historyMaxAge' must not be null");
		Objects.requireNonNull(deadMaxAge, "'deadMaxAge' must not be null");
	}

	/**
	 * Up to which age nothing that has ended is forgotten: a call may be repeated until
	 * then.
	 */
	Duration floor() {
		return this.commandTimeout.multipliedBy(5);
	}

}
