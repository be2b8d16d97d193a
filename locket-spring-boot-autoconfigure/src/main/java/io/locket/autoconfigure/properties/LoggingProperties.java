package io.locket.autoconfigure.properties;

/**
 * Properties for logging.
 */
public class LoggingProperties {

	/**
	 * Whether log lines of a job body have the job, queue, id, key and attempt in their
	 * diagnostic context (MDC).
	 */
	private boolean mdc = true;

	public boolean isMdc() {
		return this.mdc;
	}

	public void setMdc(boolean mdc) {
		this.mdc = mdc;
	}

}
