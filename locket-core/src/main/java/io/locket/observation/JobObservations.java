package io.locket.observation;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.locket.log.MaskedFailureException;
import io.locket.observer.EnqueueCall;
import io.locket.observer.EnqueueObservation;
import io.locket.observer.JobObserver;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import io.locket.observer.RunOutcome;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observer that creates Micrometer observations of enqueuing, waiting and runs. The
 * fields that tracing puts into the carrier of an {@link EnqueueObservationContext} are
 * stored with the jobs. The carriers of their waiting and runs have the same fields.
 * Thread-safe.
 */
public class JobObservations implements JobObserver {

	private static final EnqueueObservationConvention ENQUEUE = new DefaultEnqueueObservationConvention();

	private static final WaitObservationConvention WAIT = new DefaultWaitObservationConvention();

	private static final RunObservationConvention RUN = new DefaultRunObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable EnqueueObservationConvention enqueue;

	private final @Nullable WaitObservationConvention wait;

	private final @Nullable RunObservationConvention run;

	/**
	 * Creates an observer.
	 * @param registry the registry of the observations
	 * @param enqueue the convention for enqueuing, or {@code null} for that of the
	 * registry or the default
	 * @param wait the convention for waiting, or {@code null}
	 * @param run the convention for runs, or {@code null}
	 */
	public JobObservations(ObservationRegistry registry, @Nullable EnqueueObservationConvention enqueue,
			@Nullable WaitObservationConvention wait, @Nullable RunObservationConvention run) {
		this.registry = Objects.requireNonNull(registry, "'registry' must not be null");
		this.enqueue = enqueue;
		this.wait = wait;
		this.run = run;
	}

	@Override
	public EnqueueObservation enqueuing(EnqueueCall call) {
		EnqueueObservationContext context = new EnqueueObservationContext(call);
		return new Enqueue(context, ScopedObservation.start(this.registry,
				JobObservationDocumentation.ENQUEUE.observation(this.enqueue, ENQUEUE, () -> context, this.registry)));
	}

	@Override
	public RunObservation running(JobRun run) {
		if (this.registry.isNoop()) {
			return RunObservation.NONE;
		}
		Map<String, String> fields = TraceFields.read(run.trace());
		RunKeyValues keyValues = new RunKeyValues(run);
		Duration waited = run.waited();
		if (waited != null) {
			JobObservationDocumentation.WAIT
				.observation(this.wait, WAIT, () -> new WaitObservationContext(run, waited, fields, keyValues),
						this.registry)
				.start()
				.stop();
		}
		RunObservationContext context = new RunObservationContext(run, fields, keyValues);
		return new Run(context, ScopedObservation.start(this.registry,
				JobObservationDocumentation.RUN.observation(this.run, RUN, () -> context, this.registry)));
	}

	private static @Nullable Throwable visible(@Nullable Throwable failure, boolean masked) {
		return (failure != null) ? MaskedFailureException.of(failure, masked) : null;
	}

	/**
	 * The observation of a call that enqueues.
	 *
	 * @param context its context
	 * @param observation its observation
	 */
	private record Enqueue(EnqueueObservationContext context,
			ScopedObservation observation) implements EnqueueObservation {

		@Override
		public @Nullable String trace() {
			return TraceFields.write(this.context.getCarrier());
		}

		@Override
		public void end(String outcome, @Nullable Throwable failure) {
			this.context.setOutcome(outcome);
			try {
				this.observation.leave();
			}
			finally {
				this.observation.stop(visible(failure, this.context.getCall().masked()));
			}
		}

	}

	/**
	 * The observation of a run.
	 *
	 * @param context its context
	 * @param observation its observation
	 */
	private record Run(RunObservationContext context, ScopedObservation observation) implements RunObservation {

		@Override
		public void leave() {
			this.observation.leave();
		}

		@Override
		public void end(RunOutcome outcome, @Nullable Throwable failure) {
			this.context.setOutcome(outcome);
			this.observation.stop(visible(failure, this.context.getRun().masked()));
		}

	}

}
