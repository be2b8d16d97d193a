package io.locket.worker.reservation;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReservationFilters}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReservationFiltersTests {

	private static final List<String> QUEUES = List.of("a", "b", "c");

	@Test
	void filtersAreAppliedOneAfterAnother() {
		ReservationFilters filters = new ReservationFilters(List.of((queues) -> queues.subList(1, queues.size()),
				(queues) -> List.of(queues.get(1), queues.get(0))));
		assertThat(filters.apply(QUEUES, false)).containsExactly("c", "b");
	}

	@Test
	void queueThatAFilterAddsIsDropped() {
		ReservationFilters filters = new ReservationFilters(List.of((queues) -> List.of("b", "x", "b")));
		assertThat(filters.apply(QUEUES, false)).containsExactly("b");
	}

	@Test
	void filterThatFailsIsLoggedOnceAndLeavesOutNothing(CapturedOutput output) {
		AtomicInteger calls = new AtomicInteger();
		ReservationFilters filters = new ReservationFilters(List.of((queues) -> {
			calls.incrementAndGet();
			throw new IllegalStateException("a filter that fails");
		}, (queues) -> queues.subList(0, 2)));
		assertThat(filters.apply(QUEUES, false)).containsExactly("a", "b");
		assertThat(filters.apply(QUEUES, true)).containsExactly("a", "b");
		assertThat(calls).hasValue(2);
		assertThat(output.getOut().split("a filter that fails", -1)).hasSize(2);
	}

	@Test
	void pollIgnoresLocketsOwnFilterOnly() {
		IdleQueueFilter idle = new IdleQueueFilter();
		idle.onReply(idle.moment(), QUEUES, Set.of("a", "b"));
		QueueReservationFilter own = (queues) -> queues.stream().filter((queue) -> !queue.equals("c")).toList();
		ReservationFilters filters = new ReservationFilters(List.of(idle, own));
		assertThat(filters.apply(QUEUES, false)).isEmpty();
		assertThat(filters.apply(QUEUES, true)).containsExactly("a", "b");
	}

}
