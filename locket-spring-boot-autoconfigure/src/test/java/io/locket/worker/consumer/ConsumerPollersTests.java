package io.locket.worker.consumer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.queue.QueueUnavailableException;
import io.locket.worker.FakeJobQueue;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.reservation.PollerNames;
import io.locket.worker.reservation.RequestPlanner;
import io.locket.worker.reservation.ReservationFilters;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerThreads;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ConsumerPollers}.
 */
class ConsumerPollersTests {

	private final PollerNames names = new PollerNames("poller-");

	private final ConsumerPollers pollers = new ConsumerPollers(this.names);

	@Test
	void pollerWithAnOpenRequestIsBorrowedFirst() {
		ConsumerPoller first = this.pollers.borrow();
		ConsumerPoller open = open(this.pollers.borrow());
		this.pollers.release(first);
		this.pollers.release(open);
		assertThat(this.pollers.borrow()).isSameAs(open);
		assertThat(this.pollers.borrow()).isSameAs(first);
	}

	@Test
	void pollerIsExchangedForOneWithAnOpenRequestOnly() {
		ConsumerPoller borrowed = this.pollers.borrow();
		ConsumerPoller other = this.pollers.borrow();
		this.pollers.release(other);
		assertThat(this.pollers.exchange(borrowed)).isSameAs(borrowed);
		ConsumerPoller open = open(this.pollers.borrow());
		this.pollers.release(open);
		assertThat(this.pollers.exchange(borrowed)).isSameAs(open);
		assertThat(this.pollers.exchange(open)).isSameAs(open);
		assertThat(this.pollers.borrow()).isSameAs(borrowed);
	}

	@Test
	void nameOfAPollerIsUsedAgain() {
		ConsumerPoller left = this.pollers.borrow();
		this.pollers.leave(left);
		assertThat(this.names.take()).isEqualTo(left.name());
	}

	/**
	 * The store may hold jobs for the request.
	 */
	@Test
	void nameOfAPollerWithAnOpenRequestIsNotUsedAgain() {
		ConsumerPoller left = open(this.pollers.borrow());
		this.pollers.leave(left);
		assertThat(this.names.take()).isNotEqualTo(left.name());
	}

	@Test
	void closedPollersAreTakenOnceAndNotLent() {
		ConsumerPoller unused = this.pollers.borrow();
		ConsumerPoller used = this.pollers.borrow();
		this.pollers.release(unused);
		this.pollers.close();
		assertThat(this.pollers.borrow()).isNull();
		assertThat(this.pollers.release(used)).isFalse();
		assertThat(this.pollers.takeUnused()).containsExactly(unused);
		assertThat(this.pollers.takeUnused()).isEmpty();
	}

	private static ConsumerPoller open(ConsumerPoller poller) {
		FakeJobQueue queue = new FakeJobQueue();
		queue.failing.set(1);
		GroupSettings settings = new GroupSettings("group", List.of(new WeightedQueue("q", 1)), QueueOrder.STRICT, 1,
				WorkerThreads.PLATFORM, 1, Duration.ofSeconds(1), Duration.ofSeconds(1));
		RequestPlanner planner = new RequestPlanner(settings, "instance", Map.of(), new ReservationFilters(List.of()),
				new IdleQueueFilter(), Set::of);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> poller.take(queue, planner, System::nanoTime));
		return poller;
	}

}
