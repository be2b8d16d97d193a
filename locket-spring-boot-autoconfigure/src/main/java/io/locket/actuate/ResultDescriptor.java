package io.locket.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What came of a write, or of the last firing of a schedule.
 *
 * @param result one word in upper case, such as {@code PAUSED}, {@code DONE},
 * {@code REFUSED} or {@code DUPLICATE}
 * @param id the id of the job that is there now, or {@code null}
 * @param of the id of the job that was in the way, or {@code null}
 * @param state the state of that job, or {@code null}
 * @param jobs how many jobs were removed, or {@code null}
 * @param instance the process that held the lease, or {@code null}
 * @param thread its thread, or {@code null}
 */
public record ResultDescriptor(String result, @Nullable String id, @Nullable String of, @Nullable JobState state,
		@Nullable Long jobs, @Nullable String instance, @Nullable String thread) implements OperationResponseBody {

	static ResultDescriptor of(String result) {
		return new ResultDescriptor(result, null, null, null, null, null, null);
	}

	static ResultDescriptor of(Enum<?> result) {
		return of(result.name());
	}

	static ResultDescriptor removed(long jobs) {
		return new ResultDescriptor("REMOVED", null, null, null, jobs, null, null);
	}

	static ResultDescriptor released(LeaseHolder holder) {
		return new ResultDescriptor("RELEASED", null, null, null, null, holder.instance(), holder.thread());
	}

	static ResultDescriptor of(EnqueueResult result) {
		if (result instanceof EnqueueResult.Accepted accepted) {
			return enqueued("ACCEPTED", accepted.id());
		}
		if (result instanceof EnqueueResult.Replaced replaced) {
			return enqueued("REPLACED", replaced.id());
		}
		if (result instanceof EnqueueResult.Deferred deferred) {
			return enqueued("DEFERRED", deferred.id());
		}
		EnqueueResult.Duplicate duplicate = (EnqueueResult.Duplicate) result;
		return new ResultDescriptor("DUPLICATE", null, duplicate.of(), duplicate.state(), null, null, null);
	}

	private static ResultDescriptor enqueued(String result, String id) {
		return new ResultDescriptor(result, id, null, null, null, null, null);
	}

	/**
	 * Return what there is to tell, for an audit event.
	 */
	Map<String, Object> facts() {
		Map<String, Object> facts = new LinkedHashMap<>();
		facts.put("result", this.result);
		put(facts, "id", this.id);
		put(facts, "of", this.of);
		put(facts, "state", this.state);
		put(facts, "jobs", this.jobs);
		put(facts, "instance", this.instance);
		put(facts, "thread", this.thread);
		return facts;
	}

	private static void put(Map<String, Object> facts, String name, @Nullable Object value) {
		if (value != null) {
			facts.put(name, value);
		}
	}

}
