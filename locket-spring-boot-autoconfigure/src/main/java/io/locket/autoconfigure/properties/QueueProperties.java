package io.locket.autoconfigure.properties;

import org.springframework.util.unit.DataSize;

/**
 * Properties of enqueuing.
 */
public class QueueProperties {

	/**
	 * Queue of jobs that declare none.
	 */
	private String defaultName = "default";

	/**
	 * Maximum size of the arguments of a job, as JSON in UTF-8.
	 */
	private DataSize maxPayload = DataSize.ofKilobytes(256);

	/**
	 * Whether jobs that are enqueued in a transaction wait for its commit.
	 */
	private boolean afterCommit = true;

	public String getDefaultName() {
		return this.defaultName;
	}

	public void setDefaultName(String defaultName) {
		this.defaultName = defaultName;
	}

	public boolean isAfterCommit() {
		return this.afterCommit;
	}

	public void setAfterCommit(boolean afterCommit) {
		this.afterCommit = afterCommit;
	}

	public DataSize getMaxPayload() {
		return this.maxPayload;
	}

	public void setMaxPayload(DataSize maxPayload) {
		this.maxPayload = maxPayload;
	}

}
