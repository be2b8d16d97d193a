package io.locket;

/**
 * Strategy for a run whose key is already held when it starts.
 */
public enum ConflictStrategy {

	/**
	 * The strategy of the queue, of {@code locket.job.on-conflict}, or else {@link #PARK}
	 * for a queued run and {@link #REJECT} for a direct call.
	 */
	DEFAULT,

	/**
	 * A queued run waits for the lease, at no cost, and keeps its place. A direct call is
	 * enqueued and returns as a refused call does.
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
	 * A queued run runs again after {@link UniqueJob#rescheduleAfter()}, and keeps its
	 * ticket and its attempt. A direct call is enqueued with that delay and returns as a
	 * refused call does.
	 */
	RESCHEDULE,

	/**
	 * A direct call waits for the lease for at most {@link UniqueJob#waitFor()}, and then
	 * fails with a {@link DuplicateJobException}. The release of the lease wakes it. A
	 * queued run parks instead.
	 */
	WAIT;

	/**
	 * Returns whether a refused direct call is enqueued.
	 * @return {@code true} if a call whose key is held becomes a queued job
	 */
	public boolean enqueuesDirectCalls() {
		return this == PARK || this == RESCHEDULE;
	}

}
