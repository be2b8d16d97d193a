package io.locket.examples.queues;

import java.time.Clock;
import java.time.LocalTime;
import java.util.List;

import io.locket.worker.reservation.QueueReservationFilter;

import org.springframework.stereotype.Component;

@Component
class NightQueues implements QueueReservationFilter {

	private final Clock clock;

	NightQueues(Clock clock) {
		this.clock = clock;
	}

	@Override
	public List<String> filter(List<String> queues) {
		boolean night = LocalTime.now(this.clock).isBefore(LocalTime.of(6, 0));
		return night ? queues : queues.stream().filter((queue) -> !queue.startsWith("night-")).toList();
	}

}
