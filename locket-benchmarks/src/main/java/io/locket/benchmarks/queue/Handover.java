package io.locket.benchmarks.queue;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;

import io.locket.benchmarks.measure.DelaySource;
import io.locket.benchmarks.measure.Waiting;

/**
 * Latency from the release of a lock to the start of the one who waits for it.
 */
abstract class Handover implements DelaySource {

	/**
	 * Waits for the lock on the side of the holder.
	 * @return the action that releases it
	 */
	abstract Runnable hold();

	/**
	 * Waits for the lock on the side of the waiter.
	 * @return the action that releases it
	 */
	abstract Runnable await();

	@Override
	public final double[] measure(int samples, long pause) {
		BlockingQueue<Integer> turns = new SynchronousQueue<>();
		BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
		Thread waiter = new Thread(() -> {
			for (int i = 0; i < samples; i++) {
				Waiting.take(turns);
				Runnable release = await();
				arrivals.add(System.nanoTime());
				release.run();
			}
		});
		waiter.start();
		double[] millis = new double[samples];
		for (int i = 0; i < samples; i++) {
			Runnable release = hold();
			Waiting.put(turns, i);
			Waiting.sleep(pause);
			long sent = System.nanoTime();
			release.run();
			millis[i] = (Waiting.take(arrivals) - sent) / 1e6;
		}
		return millis;
	}

}
