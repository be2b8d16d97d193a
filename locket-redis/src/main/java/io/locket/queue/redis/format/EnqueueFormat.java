package io.locket.queue.redis.format;

import java.util.List;

import io.locket.queue.EnqueueResult;

/**
 * Decoder of the results in the replies of the scripts that enqueue jobs.
 */
public final class EnqueueFormat {

	private EnqueueFormat() {
	}

	public static List<EnqueueResult> read(Object results) {
		return ((List<?>) results).stream().map((result) -> result((List<?>) result)).toList();
	}

	public static EnqueueResult result(List<?> result) {
		String id = result.get(1).toString();
		return switch (result.get(0).toString()) {
			case "accepted" -> new EnqueueResult.Accepted(id);
			case "replaced" -> new EnqueueResult.Replaced(id);
			default -> new EnqueueResult.Duplicate(id.isEmpty() ? null : id,
					RecordFormat.knownState(result.get(2).toString()));
		};
	}

}
