package io.locket.job;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.locket.DuplicateJobException;
import io.locket.event.EnqueueCall;
import io.locket.event.EnqueueObservation;
import io.locket.event.JobObservers;
import io.locket.event.QuietWarnings;
import io.locket.queue.EnqueueResult;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells observers of calls that enqueue, and takes from them what is to be stored with
 * the jobs. Thread-safe.
 */
final class ObservedEnqueue {

	/**
	 * How many characters are stored with a job.
	 */
	static final int MAX_TRACE = 4096;

	private static final Log logger = LogFactory.getLog(ObservedEnqueue.class);

	private final JobObservers observers;

	private final QuietWarnings warnings = new QuietWarnings(logger, System::nanoTime);

	ObservedEnqueue(JobObservers observers) {
		this.observers = observers;
	}

	/**
	 * Enqueue one job.
	 * @param call the call
	 * @param enqueuing enqueues with what is to be stored with the job
	 * @return what became of it
	 */
	EnqueueResult one(EnqueueCall call, Function<@Nullable String, EnqueueResult> enqueuing) {
		return observe(call, enqueuing, ObservedEnqueue::outcome);
	}

	/**
	 * Enqueue several jobs.
	 * @param call the call
	 * @param enqueuing enqueues with what is to be stored with each of the jobs
	 * @return what became of them
	 */
	List<EnqueueResult> many(EnqueueCall call, Function<@Nullable String, List<EnqueueResult>> enqueuing) {
		return observe(call, enqueuing, ObservedEnqueue::outcome);
	}

	private <T> T observe(EnqueueCall call, Function<@Nullable String, T> enqueuing, Function<T, String> outcome) {
		EnqueueObservation observation = this.observers.enqueuing(call);
		T result;
		try {
			result = enqueuing.apply(trace(call, observation));
		}
		catch (DuplicateJobException ex) {
			observation.end("duplicate", ex);
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			observation.end("failed", ex);
			throw ex;
		}
		observation.end(outcome.apply(result), null);
		return result;
	}

	private @Nullable String trace(EnqueueCall call, EnqueueObservation observation) {
		String trace = observation.trace();
		if (trace == null || trace.length() <= MAX_TRACE) {
			return trace;
		}
		String job = (call.job() != null) ? "job " + call.job() : "several jobs";
		this.warnings.warn(job,
				"The trace of " + job + " has " + trace.length() + " characters and is not stored, since " + MAX_TRACE
						+ " are the most: the runs begin traces of their own. Propagate fewer or shorter fields"
						+ " (management.tracing.baggage.remote-fields)");
		return null;
	}

	private static String outcome(List<EnqueueResult> results) {
		Set<String> outcomes = results.stream().map(ObservedEnqueue::outcome).collect(Collectors.toSet());
		return (outcomes.size() == 1) ? outcomes.iterator().next() : "mixed";
	}

	private static String outcome(EnqueueResult result) {
		if (result instanceof EnqueueResult.Accepted) {
			return "accepted";
		}
		if (result instanceof EnqueueResult.Duplicate) {
			return "duplicate";
		}
		return (result instanceof EnqueueResult.Replaced) ? "replaced" : "deferred";
	}

}
