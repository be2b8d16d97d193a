package io.locket.job.recording;

/**
 * Calls what is to be recorded.
 *
 * @param <T> the type that is called
 */
@FunctionalInterface
public interface Recordable<T> {

	/**
	 * Call one method.
	 * @param recorder stands in for the object: runs nothing, and answers {@code null} or
	 * zero
	 * @throws Exception whatever the method declares, or what fails before it is called
	 */
	void call(T recorder) throws Exception;

}
