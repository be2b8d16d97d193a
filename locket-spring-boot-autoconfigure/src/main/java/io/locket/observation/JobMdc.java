package io.locket.observation;

import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.JobContext;
import io.locket.QueuedRun;
import io.locket.event.JobObserver;
import io.locket.event.JobRun;
import io.locket.event.RunObservation;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Tells the log which job runs: while a body has its thread, SLF4J's diagnostic context
 * of that thread has its job, queue, id, key and attempt. What was there before is there
 * again afterwards. The key is masked if the job asks for that. Thread-safe.
 */
public class JobMdc implements JobObserver {

	/**
	 * The name of the job.
	 */
	public static final String JOB = "locket.job";

	/**
	 * The queue that a queued job came from.
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

	@Override
	public RunObservation running(JobRun run) {
		Map<String, @Nullable String> previous = new LinkedHashMap<>();
		describe(run.context()).forEach((name, value) -> {
			previous.put(name, MDC.get(name));
			put(name, value);
		});
		return new RunObservation() {

			@Override
			public void leave() {
				previous.forEach(JobMdc::put);
			}

		};
	}

	/**
	 * What a direct call does not have is taken away, so that it is not that of a run
	 * around it.
	 */
	private static Map<String, @Nullable String> describe(JobContext context) {
		QueuedRun run = context.queuedRun().orElse(null);
		Map<String, @Nullable String> values = new LinkedHashMap<>();
		values.put(JOB, context.job());
		values.put(QUEUE, (run != null) ? run.queue() : null);
		values.put(ID, (run != null) ? run.id() : null);
		values.put(KEY, context.key().text());
		values.put(ATTEMPT, (run != null) ? Integer.toString(run.attempt()) : null);
		return values;
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
