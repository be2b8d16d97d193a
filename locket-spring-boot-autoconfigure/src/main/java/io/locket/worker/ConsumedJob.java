package io.locket.worker;

import java.lang.reflect.Type;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.locket.JobContext;
import io.locket.LeaseLossCause;
import io.locket.aop.BodyFailure;
import io.locket.aop.QueuedInvocation;
import io.locket.event.JobObservers;
import io.locket.event.RunObservation;
import io.locket.lease.RunLease;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobRecord;
import io.locket.queue.RunEnd;
import io.locket.queue.UnreadableArgumentsException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TakenJob} of a {@link QueueConsumer}.
 */
final class ConsumedJob implements TakenJob {

	private static final Log logger = LogFactory.getLog(ConsumedJob.class);

	private final HeldRun run;

	private final RunLease lease;

	private final ConsumerEnds ends;

	private final ArgumentCodec codec;

	private final JobObservers observers;

	private final JobHandler handler;

	private final Context context;

	private final Consumer<ConsumedJob> onEnd;

	private @Nullable Ending ending;

	private @Nullable RunEnd end;

	private @Nullable Boolean counted;

	private int bodies;

	private boolean recalled;

	/**
	 * Whether the store said with the end of the run that a lease was lost.
	 */
	private boolean told;

	private List<Runnable> lossActions = List.of();

	private volatile @Nullable UnreadableArgumentsException unreadable;

	ConsumedJob(HeldRun run, ConsumerParts parts, Consumer<ConsumedJob> onEnd) {
		this.run = run;
		this.lease = Objects.requireNonNull(run.lease(), "'lease' must not be null");
		this.ends = parts.ends();
		this.codec = parts.codec();
		this.observers = parts.observers();
		this.handler = this.ends.handler(record());
		this.context = new Context(this.handler.job(), record(), this.lease);
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
		QueuedInvocation invocation = new QueuedInvocation(this.handler.job(), this.context,
				this.run.job().keyLeased() ? this.lease : null);
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
	 * What goes on in a stage is part of the run.
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
	 * A body that fails after its lease was lost was told to stop, or runs for nothing.
	 */
	private void end(RunObservation observation, @Nullable Throwable failure) {
		Throwable cause = BodyFailure.causeOf(failure);
		observation.end(BodyFailure.outcome(cause, isLost()), cause);
	}

	private synchronized void begin() {
		this.context.ensureLease();
		if (this.ending != null) {
			throw new IllegalStateException("Job " + record().id() + " was ended before its body has started");
		}
		this.bodies++;
	}

	private synchronized void leave() {
		this.bodies--;
	}

	@Override
	public boolean isLost() {
		return this.context.isLeaseLost();
	}

	private synchronized boolean isTakenAway() {
		return this.recalled || this.told;
	}

	@Override
	public void onLost(Runnable action) {
		AtomicBoolean done = new AtomicBoolean();
		Runnable once = () -> {
			if (done.compareAndSet(false, true)) {
				action.run();
			}
		};
		this.lease.onLost(once);
		synchronized (this) {
			if (!this.recalled && !this.told) {
				List<Runnable> actions = new ArrayList<>(this.lossActions);
				actions.add(once);
				this.lossActions = actions;
				return;
			}
		}
		runSafely(once);
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
	public boolean giveBack() {
		return end(Ending.GIVEN_BACK, () -> RunEnd.returned(this.run.job()));
	}

	private boolean end(Ending how, Supplier<RunEnd> made) {
		RunEnd told;
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
			told = Objects.requireNonNull(this.end, "'end' must not be null");
		}
		try {
			boolean answer = this.ends.end(this.run, told).counted();
			synchronized (this) {
				this.counted = answer;
			}
			if (!answer && how != Ending.GIVEN_BACK) {
				tellLoss();
			}
			return answer;
		}
		finally {
			this.onEnd.accept(this);
		}
	}

	HeldRun run() {
		return this.run;
	}

	/**
	 * Take the job away from whoever took it, unless it was ended or its body runs, and
	 * tell that as a loss.
	 * @return whether it is to be given back now
	 */
	boolean recall() {
		List<Runnable> actions;
		synchronized (this) {
			if (this.ending != null || this.bodies > 0) {
				return false;
			}
			this.ending = Ending.GIVEN_BACK;
			this.recalled = true;
			actions = this.lossActions;
			this.lossActions = List.of();
		}
		actions.forEach(ConsumedJob::runSafely);
		return true;
	}

	private void tellLoss() {
		List<Runnable> actions;
		synchronized (this) {
			this.told = true;
			actions = this.lossActions;
			this.lossActions = List.of();
		}
		actions.forEach(ConsumedJob::runSafely);
	}

	private static void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			logger.warn("An action on the loss of a taken job failed: mend it. The others are told", ex);
		}
	}

	@Override
	public String toString() {
		return record().toString();
	}

	/**
	 * Tells also that the job was taken away.
	 */
	private final class Context extends QueuedJobContext {

		Context(String job, JobRecord record, RunLease lease) {
			super(job, record, lease);
		}

		@Override
		public @Nullable LeaseLossCause lossCause() {
			LeaseLossCause cause = super.lossCause();
			return (cause == null && isTakenAway()) ? LeaseLossCause.GONE : cause;
		}

		@Override
		public void onLeaseLost(Runnable action) {
			onLost(action);
		}

	}

	/**
	 * How it was ended.
	 */
	private enum Ending {

		SUCCEEDED, FAILED, GIVEN_BACK

	}

}
