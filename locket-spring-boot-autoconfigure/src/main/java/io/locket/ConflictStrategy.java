package io.locket;

/**
 * What happens to a run that finds its key taken when it starts.
 */
public enum ConflictStrategy {

	/**
	 * The strategy of the queue, of {@code locket.job.on-conflict}, or else {@link #PARK}
	 * for a queued run and {@link #REJECT} for a direct call.
	 */
	DEFAULT,

	/**
	 * A queued run waits for the lease, at no cost, and keeps its place. A direct call is
	 * enqueued, and returns as a refused one does.
	 */
	PARK,

	/**
	 * A queued run ends as discarded. A direct call is skipped: a {@code void} method
	 * returns, an {@code Optional} is empty, a {@code CompletionStage} completes with
	 * {@code null}, a {@code Mono} or {@code Flux} is empty. Other return types must
	 * declare {@link #RAISE} or {@link #WAIT}.
	 */
	REJECT,

	/**
	 * The run fails with a {@link DuplicateJobException} that names key, holder and
	 * remaining time. For a queued run it is a failed attempt.
	 */
	RAISE,

	/**
	 * A queued run runs again after {@link UniqueJob#rescheduleAfter()}, and keeps ticket
	 * and attempt. A direct call is enqueued for then, and returns as a refused one does.
	 */
	RESCHEDULE,

	/**
	 * A direct call waits for the lease, at most {@link UniqueJob#waitFor()}, and then
	 * fails with a {@link DuplicateJobException}. It is woken when the lease is released.
	 * A queued run parks instead.
	 */
	WAIT;

	/**
	 * Return whether a refused direct call is enqueued.
	 * @return {@code true} if a call that finds its key taken becomes a queued job
	 */
	public boolean enqueuesDirectCalls() {
		return this == PARK || this == RESCHEDULE;
	}

}
