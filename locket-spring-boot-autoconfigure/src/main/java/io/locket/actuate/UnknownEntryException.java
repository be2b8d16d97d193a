package io.locket.actuate;

/**
 * What was asked for is not there.
 */
class UnknownEntryException extends RuntimeException {

	UnknownEntryException(String message) {
		super(message);
	}

}
