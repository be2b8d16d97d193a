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
final class CachedResult<T> {

	private static final Log logger = LogFactory.getLog(CachedResult.class);

	private final Supplier<T> source;

	private final long maxAge;

	private final LongSupplier ticker;

	private final Lock loading = new ReentrantLock();

	private volatile @Nullable Loaded<T> latest;

	/**
	 * Creates an empty cache.
	 * @param source supplies the result, or throws; called by one thread at a time
	 * @param maxAge the maximum age of a result
	 * @param ticker the monotonic time, in nanoseconds
	 */
	CachedResult(Supplier<T> source, Duration maxAge, LongSupplier ticker) {
		this.source = source;
		this.maxAge = maxAge.toNanos();
		this.ticker = ticker;
	}

	/**
	 * Returns the result.
	 * @return the result, or {@code null} if the supplier failed
	 */
	@Nullable T get() {
		Loaded<T> known = this.latest;
		return (known != null && isFresh(known)) ? known.value() : load();
	}

	private @Nullable T load() {
		this.loading.lock();
		try {
			Loaded<T> known = this.latest;
			if (known == null || !isFresh(known)) {
				// The age counts from the end of the call, which may have timed out.
				known = new Loaded<>(read(), this.ticker.getAsLong());
				this.latest = known;
			}
			return known.value();
		}
		finally {
			this.loading.unlock();
		}
	}

	private @Nullable T read() {
		try {
			return this.source.get();
		}
		catch (RuntimeException ex) {
			logger.debug("Could not read the queues. Their gauges are unknown", ex);
			return null;
		}
	}

	private boolean isFresh(Loaded<T> known) {
		return this.ticker.getAsLong() - known.time() < this.maxAge;
	}

	private record Loaded<T>(@Nullable T value, long time) {

	}

}
