package io.locket.metrics;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Cached result of a supplier. It serves all callers until it is too old. A failure is
 * cached in the same way. Only one thread calls the supplier at a time. Concurrent
 * callers wait for its result. Thread-safe.
 *
 * @param <T> the type of the result
 */
final class SharedAnswer<T> {

	private static final Log logger = LogFactory.getLog(SharedAnswer.class);

	private final Supplier<T> source;

	private final long maxAge;

	private final LongSupplier ticker;

	private final Lock loading = new ReentrantLock();

	private volatile @Nullable Given<T> latest;

	/**
	 * Creates an empty cache.
	 * @param source supplies the result, or throws; called by one thread at a time
	 * @param maxAge the maximum age of a result
	 * @param ticker the monotonic time, in nanoseconds
	 */
	SharedAnswer(Supplier<T> source, Duration maxAge, LongSupplier ticker) {
		this.source = source;
		this.maxAge = maxAge.toNanos();
		this.ticker = ticker;
	}

	/**
	 * Returns the result.
	 * @return the result, or {@code null} if the supplier failed
	 */
	@Nullable T get() {
		Given<T> given = this.latest;
		return (given != null && isFresh(given)) ? given.answer() : load();
	}

	private @Nullable T load() {
		this.loading.lock();
		try {
			Given<T> given = this.latest;
			if (given == null || !isFresh(given)) {
				// The age counts from the end of the call, which may have timed out.
				given = new Given<>(answer(), this.ticker.getAsLong());
				this.latest = given;
			}
			return given.answer();
		}
		finally {
			this.loading.unlock();
		}
	}

	private @Nullable T answer() {
		try {
			return this.source.get();
		}
		catch (RuntimeException ex) {
			logger.debug("Could not read the queues. Their gauges are unknown", ex);
			return null;
		}
	}

	private boolean isFresh(Given<T> given) {
		return this.ticker.getAsLong() - given.time() < this.maxAge;
	}

	private record Given<T>(@Nullable T answer, long time) {

	}

}
