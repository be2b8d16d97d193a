package io.locket.worker;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReservationFilters} and {@link IdleQueueFilter}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReservationFilterTests {

	private static final List<String> QUEUES = List.of("a", "b", "c");

	private final IdleQueueFilter idle = new IdleQueueFilter();

	@Test
	void filtersAreAskedOneAfterAnother() {
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
	void filterThatFailsIsSaidOnceAndLeavesOutNothing(CapturedOutput output) {
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
		this.idle.onAnswer(this.idle.moment(), QUEUES, Set.of("a", "b"));
		QueueReservationFilter own = (queues) -> queues.stream().filter((queue) -> !queue.equals("c")).toList();
		ReservationFilters filters = new ReservationFilters(List.of(this.idle, own));
		assertThat(filters.apply(QUEUES, false)).isEmpty();
		assertThat(filters.apply(QUEUES, true)).containsExactly("a", "b");
	}

	@Test
	void idleQueueIsLeftOutUntilThereIsNews() {
		this.idle.onAnswer(this.idle.moment(), QUEUES, Set.of("a", "c"));
		assertThat(this.idle.filter(QUEUES)).containsExactly("b");
		this.idle.onNews("a");
		assertThat(this.idle.filter(QUEUES)).containsExactly("a", "b");
		this.idle.onNews(null);
		assertThat(this.idle.filter(QUEUES)).isEqualTo(QUEUES);
	}

	@Test
	void newsThatIsNewerThanTheAnswerCounts() {
		long moment = this.idle.moment();
		this.idle.onNews("a");
		this.idle.onAnswer(moment, QUEUES, Set.of("a", "b"));
		assertThat(this.idle.filter(QUEUES)).containsExactly("a", "c");
		moment = this.idle.moment();
		this.idle.onNews(null);
		this.idle.onAnswer(moment, QUEUES, Set.of("a", "b", "c"));
		assertThat(this.idle.filter(QUEUES)).isEqualTo(QUEUES);
	}

	@Test
	void answerThatShowsWorkEndsIdleness() {
		this.idle.onAnswer(this.idle.moment(), QUEUES, Set.of("a", "b", "c"));
		this.idle.onAnswer(this.idle.moment(), List.of("b"), Set.of());
		assertThat(this.idle.filter(QUEUES)).containsExactly("b");
	}

}
