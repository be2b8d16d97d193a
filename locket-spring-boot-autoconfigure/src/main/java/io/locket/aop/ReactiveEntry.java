package io.locket.aop;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The admission of one subscription. It is also in the Reactor context of the body, so
 * that inner pipelines of the same key run inside its lease. Released once, however often
 * that is asked for.
 */
final class ReactiveEntry {

	private final Admission admission;

	private final boolean nested;

	private final @Nullable ReactiveEntry enclosing;

	private final AtomicBoolean released = new AtomicBoolean();

	private final Executor releases;

	ReactiveEntry(Admission admission, @Nullable ReactiveEntry enclosing, Executor releases) {
		this(admission, false, enclosing, releases);
	}

	private ReactiveEntry(Admission admission, boolean nested, @Nullable ReactiveEntry enclosing, Executor releases) {
		this.admission = admission;
		this.nested = nested;
		this.enclosing = enclosing;
		this.releases = releases;
	}

	/**
	 * Enter a body that runs inside another one of its key.
	 * @param lease the lease of that, of which the caller is a user
	 * @param enclosing the entry of the pipeline around it, or {@code null}
	 * @param releases runs the release
	 * @return the entry
	 */
	static ReactiveEntry nested(SharedLease lease, @Nullable ReactiveEntry enclosing, Executor releases) {
		return new ReactiveEntry(new Admission.Admitted(lease), true, enclosing, releases);
	}

	/**
	 * Return whether the body runs inside another one of its key.
	 * @return {@code true} if it takes no lease of its own
	 */
	boolean isNested() {
		return this.nested;
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
	 * Release the lease, if there is one: after the subscriber's transaction has
	 * completed, at once if there is none. The claim of a period does not wait.
	 * @return ends when that was tried, or is left to the transaction
	 */
	Mono<Void> release() {
		SharedLease lease = lease();
		if (lease == null) {
			return Mono.empty();
		}
		return lease.isPeriod() ? releaseAtOnce() : ReactiveTransactionEnd.afterwards(releaseAtOnce());
	}

	private Mono<Void> releaseAtOnce() {
		return Mono.create((sink) -> {
			try {
				this.releases.execute(() -> {
					releaseNow();
					sink.success();
				});
			}
			catch (RejectedExecutionException ex) {
				// The context is closed: nobody else is left to release it.
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

}
