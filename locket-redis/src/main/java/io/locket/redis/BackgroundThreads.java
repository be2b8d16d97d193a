package io.locket.redis;

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * Ends of the background threads that open connections. A driver logs errors if it is
 * stopped while a connection is being opened.
 */
public final class BackgroundThreads {

	private static final long MOST_MILLIS = 1000;

	private BackgroundThreads() {
	}

	/**
	 * Ends the pause of a thread that was requested to end, and waits up to a second for
	 * its end. Does not wait if the calling thread is this thread or is interrupted.
	 * @param thread the thread, or {@code null} if none has started
	 */
	public static void awaitEnd(@Nullable Thread thread) {
		if (thread == null || thread == Thread.currentThread()) {
			return;
		}
		LockSupport.unpark(thread);
		try {
			thread.join(MOST_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
