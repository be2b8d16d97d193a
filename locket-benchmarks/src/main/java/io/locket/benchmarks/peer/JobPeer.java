package io.locket.benchmarks.peer;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.locket.benchmarks.measure.DelaySource;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.measure.Waiting;

/**
 * Worker of another product in this JVM, with eight threads and an empty body. It rests
 * between its turns.
 */
abstract class JobPeer implements Variant, DelaySource {

	static final int THREADS = 8;

	private final String name;

	private volatile Runnable started = () -> {
	};

	private CountDownLatch latch = new CountDownLatch(0);

	JobPeer(String name) {
		this.name = name;
	}

	@Override
	public final String name() {
		return this.name;
	}

	@Override
	public final void prepare(int operations) {
		this.latch = new CountDownLatch(operations);
		this.started = this.latch::countDown;
		enqueue(operations);
	}

	@Override
	public final void run(int operations) {
		resume();
		Waiting.await(this.latch, this.name);
	}

	@Override
	public final double[] measure(int samples, long pause) {
		BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
		this.started = () -> arrivals.add(System.nanoTime());
		resume();
		double[] millis = new double[samples];
		for (int i = 0; i < samples; i++) {
			Waiting.sleep(pause);
			long sent = System.nanoTime();
			enqueue(1);
			millis[i] = (Waiting.take(arrivals) - sent) / 1e6;
		}
		rest();
		return millis;
	}

	/**
	 * Does what a body does.
	 */
	final void body() {
		this.started.run();
	}

	/**
	 * Enqueues jobs.
	 * @param count the number of jobs
	 */
	abstract void enqueue(int count);

	/**
	 * Lets the worker take jobs.
	 */
	abstract void resume();

	/**
	 * Stops taking jobs.
	 */
	@Override
	public abstract void rest();

	@Override
	public abstract void close();

}
