package io.locket.worker.run;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Names of jobs that were handed out to this process and that it cannot run. Requests
 * exclude them, so that other workers get these jobs. Thread-safe.
 */
public final class UnknownJobs {

	/**
	 * Maximum number of names. The oldest one is removed first.
	 */
	static final int MOST = 100;

	private final JobHandlers handlers;

	private final Set<String> names = new LinkedHashSet<>();

	public UnknownJobs(JobHandlers handlers) {
		this.handlers = handlers;
	}

	synchronized void add(String job) {
		this.names.add(job);
		if (this.names.size() > MOST) {
			this.names.remove(this.names.iterator().next());
		}
	}

	/**
	 * Returns the names, without jobs that have a handler by now.
	 * @return the names, without jobs that have a handler by now
	 */
	public synchronized Set<String> names() {
		if (this.names.isEmpty()) {
			return Set.of();
		}
		this.names.removeIf((job) -> this.handlers.find(job).isPresent());
		return Set.copyOf(this.names);
	}

}
