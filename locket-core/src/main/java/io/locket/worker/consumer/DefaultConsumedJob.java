package io.locket.worker.consumer;

import java.lang.reflect.Type;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.locket.JobContext;
import io.locket.LeaseLossCause;
import io.locket.aop.QueuedInvocation;
import io.locket.aop.call.BodyFailure;
import io.locket.lease.heartbeat.RunLease;
import io.locket.observer.JobObservers;
import io.locket.observer.RunObservation;
import io.locket.queue.JobRecord;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.run.HeldRun;
import io.locket.worker.run.JobHandler;
import io.locket.worker.run.QueuedJobContext;
import org.jspecify.annotations.Nullable;

/**
 * {@link ConsumedJob} of a {@link QueueConsumer}.
 */
final class DefaultConsumedJob implements ConsumedJob {

	private final HeldRun run;

	private final ConsumerEnds ends;

	private final ArgumentCodec codec;

	private final JobObservers observers;

	private final JobHandler handler;

	private final ConsumedJobLoss loss;

	private final Context context;

	private final Consumer<DefaultConsumedJob> onEnd;

	private @Nullable Ending ending;

	private @Nullable RunEnd end;

	private @Nullable Boolean counted;

	private int bodies;

	private boolean recalled;

	private volatile @Nullable UnreadableArgumentsException unreadable;

	DefaultConsumedJob(HeldRun run, ConsumerParts parts, Consumer<DefaultConsumedJob> onEnd) {
		this.run = run;
		this.ends = parts.ends();
		this.codec = parts.codec();
		this.observers = parts.observers();
		this.handler = this.ends.handler(record());
		RunLease lease = run.bodyLease();
		this.loss = new ConsumedJobLoss(lease, this.handler.maskArguments());
		this.context = new Context(this.handler.job(), record(), lease);
		this.onEnd = onEnd;
	}

	@Override
	public JobRecord record() {
		return this.run.job().record();
	}

	@Override
	public @Nullable Object[] arguments() {
		return read(() -> this.handler.arguments(record()));
	}

	@Override
	public @Nullable Object[] argumentsAs(Type... types) {
		return read(() -> this.codec.read(List.of(types), record().arguments()));
	}

	private @Nullable Object[] read(Supplier<@Nullable Object[]> reading) {
		try {
			return reading.get();
		}
		catch (UnreadableArgumentsException ex) {
			this.unreadable = ex;
			throw ex;
		}
	}

	@Override
	public JobContext context() {
		return this.context;
	}

	@Override
	public <T> @Nullable T call(Callable<? extends @Nullable T> body) throws Exception {
		begin();
		try {
			return callObserved(body);
		}
		finally {
			leave();
		}
	}

	private <T> @Nullable T callObserved(Callable<? extends @Nullable T> body) throws Exception {
		RunObservation observation = this.observers
			.running(this.context.observed(record(), this.handler.maskArguments()));
		try {
			T result = callInside(body);
			observation.leave();
			endWith(observation, result);
			return result;
		}
		catch (Throwable ex) {
			observation.leave();
			end(observation, ex);
			throw ex;
		}
	}

	private <T> @Nullable T callInside(Callable<? extends @Nullable T> body) throws Exception {
		AtomicReference<@Nullable T> result = new AtomicReference<>();
		QueuedInvocation invocation = new QueuedInvocation(this.handler.job(), this.context, this.run.keyLease(),
				record().key(), () -> this.handler.arguments(record()));
		try {
			invocation.run(() -> result.set(body.call()));
			return result.get();
		}
		catch (Exception | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new UndeclaredThrowableException(ex);
		}
	}

	/**
	 * Ends the observation, for a stage when it completes.
	 */
	private void endWith(RunObservation observation, @Nullable Object result) {
		if (result instanceof CompletionStage<?> stage) {
			stage.whenComplete((value, failure) -> end(observation, failure));
		}
		else {
			end(observation, null);
		}
	}

	/**
	 * Ends the observation. A body that fails after its lease was lost is not a failure:
	 * it was notified to stop, or its outcome does not count.
	 */
	private void end(RunObservation observation, @Nullable Throwable failure) {
		Throwable cause = BodyFailure.causeOf(failure);
		observation.end(BodyFailure.outcome(cause, isLost()), cause);
	}

	private synchronized void begin() {
		if (this.ending != null && !isLost()) {
			throw new IllegalStateException("Job " + record().id() + " was ended before its body has started");
		}
		this.context.ensureLease();
		this.bodies++;
	}

	private synchronized void leave() {
		this.bodies--;
	}

	@Override
	public boolean isLost() {
		return this.context.isLeaseLost();
	}

	@Override
	public void onLost(Runnable action) {
		this.loss.onLost(action);
	}

	@Override
	public boolean succeed() {
		return end(Ending.SUCCEEDED, () -> RunEnd.succeeded(this.run.job()));
	}

	@Override
	public boolean fail(Throwable failure) {
		Objects.requireNonNull(failure, "'failure' must not be null");
		UnreadableArgumentsException reason = this.unreadable;
		return end(Ending.FAILED,
				() -> this.ends.failed(this.run.job(), (attempt) -> (reason != null && reason == failure)
						? attempt.unreadable(reason) : attempt.failed(failure)));
	}

	@Override
	public boolean returnToQueue() {
		return end(Ending.RETURNED, () -> RunEnd.returned(this.run.job()));
	}

	private boolean end(Ending how, Supplier<RunEnd> made) {
		RunEnd settled;
		synchronized (this) {
			if (this.ending == null) {
				this.end = made.get();
				this.ending = how;
			}
			else if (this.ending != how || this.recalled) {
				return false;
			}
			else if (this.counted != null) {
				return this.counted;
			}
			settled = Objects.requireNonNull(this.end, "'end' must not be null");
		}
		try {
			boolean counts = this.ends.end(this.run, settled).counted();
			synchronized (this) {
				this.counted = counts;
			}
			if (!counts && how != Ending.RETURNED) {
				this.loss.takeAway().run();
			}
			return counts;
		}
		finally {
			this.onEnd.accept(this);
		}
	}

	HeldRun run() {
		return this.run;
	}

	/**
	 * Takes the job away from its taker, unless it was ended or its body runs, and runs
	 * the loss actions.
	 * @return whether it is to be returned to its queue now
	 */
	boolean recall() {
		Runnable actions;
		synchronized (this) {
			if (this.ending != null || this.bodies > 0) {
				return false;
			}
			this.ending = Ending.RETURNED;
			this.recalled = true;
			actions = this.loss.takeAway();
		}
		actions.run();
		return true;
	}

	/**
	 * Removes this job from those that its consumer has taken.
	 */
	void leaveConsumer() {
		this.onEnd.accept(this);
	}

	@Override
	public String toString() {
		return record().toString();
	}

	/**
	 * Context that also reports a job that was taken away as lost.
	 */
	private final class Context extends QueuedJobContext {

		Context(String job, JobRecord record, RunLease lease) {
			super(job, record, lease);
		}

		@Override
		public @Nullable LeaseLossCause lossCause() {
			LeaseLossCause cause = super.lossCause();
			return (cause == null && DefaultConsumedJob.this.loss.isTakenAway()) ? LeaseLossCause.GONE : cause;
		}

		@Override
		public void onLeaseLost(Runnable action) {
			onLost(action);
		}

	}

	/**
	 * Kind of end.
	 */
	private enum Ending {

		SUCCEEDED, FAILED, RETURNED

	}

}
