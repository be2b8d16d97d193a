package io.locket.actuate;

/**
 * Exception for an entry or an operation that does not exist.
 */
class UnknownEntryException extends RuntimeException {

	UnknownEntryException(String message) {
		super(message);
	}

}
