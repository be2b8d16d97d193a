package io.locket.benchmarks.measure;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits with an end.
 */
public final class Waiting {

	private static final int PATIENCE_SECONDS = 120;

	private Waiting() {
	}

	/**
	 * Waits until a latch is at zero.
	 * @param latch the latch
	 * @param what the name of the work, for the message of a failure
	 */
	public static void await(CountDownLatch latch, String what) {
		try {
			if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException(latch.getCount() + " jobs of '" + what + "' did not start");
			}
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	/**
	 * Takes an element from a queue.
	 * @param queue the queue
	 * @param <T> the type of the element
	 * @return the element
	 */
	public static <T> T take(BlockingQueue<T> queue) {
		try {
			T taken = queue.poll(30, TimeUnit.SECONDS);
			if (taken == null) {
				throw new IllegalStateException("Nothing arrived within 30 seconds");
			}
			return taken;
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	/**
	 * Hands an element over.
	 * @param queue the queue
	 * @param element the element
	 * @param <T> the type of the element
	 */
	public static <T> void put(BlockingQueue<T> queue, T element) {
		try {
			queue.put(element);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	/**
	 * Sleeps.
	 * @param millis the time in milliseconds
	 */
	public static void sleep(long millis) {
		try {
			TimeUnit.MILLISECONDS.sleep(millis);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	private static IllegalStateException interrupted(InterruptedException ex) {
		Thread.currentThread().interrupt();
		return new IllegalStateException(ex);
	}

}
