package io.locket.observation;

/**
 * Substitute for the failure of a run, or of an enqueue, of a job with masked arguments.
 * It has the type of the failure, without its message and stack trace.
 */
final class MaskedFailureException extends RuntimeException {

	MaskedFailureException(Throwable failure) {
		super(failure.getClass().getName(), null, false, false);
	}

}
