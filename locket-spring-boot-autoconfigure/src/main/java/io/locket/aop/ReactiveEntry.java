package io.locket.aop;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * The admission of one subscription. It is also in the Reactor context of the body, so
 * that inner pipelines of the same key run inside its lease. Released once, however often
 * that is asked for.
 */
final class ReactiveEntry {

	private final Admission admission;

	private final @Nullable ReactiveEntry enclosing;

	private final AtomicBoolean released = new AtomicBoolean();

	ReactiveEntry(Admission admission, @Nullable ReactiveEntry enclosing) {
		this.admission = admission;
		this.enclosing = enclosing;
	}

	/**
	 * Ask for an admission where blocking is allowed. An admission that comes after the
	 * subscription was cancelled is released at once.
	 * @param gate asks
	 * @param enclosing the entry of the subscriber's pipeline
	 * @return the entry
	 */
	static Mono<ReactiveEntry> ask(Supplier<Admission> gate, @Nullable ReactiveEntry enclosing) {
		return Mono.create((sink) -> {
			Asking asking = new Asking(gate, enclosing, sink);
			sink.onCancel(asking::cancel);
			Schedulers.boundedElastic().schedule(asking);
		});
	}

	Admission admission() {
		return this.admission;
	}

	@Nullable SharedLease lease() {
		return (this.admission instanceof Admission.Admitted admitted) ? admitted.lease() : null;
	}

	/**
	 * Become a user of the lease that this pipeline has of a key.
	 * @param key the key
	 * @return the lease, or {@code null} if there is none that holds
	 */
	@Nullable SharedLease retain(JobKey key) {
		for (ReactiveEntry entry = this; entry != null; entry = entry.enclosing) {
			SharedLease lease = entry.lease();
			if (lease != null && lease.lease().key().equals(key) && lease.retain()) {
				return lease;
			}
		}
		return null;
	}

	/**
	 * Release the lease, if there is one.
	 * @return ends when that was tried
	 */
	Mono<Void> release() {
		return (lease() == null) ? Mono.empty() : Mono.create((sink) -> {
			try {
				Schedulers.boundedElastic().schedule(() -> {
					releaseNow();
					sink.success();
				});
			}
			catch (RejectedExecutionException ex) {
				// The scheduler is disposed: nobody else is left to release it.
				releaseNow();
				sink.success();
			}
		});
	}

	private void releaseNow() {
		SharedLease lease = lease();
		if (lease != null && this.released.compareAndSet(false, true)) {
			lease.release();
		}
	}

	/**
	 * One question to the gate. Whoever comes second, answer or cancellation, sees to the
	 * release.
	 */
	private static final class Asking implements Runnable {

		private final Supplier<Admission> gate;

		private final @Nullable ReactiveEntry enclosing;

		private final MonoSink<ReactiveEntry> sink;

		private boolean cancelled;

		private @Nullable ReactiveEntry answer;

		private Asking(Supplier<Admission> gate, @Nullable ReactiveEntry enclosing, MonoSink<ReactiveEntry> sink) {
			this.gate = gate;
			this.enclosing = enclosing;
			this.sink = sink;
		}

		@Override
		public void run() {
			if (isCancelled()) {
				return;
			}
			try {
				ReactiveEntry entry = new ReactiveEntry(this.gate.get(), this.enclosing);
				if (answer(entry)) {
					this.sink.success(entry);
				}
				else {
					entry.releaseNow();
				}
			}
			catch (RuntimeException | LinkageError ex) {
				this.sink.error(ex);
			}
		}

		private synchronized boolean isCancelled() {
			return this.cancelled;
		}

		private synchronized boolean answer(ReactiveEntry entry) {
			this.answer = entry;
			return !this.cancelled;
		}

		/**
		 * A sink tells of a cancellation only while its value was not delivered.
		 */
		private void cancel() {
			ReactiveEntry entry;
			synchronized (this) {
				this.cancelled = true;
				entry = this.answer;
			}
			if (entry != null) {
				entry.release().subscribe();
			}
		}

	}

}
