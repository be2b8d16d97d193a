package io.locket.aop;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.JobKey;
import io.locket.aop.call.Admission;
import io.locket.aop.call.Releases;
import io.locket.aop.call.SharedLease;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Admission of one subscription. It is also in the Reactor context of the body, so that
 * inner pipelines of the same key run inside its lease. It releases the lease once, even
 * if it is released several times.
 */
final class ReactiveEntry {

	private final Admission admission;

	private final boolean nested;

	private final @Nullable ReactiveEntry enclosing;

	private final AtomicReference<State> state = new AtomicReference<>(State.ADMITTED);

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
	 * Creates the entry of a body that runs inside another one of its key.
	 * @param lease the lease of the other body, one of whose users is the caller
	 * @param enclosing the entry of the enclosing pipeline, or {@code null}
	 * @param releases the executor of the release
	 * @return the entry
	 */
	static ReactiveEntry nested(SharedLease lease, @Nullable ReactiveEntry enclosing, Executor releases) {
		return new ReactiveEntry(new Admission.Admitted(lease), true, enclosing, releases);
	}

	/**
	 * Returns whether the body runs inside another one of its key.
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
	 * Begins the body, unless the lease is released because of a cancellation.
	 * @return {@code false} if the body must not run
	 */
	boolean begin() {
		return this.state.compareAndSet(State.ADMITTED, State.BEGUN) || this.state.get() == State.BEGUN;
	}

	/**
	 * Registers a user of the lease that this pipeline has of a key.
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
	 * Releases the lease, if there is one, after the subscriber's transaction has
	 * completed or at once if there is none. The claim of a period does not wait for a
	 * transaction. It is released if the body has not begun.
	 * @return ends when the release was attempted or left to the transaction
	 */
	Mono<Void> release() {
		SharedLease lease = lease();
		if (lease == null) {
			return Mono.empty();
		}
		return lease.isClaim() ? releaseAtOnce() : ReactiveTransactionEnd.afterwards(releaseAtOnce());
	}

	/**
	 * Releases the lease at once. Subsequent steps do not wait for a slow release and do
	 * not run on the timer's thread.
	 */
	private Mono<Void> releaseAtOnce() {
		return Mono
			.<Boolean>create((sink) -> Releases.run(this.releases, this::releaseNow)
				.whenComplete((tried, failure) -> sink.success(tried)))
			.flatMap((tried) -> tried ? Mono.<Void>empty()
					: Mono.<Void>empty().subscribeOn(Schedulers.boundedElastic()));
	}

	private void releaseNow() {
		SharedLease lease = lease();
		State before = this.state.getAndSet(State.RELEASED);
		if (lease == null || before == State.RELEASED) {
			return;
		}
		if (before == State.ADMITTED && !this.nested) {
			lease.abandon();
		}
		else {
			lease.release();
		}
	}

	/**
	 * State of a subscription.
	 */
	private enum State {

		ADMITTED, BEGUN, RELEASED

	}

}
