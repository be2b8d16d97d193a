package io.locket.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.observer.EnqueueCall;
import io.locket.observer.EnqueueObservation;
import io.locket.observer.JobObserver;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import io.locket.observer.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * {@link JobObserver} that records its notifications and stores a trace with jobs.
 */
public class RecordingJobObserver implements JobObserver {

	/**
	 * The notifications, in order.
	 */
	public final List<String> told = new CopyOnWriteArrayList<>();

	/**
	 * The runs.
	 */
	public final List<JobRun> runs = new CopyOnWriteArrayList<>();

	/**
	 * The calls that enqueue.
	 */
	public final List<EnqueueCall> calls = new CopyOnWriteArrayList<>();

	/**
	 * The trace to store with jobs.
	 */
	public volatile @Nullable String trace;

	@Override
	public EnqueueObservation enqueuing(EnqueueCall call) {
		this.calls.add(call);
		return new EnqueueObservation() {

			@Override
			public @Nullable String trace() {
				return RecordingJobObserver.this.trace;
			}

			@Override
			public void end(String outcome, @Nullable Throwable failure) {
				tell(outcome, failure);
			}

		};
	}

	@Override
	public RunObservation running(JobRun run) {
		this.runs.add(run);
		Thread thread = Thread.currentThread();
		tell("begin " + run.context().job(), null);
		return new RunObservation() {

			@Override
			public void leave() {
				tell((Thread.currentThread() == thread) ? "leave" : "leave on another thread", null);
			}

			@Override
			public void end(RunOutcome outcome, @Nullable Throwable failure) {
				tell("end " + outcome, failure);
			}

		};
	}

	private void tell(String what, @Nullable Throwable failure) {
		this.told.add((failure != null) ? what + " " + failure.getClass().getSimpleName() : what);
	}

}
