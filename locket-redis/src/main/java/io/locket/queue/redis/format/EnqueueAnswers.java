package io.locket.queue.redis.format;

import java.util.List;

import io.locket.queue.EnqueueResult;

/**
 * Reader of the answers of the scripts that enqueue jobs.
 */
public final class EnqueueAnswers {

	private EnqueueAnswers() {
	}

	public static List<EnqueueResult> read(Object answers) {
		return ((List<?>) answers).stream().map((answer) -> result((List<?>) answer)).toList();
	}

	public static EnqueueResult result(List<?> answer) {
		String id = answer.get(1).toString();
		return switch (answer.get(0).toString()) {
			case "accepted" -> new EnqueueResult.Accepted(id);
			case "replaced" -> new EnqueueResult.Replaced(id);
			default -> new EnqueueResult.Duplicate(id.isEmpty() ? null : id,
					RecordFormat.knownState(answer.get(2).toString()));
		};
	}

}
