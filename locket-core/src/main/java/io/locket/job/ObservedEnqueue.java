package io.locket.job;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.locket.DuplicateJobException;
import io.locket.log.QuietWarnings;
import io.locket.observer.EnqueueCall;
import io.locket.observer.EnqueueObservation;
import io.locket.observer.JobObservers;
import io.locket.queue.EnqueueResult;
import io.locket.text.Utf8Text;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Observation of enqueuing calls. It notifies the observers and obtains the trace context
 * to store with the jobs. Thread-safe.
 */
final class ObservedEnqueue {

	/**
	 * Maximum number of characters of a stored trace context.
	 */
	static final int MAX_TRACE = 4096;

	private static final Log logger = LogFactory.getLog(ObservedEnqueue.class);

	private final JobObservers observers;

	private final QuietWarnings warnings = new QuietWarnings(logger, System::nanoTime);

	ObservedEnqueue(JobObservers observers) {
		this.observers = observers;
	}

	/**
	 * Enqueues one job.
	 * @param call the call
	 * @param enqueuing the function that enqueues, with the trace context to store
	 * @return the result
	 */
	EnqueueResult one(EnqueueCall call, Function<@Nullable String, EnqueueResult> enqueuing) {
		return observe(call, enqueuing, ObservedEnqueue::outcome);
	}

	/**
	 * Enqueues several jobs.
	 * @param call the call
	 * @param enqueuing the function that enqueues, with the trace context to store with
	 * each
	 * @return the results
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
		if (trace == null) {
			return null;
		}
		if (trace.length() > MAX_TRACE) {
			warn(call, trace.length() + " characters", MAX_TRACE + " is the maximum",
					"Propagate fewer or shorter fields (management.tracing.baggage.remote-fields)");
			return null;
		}
		if (!Utf8Text.isWellFormed(trace)) {
			warn(call, "an unpaired surrogate", "UTF-8 cannot represent it",
					"Do not cut the values of propagated fields inside a code point");
			return null;
		}
		return trace;
	}

	private void warn(EnqueueCall call, String property, String reason, String remedy) {
		String job = (call.job() != null) ? "job " + call.job() : "several jobs";
		this.warnings.warn(job, "The trace context of " + job + " has " + property + " and is not stored, because "
				+ reason + ". The runs start new traces. " + remedy);
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
		if (result instanceof EnqueueResult.Refused) {
			return "refused";
		}
		return (result instanceof EnqueueResult.Replaced) ? "replaced" : "deferred";
	}

}
