package io.locket.observer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.locket.log.QuietWarnings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Composite of all {@link JobObserver}s that keeps their failures away from the engine.
 */
public final class JobObservers {

	private static final Log logger = LogFactory.getLog(JobObservers.class);

	private static final JobObserver[] NONE = {};

	/**
	 * An array, because a loop over a list checks the type of each observer.
	 */
	private final Supplier<JobObserver[]> observers;

	private final QuietWarnings warnings = new QuietWarnings(logger, System::nanoTime);

	/**
	 * Creates a composite that resolves its observers at the first observation.
	 * @param observers the observers, in the order in which observations begin; they end
	 * in the opposite order
	 */
	public JobObservers(Supplier<List<JobObserver>> observers) {
		this.observers = SingletonSupplier.of(() -> observers.get().toArray(NONE));
	}

	/**
	 * Returns a composite without observers.
	 * @return the empty composite
	 */
	public static JobObservers none() {
		return new JobObservers(List::of);
	}

	/**
	 * Begins the observation of a call on this thread that is about to enqueue jobs.
	 * @param call the call
	 * @return the observation of the call
	 */
	public EnqueueObservation enqueuing(EnqueueCall call) {
		List<EnqueueObservation> begun = begin((observer) -> observer.enqueuing(call));
		return begun.isEmpty() ? EnqueueObservation.NONE : new EnqueueObservations(begun);
	}

	/**
	 * Begins the observation of a guarded body that is about to run on this thread.
	 * @param run the run
	 * @return the observation of the run
	 */
	public RunObservation running(JobRun run) {
		List<RunObservation> begun = begin((observer) -> observer.running(run));
		return begun.isEmpty() ? RunObservation.NONE : new RunObservations(begun);
	}

	private <T> List<T> begin(Function<JobObserver, T> beginning) {
		JobObserver[] all = all();
		if (all.length == 0) {
			return List.of();
		}
		List<T> begun = new ArrayList<>(all.length);
		for (JobObserver observer : all) {
			try {
				// The last observation to begin is the first one to end.
				begun.add(0, beginning.apply(observer));
			}
			catch (Throwable ex) {
				warn(observer, ex);
			}
		}
		return begun;
	}

	private JobObserver[] all() {
		try {
			return this.observers.get();
		}
		catch (Throwable ex) {
			this.warnings.warn("all observers",
					"JobObservers are not available yet, so a run or a call is not observed. Do not use jobs"
							+ " before the context has started",
					ex);
			return NONE;
		}
	}

	private <T> void notifyEach(List<T> begun, Consumer<T> notification) {
		for (T one : begun) {
			try {
				notification.accept(one);
			}
			catch (Throwable ex) {
				warn(one, ex);
			}
		}
	}

	/**
	 * Logs a failure. Each run may fail in the same way, so once a minute is enough.
	 */
	private void warn(@Nullable Object observer, Throwable failure) {
		String type = (observer != null) ? observer.getClass().getName() : "that returned null";
		this.warnings.warn(type, "JobObserver " + type + " failed. The job is not affected. Fix the observer", failure);
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
			notifyEach(this.all, (one) -> one.end(outcome, failure));
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
				notifyEach(this.all, RunObservation::leave);
			}
		}

		@Override
		public void end(RunOutcome outcome, @Nullable Throwable failure) {
			if (this.ended.compareAndSet(false, true)) {
				notifyEach(this.all, (one) -> one.end(outcome, failure));
			}
		}

	}

}
