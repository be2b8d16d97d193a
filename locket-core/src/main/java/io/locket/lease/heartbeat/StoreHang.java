package io.locket.lease.heartbeat;

import java.util.concurrent.TimeUnit;

/**
 * Rule by which the duration of a failed call shows whether its store hangs.
 */
public final class StoreHang {

	/**
	 * Maximum duration of a call that a responsive store refused.
	 */
	private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private StoreHang() {
	}

	/**
	 * Returns whether a store hangs that failed a call. After a faster failure, the next
	 * call may still succeed.
	 * @param nanos the duration of the call, in nanoseconds
	 * @return {@code true} if the failure is taken for a timeout
	 */
	public static boolean isShownBy(long nanos) {
		return nanos > FAST_NANOS;
	}

}
