package io.locket.actuate.descriptor;

import java.util.LinkedHashMap;
import java.util.Map;

import io.locket.job.administration.UpdateStep;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Outcome of a write to many jobs, of which one request takes a bounded number.
 *
 * @param matched the number of jobs of this request that match the filter
 * @param done the number of changed jobs
 * @param flagged the number of running jobs that were flagged as cancelled
 * @param refused the number of jobs left unchanged, because they had changed in the
 * meantime or another job had their key
 * @param cursor the start of the next request, or {@code null} if there are no more jobs
 */
public record BatchDescriptor(long matched, long done, long flagged, long refused,
		@Nullable String cursor) implements OperationResponseBody {

	public static BatchDescriptor of(UpdateStep step) {
		return new BatchDescriptor(step.matched(), step.done(), step.flagged(), step.refused(),
				PageCursor.write(step.cursor()));
	}

	/**
	 * Returns the numbers, for an audit event.
	 */
	public Map<String, Object> facts() {
		Map<String, Object> facts = new LinkedHashMap<>();
		facts.put("matched", this.matched);
		facts.put("done", this.done);
		facts.put("flagged", this.flagged);
		facts.put("refused", this.refused);
		return facts;
	}

}
