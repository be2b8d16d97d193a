package io.locket.queue.redis;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.LeaseHolder;
import io.locket.lease.HolderText;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.ReservedJob;
import org.jspecify.annotations.Nullable;

/**
 * Puts requests into the form that the scripts expect, and reads their answers.
 */
final class Reservations {

	private final RecordFormat format;

	private final String limits;

	Reservations(RecordFormat format, QueueSettings settings) {
		this.format = format;
		Map<String, Object> limits = new LinkedHashMap<>();
		limits.put("mr", settings.maxReclaims());
		limits.put("ha", settings.historyMaxAge().toMillis());
		limits.put("hs", settings.historyMaxSize());
		limits.put("da", settings.deadMaxAge().toMillis());
		limits.put("ds", settings.deadMaxSize());
		limits.put("fl", settings.floor().toMillis());
		this.limits = format.write(limits);
	}

	/**
	 * The limits, as every script expects them that may forget or reclaim.
	 */
	String limits() {
		return this.limits;
	}

	String write(@Nullable ReservationRequest request) {
		if (request == null) {
			return "";
		}
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put("id", request.id());
		fields.put("lane", "w:" + request.lane());
		fields.put("i", request.instance());
		fields.put("w", request.thread());
		fields.put("n", request.slots());
		fields.put("q", request.queues().stream().map((queue) -> List.of(queue.queue(), queue.maxRunning())).toList());
		return this.format.write(fields);
	}

	Reservation read(Object answer) {
		List<?> parts = (List<?>) answer;
		List<ReservedJob> jobs = ((List<?>) parts.get(0)).stream().map((job) -> job((List<?>) job)).toList();
		Set<String> idle = new LinkedHashSet<>();
		((List<?>) parts.get(2)).forEach((queue) -> idle.add(queue.toString()));
		return new Reservation(jobs, number(parts.get(1)) == 1, idle, millis(parts.get(3)));
	}

	private ReservedJob job(List<?> parts) {
		LeaseHolder conflict = (number(parts.get(8)) == 1)
				? HolderText.read(parts.get(6).toString(), parts.get(5).toString()) : null;
		return new ReservedJob(this.format.read(parts.get(0).toString(), parts.get(1).toString()),
				parts.get(2).toString(), number(parts.get(3)), number(parts.get(4)) == 1, conflict,
				millis(parts.get(7)));
	}

	private static @Nullable Duration millis(Object value) {
		return value.toString().isEmpty() ? null : Duration.ofMillis(Math.max(0, number(value)));
	}

	static long number(Object value) {
		return (value instanceof Long number) ? number : Long.parseLong(value.toString());
	}

}
