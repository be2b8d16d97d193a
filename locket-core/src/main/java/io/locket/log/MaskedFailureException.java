package io.locket.log;

/**
 * Substitute for a failure whose message may contain masked arguments. It has the type of
 * the failure, without its message and stack trace.
 */
public final class MaskedFailureException extends RuntimeException {

	private MaskedFailureException(Throwable failure) {
		super(failure.getClass().getName(), null, false, false);
	}

	/**
	 * Returns a failure as logs and observations may contain it.
	 * @param failure the failure
	 * @param masked whether arguments are masked
	 * @return the failure, or a substitute
	 */
	public static Throwable of(Throwable failure, boolean masked) {
		return masked ? new MaskedFailureException(failure) : failure;
	}

}
