package io.locket.examples.howto.deploys;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Rows of an export. The test holds up the write of the second one until it is
 * interrupted.
 */
class Rows {

	private final CountDownLatch begun = new CountDownLatch(1);

	private final List<String> written = new ArrayList<>();

	private boolean slow = true;

	synchronized List<String> notWritten(long exportId) {
		List<String> rows = new ArrayList<>(List.of("a", "b", "c"));
		rows.removeAll(this.written);
		return rows;
	}

	void write(long exportId, String row) {
		if (isSlow(row)) {
			this.begun.countDown();
			awaitInterrupt();
		}
		synchronized (this) {
			this.written.add(row);
		}
	}

	private synchronized boolean isSlow(String row) {
		boolean result = this.slow && row.equals("b");
		this.slow = this.slow && !result;
		return result;
	}

	private static void awaitInterrupt() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void awaitSlowRow() throws InterruptedException {
		this.begun.await();
	}

	synchronized List<String> written() {
		return List.copyOf(this.written);
	}

}
