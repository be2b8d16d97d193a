package io.locket.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reads of the stores that concurrent requests share. A read is repeated after
 * {@link #MAX_AGE}, also if it failed, so the number of viewers does not change the load.
 * Thread-safe.
 */
final class SharedReads {

	/**
	 * Time for which the result of a read is shared.
	 */
	static final Duration MAX_AGE = Duration.ofSeconds(1);

	private static final int MAX_READS = 50;

	private final LongSupplier nanoTime;

	private final Map<Object, Read> reads = new LinkedHashMap<>();

	SharedReads(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns the result of a read, which may be shared.
	 * @param key the read, equal for the same result
	 * @param source reads from the store
	 * @return the result
	 */
	@SuppressWarnings("unchecked")
	<T> T get(Object key, Supplier<T> source) {
		Read read;
		boolean first;
		synchronized (this.reads) {
			this.reads.values().removeIf((known) -> known.isOld(this.nanoTime.getAsLong()));
			Read known = this.reads.get(key);
			first = known == null;
			read = (known != null) ? known : new Read();
			if (first) {
				makeRoom();
				this.reads.put(key, read);
			}
		}
		if (first) {
			read.fill(source, this.nanoTime);
		}
		return (T) read.result();
	}

	/**
	 * Removes the oldest result. Reads in progress stay, because others would repeat
	 * them.
	 */
	private void makeRoom() {
		if (this.reads.size() >= MAX_READS) {
			this.reads.entrySet()
				.stream()
				.filter((read) -> read.getValue().isDone())
				.findFirst()
				.map(Map.Entry::getKey)
				.ifPresent(this.reads::remove);
		}
	}

	/**
	 * Applies a write. A later request does not get the result of an earlier read.
	 * @param write the write
	 * @return its result
	 */
	<T> T change(Supplier<T> write) {
		try {
			return write.get();
		}
		finally {
			synchronized (this.reads) {
				this.reads.clear();
			}
		}
	}

	/**
	 * A read in progress or its result.
	 */
	private static final class Read {

		private final CompletableFuture<Object> result = new CompletableFuture<>();

		private volatile long endedAt;

		void fill(Supplier<?> source, LongSupplier nanoTime) {
			try {
				Object value = source.get();
				this.endedAt = nanoTime.getAsLong();
				this.result.complete(value);
			}
			catch (Throwable ex) {
				this.endedAt = nanoTime.getAsLong();
				this.result.completeExceptionally(ex);
			}
		}

		boolean isDone() {
			return this.result.isDone();
		}

		boolean isOld(long now) {
			return isDone() && now - this.endedAt >= MAX_AGE.toNanos();
		}

		Object result() {
			try {
				return this.result.join();
			}
			catch (CompletionException ex) {
				if (ex.getCause() instanceof RuntimeException failure) {
					throw failure;
				}
				throw ex;
			}
		}

	}

}
