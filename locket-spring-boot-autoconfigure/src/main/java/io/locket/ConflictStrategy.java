package io.locket;

/**
 * What happens to a call that finds its key taken.
 */
public enum ConflictStrategy {

	/**
	 * The strategy of {@code locket.job.on-conflict}, or {@link #REJECT}.
	 */
	DEFAULT,

	/**
	 * The call is skipped: a {@code void} method returns, an {@code Optional} is empty, a
	 * {@code CompletionStage} completes with {@code null}, a {@code Mono} or {@code Flux}
	 * is empty. Other return types must declare {@link #RAISE} or {@link #WAIT}.
	 */
	REJECT,

	/**
	 * The call fails with a {@link DuplicateJobException} that names key, holder and
	 * remaining time.
	 */
	RAISE,

	/**
	 * The call waits for the lease, at most {@link UniqueJob#waitFor()}, and then fails
	 * with a {@link DuplicateJobException}. It is woken when the lease is released.
	 */
	WAIT

}
