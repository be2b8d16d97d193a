package io.locket.sample.scan;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The last scan of the fleet.
 *
 * @param id the fencing token of its lease, greater than that of each earlier scan
 * @param pid the process that scans
 * @param state its state
 * @param started the time at which it acquired its lease
 * @param ended the time of its end, or {@code null}
 * @param result its result, or {@code null}
 * @param error the reason for which it has no result, or {@code null}
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
	 * States of a scan.
	 */
	public enum State {

		/**
		 * The scan runs.
		 */
		RUNNING,

		/**
		 * The scan has a result.
		 */
		ENDED,

		/**
		 * The scan ended without a result.
		 */
		FAILED,

		/**
		 * The scan has no recorded end, but its lease is not held any more.
		 */
		LOST

	}

}
