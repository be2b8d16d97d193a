package io.locket.job;

/**
 * Call of a job on a recorder: {@code (billing) -> billing.bill(42, may, now)}. The
 * recorder does not run the job and returns {@code null} or zero. Other code in the
 * callback runs.
 *
 * @param <T> the type of the bean, or an interface that it implements
 */
@FunctionalInterface
public interface JobInvocation<T> {

	/**
	 * Calls the job once.
	 * @param job the recorder
	 * @throws Exception any exception that the method of the job declares
	 */
	void call(T job) throws Exception;

}
