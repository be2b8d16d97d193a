package io.locket.autoconfigure;

/**
 * What logs tell of jobs.
 */
public class LoggingProperties {

	/**
	 * Whether log lines of a body have its job, queue, id, key and attempt in their
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
