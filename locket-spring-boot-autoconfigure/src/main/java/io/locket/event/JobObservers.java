package io.locket.event;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Tells all {@link JobObserver}s, and keeps their failures away from the engine.
 */
public final class JobObservers {

	private static final Log logger = LogFactory.getLog(JobObservers.class);

	private final Supplier<List<JobObserver>> observers;

	private final QuietWarnings warnings = new QuietWarnings(logger, System::nanoTime);

	/**
	 * Create an observer of many, which are asked for when there is first something to
	 * observe.
	 * @param observers whom to tell, in this order; ends are told in the opposite one
	 */
	public JobObservers(Supplier<List<JobObserver>> observers) {
		this.observers = SingletonSupplier.of(observers);
	}

	/**
	 * Return an observer of nothing.
	 * @return the observers, none at all
	 */
	public static JobObservers none() {
		return new JobObservers(List::of);
	}

	/**
	 * A call on this thread is about to enqueue jobs.
	 * @param call the call
	 * @return is told of its end
	 */
	public EnqueueObservation enqueuing(EnqueueCall call) {
		List<EnqueueObservation> begun = begin((observer) -> observer.enqueuing(call));
		return begun.isEmpty() ? EnqueueObservation.NONE : new EnqueueObservations(begun);
	}

	/**
	 * A guarded body is about to run on this thread.
	 * @param run the run
	 * @return is told of its end
	 */
	public RunObservation running(JobRun run) {
		List<RunObservation> begun = begin((observer) -> observer.running(run));
		return begun.isEmpty() ? RunObservation.NONE : new RunObservations(begun);
	}

	private <T> List<T> begin(Function<JobObserver, T> beginning) {
		List<JobObserver> all = all();
		if (all.isEmpty()) {
			return List.of();
		}
		List<T> begun = new ArrayList<>(all.size());
		for (JobObserver observer : all) {
			try {
				// The last one to begin is the first one to end.
				begun.add(0, beginning.apply(observer));
			}
			catch (Throwable ex) {
				warn(observer, ex);
			}
		}
		return begun;
	}

	private List<JobObserver> all() {
		try {
			return this.observers.get();
		}
		catch (Throwable ex) {
			this.warnings.warn("all observers",
					"The JobObservers are not there yet: a run or a call goes on without them. Let no bean"
							+ " use jobs before the context has started",
					ex);
			return List.of();
		}
	}

	private <T> void tell(List<T> begun, Consumer<T> news) {
		for (T one : begun) {
			try {
				news.accept(one);
			}
			catch (Throwable ex) {
				warn(one, ex);
			}
		}
	}

	/**
	 * Each run may fail in the same way: once a minute is often enough.
	 */
	private void warn(@Nullable Object observer, Throwable failure) {
		String type = (observer != null) ? observer.getClass().getName() : "a JobObserver that answers null";
		this.warnings.warn(type, "A JobObserver failed; the job is not affected. Mend it: " + type, failure);
	}

	private final class EnqueueObservations implements EnqueueObservation {

		private final List<EnqueueObservation> all;

		private EnqueueObservations(List<EnqueueObservation> all) {
			this.all = all;
		}

		@Override
		public @Nullable String trace() {
			for (EnqueueObservation one : this.all) {
				try {
					String trace = one.trace();
					if (trace != null) {
						return trace;
					}
				}
				catch (Throwable ex) {
					warn(one, ex);
				}
			}
			return null;
		}

		@Override
		public void end(String outcome, @Nullable Throwable failure) {
			tell(this.all, (one) -> one.end(outcome, failure));
		}

	}

	private final class RunObservations implements RunObservation {

		private final List<RunObservation> all;

		private final AtomicBoolean left = new AtomicBoolean();

		private final AtomicBoolean ended = new AtomicBoolean();

		private RunObservations(List<RunObservation> all) {
			this.all = all;
		}

		@Override
		public void leave() {
			if (this.left.compareAndSet(false, true)) {
				tell(this.all, RunObservation::leave);
			}
		}

		@Override
		public void end(RunOutcome outcome, @Nullable Throwable failure) {
			if (this.ended.compareAndSet(false, true)) {
				tell(this.all, (one) -> one.end(outcome, failure));
			}
		}

	}

}
