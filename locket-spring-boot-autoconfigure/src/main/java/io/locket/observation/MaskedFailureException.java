package io.locket.observation;

/**
 * Stands for the failure of a job whose arguments are kept out of what is told of it: has
 * its type, and neither its message nor its stack trace.
 */
final class MaskedFailureException extends RuntimeException {

	MaskedFailureException(Throwable failure) {
		super(failure.getClass().getName(), null, false, false);
	}

}
