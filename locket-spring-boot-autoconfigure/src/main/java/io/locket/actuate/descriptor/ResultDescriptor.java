package io.locket.actuate.descriptor;

import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import io.locket.lease.HeldLease;
import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of a write operation, or of the last firing of a schedule.
 *
 * @param result one word in upper case, such as {@code PAUSED}, {@code DONE},
 * {@code REFUSED} or {@code DUPLICATE}
 * @param id the id of the enqueued or replaced job, or {@code null}
 * @param of the id of the conflicting job, or {@code null}
 * @param state the state of that job, or {@code null}
 * @param jobs the number of removed jobs, or {@code null}
 * @param instance the process that held the lease, or {@code null}
 * @param thread its thread, or {@code null}
 * @param kind the kind of the lease, or {@code null}; {@code FOREIGN} for a lock of a
 * plain {@code LockRegistry}, possibly one of the application's own
 * @param reason the reason for which a guard refused the job, or {@code null}
 */
public record ResultDescriptor(String result, @Nullable String id, @Nullable String of, @Nullable JobState state,
		@Nullable Long jobs, @Nullable String instance, @Nullable String thread, @Nullable LeaseKind kind,
		@Nullable String reason) implements OperationResponseBody {

	public static ResultDescriptor of(String result) {
		return new ResultDescriptor(result, null, null, null, null, null, null, null, null);
	}

	public static ResultDescriptor of(Enum<?> result) {
		return of(result.name());
	}

	public static ResultDescriptor removed(long jobs) {
		return new ResultDescriptor("REMOVED", null, null, null, jobs, null, null, null, null);
	}

	public static ResultDescriptor released(HeldLease lease) {
		LeaseHolder holder = lease.holder();
		return new ResultDescriptor("RELEASED", null, null, null, null, holder.instance(), holder.thread(),
				lease.kind(), null);
	}

	public static ResultDescriptor of(EnqueueResult result) {
		if (result instanceof EnqueueResult.Accepted accepted) {
			return enqueued("ACCEPTED", accepted.id());
		}
		if (result instanceof EnqueueResult.Replaced replaced) {
			return enqueued("REPLACED", replaced.id());
		}
		if (result instanceof EnqueueResult.Deferred deferred) {
			return enqueued("DEFERRED", deferred.id());
		}
		if (result instanceof EnqueueResult.Refused refused) {
			return new ResultDescriptor("REFUSED", null, null, null, null, null, null, null, refused.reason());
		}
		EnqueueResult.Duplicate duplicate = (EnqueueResult.Duplicate) result;
		return new ResultDescriptor("DUPLICATE", null, duplicate.of(), duplicate.state(), null, null, null, null, null);
	}

	private static ResultDescriptor enqueued(String result, String id) {
		return new ResultDescriptor(result, id, null, null, null, null, null, null, null);
	}

	/**
	 * Returns the data of an audit event.
	 */
	public Map<String, Object> facts() {
		Map<String, Object> facts = new LinkedHashMap<>();
		facts.put("result", this.result);
		put(facts, "id", this.id);
		put(facts, "of", this.of);
		put(facts, "state", this.state);
		put(facts, "jobs", this.jobs);
		put(facts, "instance", this.instance);
		put(facts, "thread", this.thread);
		put(facts, "kind", this.kind);
		put(facts, "reason", this.reason);
		return facts;
	}

	private static void put(Map<String, Object> facts, String name, @Nullable Object value) {
		if (value != null) {
			facts.put(name, value);
		}
	}

}
