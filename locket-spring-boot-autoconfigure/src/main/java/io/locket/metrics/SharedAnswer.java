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
 * An answer that is asked for once and then serves everybody until it is too old, and so
 * is the failure to get one. It is never asked for twice at a time: who comes meanwhile
 * waits for the answer that is under way. Thread-safe.
 *
 * @param <T> the type of the answer
 */
final class SharedAnswer<T> {

	private static final Log logger = LogFactory.getLog(SharedAnswer.class);

	private final Supplier<T> source;

	private final long maxAge;

	private final LongSupplier ticker;

	private final Lock asking = new ReentrantLock();

	private volatile @Nullable Given<T> latest;

	/**
	 * Create an answer that is not there yet.
	 * @param source gives it, or throws; called by one thread at a time
	 * @param maxAge how long it serves
	 * @param ticker the monotonic time, in nanoseconds
	 */
	SharedAnswer(Supplier<T> source, Duration maxAge, LongSupplier ticker) {
		this.source = source;
		this.maxAge = maxAge.toNanos();
		this.ticker = ticker;
	}

	/**
	 * Return the answer.
	 * @return the answer, or {@code null} if there was none
	 */
	@Nullable T get() {
		Given<T> given = this.latest;
		return (given != null && isFresh(given)) ? given.answer() : ask();
	}

	private @Nullable T ask() {
		this.asking.lock();
		try {
			Given<T> given = this.latest;
			if (given == null || !isFresh(given)) {
				// Its age counts from the answer, not from a question that timed out.
				given = new Given<>(answer(), this.ticker.getAsLong());
				this.latest = given;
			}
			return given.answer();
		}
		finally {
			this.asking.unlock();
		}
	}

	private @Nullable T answer() {
		try {
			return this.source.get();
		}
		catch (RuntimeException ex) {
			logger.debug("The queues cannot be looked at: what their meters say is not known", ex);
			return null;
		}
	}

	private boolean isFresh(Given<T> given) {
		return this.ticker.getAsLong() - given.time() < this.maxAge;
	}

	private record Given<T>(@Nullable T answer, long time) {

	}

}
