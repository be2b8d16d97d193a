package io.locket.observation;

import java.util.List;

import io.locket.JobContext;
import io.locket.QueuedRun;
import io.locket.observer.JobObserver;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Observer that sets SLF4J's diagnostic context (MDC) to the job, queue, id, key and
 * attempt while a body runs on a thread. It restores previous values afterwards. The key
 * is masked if the job is configured so. Thread-safe.
 */
public class JobMdc implements JobObserver {

	/**
	 * The name of the job.
	 */
	public static final String JOB = "locket.job";

	/**
	 * The queue of a queued job.
	 */
	public static final String QUEUE = "locket.queue";

	/**
	 * The id of a queued job.
	 */
	public static final String ID = "locket.id";

	/**
	 * The readable or masked key.
	 */
	public static final String KEY = "locket.key";

	/**
	 * The number of the attempt of a queued job, from 1.
	 */
	public static final String ATTEMPT = "locket.attempt";

	private static final List<String> NAMES = List.of(JOB, QUEUE, ID, KEY, ATTEMPT);

	@Override
	public RunObservation running(JobRun run) {
		@Nullable String[] values = describe(run.context());
		@Nullable String[] previous = new @Nullable String[values.length];
		for (int i = 0; i < values.length; i++) {
			previous[i] = MDC.get(NAMES.get(i));
			if (previous[i] != null || values[i] != null) {
				put(NAMES.get(i), values[i]);
			}
		}
		return new RunObservation() {

			@Override
			public void leave() {
				for (int i = 0; i < previous.length; i++) {
					if (previous[i] != null || values[i] != null) {
						put(NAMES.get(i), previous[i]);
					}
				}
			}

		};
	}

	/**
	 * Returns the values in the order of the names. Values that a direct call does not
	 * have are {@code null}, so that those of an enclosing run are hidden.
	 */
	private static @Nullable String[] describe(JobContext context) {
		QueuedRun run = context.queuedRun().orElse(null);
		return new @Nullable String[] { context.job(), (run != null) ? run.queue() : null,
				(run != null) ? run.id() : null, context.key().text(),
				(run != null) ? Integer.toString(run.attempt()) : null };
	}

	private static void put(String name, @Nullable String value) {
		if (value != null) {
			MDC.put(name, value);
		}
		else {
			MDC.remove(name);
		}
	}

}
