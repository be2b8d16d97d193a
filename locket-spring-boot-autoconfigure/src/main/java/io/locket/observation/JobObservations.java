package io.locket.observation;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.locket.event.EnqueueCall;
import io.locket.event.EnqueueObservation;
import io.locket.event.JobObserver;
import io.locket.event.JobRun;
import io.locket.event.RunObservation;
import io.locket.event.RunOutcome;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Makes Micrometer's observations of calls that enqueue, of waiting and of runs. What the
 * registry's tracing puts into the carrier of an {@link EnqueueObservationContext}
 * travels with the jobs and is in the carriers of their waiting and runs. Thread-safe.
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
	 * Create observations.
	 * @param registry where they are made
	 * @param enqueue names those of calls that enqueue, or {@code null} for the
	 * registry's or the default convention
	 * @param wait names those of waiting, or {@code null}
	 * @param run names those of runs, or {@code null}
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
		Map<String, String> fields = TraceFields.read(run.trace());
		Duration waited = run.waited();
		if (waited != null) {
			JobObservationDocumentation.WAIT
				.observation(this.wait, WAIT, () -> new WaitObservationContext(run, waited, fields), this.registry)
				.start()
				.stop();
		}
		RunObservationContext context = new RunObservationContext(run, fields);
		return new Run(context, ScopedObservation.start(this.registry,
				JobObservationDocumentation.RUN.observation(this.run, RUN, () -> context, this.registry)));
	}

	/**
	 * A call that enqueues.
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
				this.observation.stop(failure);
			}
		}

	}

	/**
	 * A run.
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
			this.observation.stop((failure != null && this.context.getRun().masked())
					? new MaskedFailureException(failure) : failure);
		}

	}

}
