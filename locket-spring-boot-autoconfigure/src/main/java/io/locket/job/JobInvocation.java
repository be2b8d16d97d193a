package io.locket.job;

/**
 * Calls a job once on a recorder, which runs nothing and answers {@code null} or zero:
 * {@code (billing) -> billing.bill(42, may, now)}. Whatever else is in it runs.
 *
 * @param <T> the type of the bean, or an interface that it implements
 */
@FunctionalInterface
public interface JobInvocation<T> {

	/**
	 * Call the job.
	 * @param job the recorder
	 * @throws Exception whatever the method of the job declares
	 */
	void call(T job) throws Exception;

}
