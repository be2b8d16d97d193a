package io.locket.sample.scan;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * One of several calls for the inspection of one artifact. They are made at the same
 * moment, and an inspection that runs goes on until the others have their answer: so each
 * of them surely meets a key that is taken, however slow the machine.
 */
public final class Offer {

	private static final long PATIENCE = 30;

	private final CyclicBarrier start;

	private final CountDownLatch answers;

	private boolean accepted;

	private Offer(CyclicBarrier start, CountDownLatch answers) {
		this.start = start;
		this.answers = answers;
	}

	static List<Offer> together(int count) {
		CyclicBarrier start = new CyclicBarrier(count);
		CountDownLatch answers = new CountDownLatch(count);
		return IntStream.range(0, count).mapToObj((index) -> new Offer(start, answers)).toList();
	}

	/**
	 * Wait until the others can be made too.
	 */
	void awaitStart() {
		try {
			this.start.await(PATIENCE, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted before the call", ex);
		}
		catch (BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException("The calls could not be made at the same moment", ex);
		}
	}

	/**
	 * Say that the call has returned.
	 */
	void end() {
		if (!this.accepted) {
			this.answers.countDown();
		}
	}

	/**
	 * Say, in the body, that this call was accepted.
	 */
	void accept() {
		this.accepted = true;
		this.answers.countDown();
	}

	boolean isAccepted() {
		return this.accepted;
	}

	/**
	 * Wait, in the body, until every other call has its answer.
	 */
	void awaitOthers() {
		try {
			if (!this.answers.await(PATIENCE, TimeUnit.SECONDS)) {
				throw new IllegalStateException(this.answers.getCount() + " offers had no answer within 30 s");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while others had no answer", ex);
		}
	}

}
