package io.locket.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * Work on several threads at once.
 */
public final class Threads {

	private Threads() {
	}

	/**
	 * Does some work on each of several threads and waits for all of them.
	 * @param count the number of threads
	 * @param work takes the number of its thread, from 0
	 */
	public static void run(int count, IntConsumer work) {
		ExecutorService executor = Executors.newFixedThreadPool(count);
		try {
			List<Future<?>> futures = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				int thread = i;
				futures.add(executor.submit(() -> work.accept(thread)));
			}
			for (Future<?> future : futures) {
				future.get();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			executor.shutdownNow();
		}
	}

}
