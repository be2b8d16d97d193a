package io.locket.aop;

import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * One question for the admission of a subscription, asked where blocking is allowed.
 * Whoever comes second, answer or cancellation, sees to the release. A cancellation ends
 * a wait.
 */
final class ReactiveAsking implements Runnable {

	private static final Log logger = LogFactory.getLog(ReactiveAsking.class);

	private final Supplier<ReactiveEntry> question;

	private final MonoSink<ReactiveEntry> sink;

	private final boolean waits;

	private boolean cancelled;

	private @Nullable BodyInterrupter interrupter;

	private @Nullable ReactiveEntry answer;

	ReactiveAsking(Supplier<ReactiveEntry> question, MonoSink<ReactiveEntry> sink, boolean waits) {
		this.question = question;
		this.sink = sink;
		this.waits = waits;
	}

	@Override
	public void run() {
		BodyInterrupter own = new BodyInterrupter();
		if (!begin(own)) {
			return;
		}
		try {
			ReactiveEntry entry = ask(own);
			if (this.waits) {
				deliverElsewhere(entry);
			}
			else {
				deliver(entry);
			}
		}
		catch (RuntimeException | LinkageError ex) {
			if (isCancelled()) {
				logger.debug("A call that was cancelled got no lease", ex);
			}
			else {
				this.sink.error(ex);
			}
		}
	}

	/**
	 * Bodies do not run on the threads that wait.
	 */
	private void deliverElsewhere(ReactiveEntry entry) {
		try {
			Schedulers.boundedElastic().schedule(() -> deliver(entry));
		}
		catch (RejectedExecutionException ex) {
			entry.release().subscribe();
			throw ex;
		}
	}

	private void deliver(ReactiveEntry entry) {
		if (answer(entry)) {
			this.sink.success(entry);
		}
		else {
			entry.release().subscribe();
		}
	}

	private ReactiveEntry ask(BodyInterrupter own) {
		try {
			return this.question.get();
		}
		finally {
			own.end();
		}
	}

	private synchronized boolean begin(BodyInterrupter own) {
		this.interrupter = this.waits ? own : null;
		return !this.cancelled;
	}

	private synchronized boolean isCancelled() {
		return this.cancelled;
	}

	private synchronized boolean answer(ReactiveEntry entry) {
		this.answer = entry;
		return !this.cancelled;
	}

	/**
	 * The subscription was cancelled. A sink tells of that only while its value was not
	 * delivered.
	 */
	void cancel() {
		ReactiveEntry entry;
		BodyInterrupter asking;
		synchronized (this) {
			this.cancelled = true;
			entry = this.answer;
			asking = this.interrupter;
		}
		if (entry != null) {
			entry.release().subscribe();
		}
		else if (asking != null) {
			asking.interrupt();
		}
	}

}
