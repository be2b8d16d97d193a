package io.locket.queue.redis;

import java.util.List;

import io.locket.queue.EnqueueResult;

/**
 * Reads what scripts answer that bring jobs into a queue.
 */
final class EnqueueAnswers {

	private EnqueueAnswers() {
	}

	static List<EnqueueResult> read(Object answers) {
		return ((List<?>) answers).stream().map((answer) -> result((List<?>) answer)).toList();
	}

	static EnqueueResult result(List<?> answer) {
		String id = answer.get(1).toString();
		return switch (answer.get(0).toString()) {
			case "accepted" -> new EnqueueResult.Accepted(id);
			case "replaced" -> new EnqueueResult.Replaced(id);
			default -> new EnqueueResult.Duplicate(id.isEmpty() ? null : id,
					RecordFormat.knownState(answer.get(2).toString()));
		};
	}

}
