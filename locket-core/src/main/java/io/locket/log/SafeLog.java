package io.locket.log;

/**
 * Logging where an exception would end a thread, or lose what it holds.
 */
public final class SafeLog {

	private SafeLog() {
	}

	/**
	 * Logs. Does not throw if that fails, as it may without memory, or with an appender
	 * that throws.
	 * @param logging logs
	 */
	public static void write(Runnable logging) {
		try {
			logging.run();
		}
		catch (RuntimeException | Error ex) {
			// Nothing can be logged.
		}
	}

}
