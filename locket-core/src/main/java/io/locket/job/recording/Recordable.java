package io.locket.job.recording;

/**
 * Callback that makes the call to be recorded.
 *
 * @param <T> the called type
 */
@FunctionalInterface
public interface Recordable<T> {

	/**
	 * Calls one method.
	 * @param recorder the recorder, which does not run the method and returns
	 * {@code null} or zero
	 * @throws Exception any exception that the method declares, or that is thrown before
	 * the call
	 */
	void call(T recorder) throws Exception;

}
