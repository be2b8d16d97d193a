package io.locket.benchmarks.lock;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

import io.locket.benchmarks.measure.Threads;
import io.locket.benchmarks.measure.Variant;

/**
 * A variant whose operations are spread over several threads. Each operation gets a
 * number of its own, so that no two wait for each other.
 */
record ThreadedVariant(String name, int threads, LongConsumer operation,
		Set<String> directCommands) implements Variant {

	private static final AtomicLong NUMBERS = new AtomicLong();

	@Override
	public void run(int operations) {
		int each = operations / this.threads;
		Threads.run(this.threads, (thread) -> {
			for (int i = 0; i < each; i++) {
				this.operation.accept(NUMBERS.incrementAndGet());
			}
		});
	}

}
