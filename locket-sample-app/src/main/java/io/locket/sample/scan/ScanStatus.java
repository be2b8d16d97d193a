package io.locket.sample.scan;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The last scan of the fleet.
 *
 * @param id the fencing token of its lease: a later scan has a greater one
 * @param pid the process that scans
 * @param state how far it is
 * @param started when it took its lease
 * @param ended when it ended, or {@code null}
 * @param result what came of it, or {@code null}
 * @param error why it has no result, or {@code null}
 */
public record ScanStatus(long id, long pid, State state, Instant started, @Nullable Instant ended,
		@Nullable ScanResult result, @Nullable String error) {

	static ScanStatus running(long id, Instant started) {
		return new ScanStatus(id, ProcessHandle.current().pid(), State.RUNNING, started, null, null, null);
	}

	ScanStatus ended(Instant ended, @Nullable ScanResult result, @Nullable String error) {
		return new ScanStatus(this.id, this.pid, (result != null) ? State.ENDED : State.FAILED, this.started, ended,
				result, error);
	}

	ScanStatus lost() {
		return new ScanStatus(this.id, this.pid, State.LOST, this.started, null, null,
				"The replica died, or lost its lease");
	}

	/**
	 * How far a scan is.
	 */
	public enum State {

		/**
		 * It runs.
		 */
		RUNNING,

		/**
		 * It has a result.
		 */
		ENDED,

		/**
		 * It ended without a result.
		 */
		FAILED,

		/**
		 * It never said that it ended, but nobody holds its lease.
		 */
		LOST

	}

}
