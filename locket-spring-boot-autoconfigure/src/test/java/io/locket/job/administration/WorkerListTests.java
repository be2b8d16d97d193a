package io.locket.job.administration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.locket.queue.QueueUnavailableException;
import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.AbstractQueueTests;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.junit.jupiter.api.Test;
import org.mockito.AdditionalAnswers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link WorkerList}.
 */
class WorkerListTests extends AbstractQueueTests {

	private void poll(String instance, int number) {
		this.queue.reserve(new ReservationRequest(instance + number, "poller-" + instance, instance, "thread",
				List.of(new QueueLimit("q", 0)), 1));
	}

	@Test
	void workersThatPollAreSeenByTheCallThatRequestsIt() throws Exception {
		poll("alive", 0);
		poll("dead", 0);
		Instant before = this.harness.now();
		this.user.advance(Duration.ofMinutes(20));
		ExecutorService worker = Executors.newSingleThreadExecutor();
		int[] polls = new int[1];
		try (JobQueue.Listening listening = this.queue.listen((queue) -> worker.execute(() -> {
			poll("alive", ++polls[0]);
			synchronized (polls) {
				polls.notifyAll();
			}
		}))) {
			await().until(() -> {
				this.store.quiet("other");
				return worker.submit(() -> polls[0]).get() > 0;
			});
			assertThat(new WorkerList(this.store).read()).containsExactly(
					new WorkerInfo("alive", this.harness.now(), 1, 0), new WorkerInfo("dead", before, 1, 0));
		}
		finally {
			worker.shutdown();
		}
	}

	@Test
	void workerThatHasNotPolledIsNotAwaitedAgain() {
		poll("dead", 0);
		this.user.advance(Duration.ofMinutes(20));
		JobStore spied = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.store));
		WorkerList list = new WorkerList(spied);
		assertThat(list.read()).hasSize(1);
		verify(spied, times(6)).workers();
		this.user.advance(Duration.ofMinutes(1));
		assertThat(list.read()).hasSize(1);
		verify(spied, times(7)).workers();
	}

	@Test
	void nothingIsRequestedWithoutWorkers() {
		JobStore spied = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.store));
		assertThat(new WorkerList(spied).read()).isEmpty();
		verify(spied, never()).requestPolls(any());
	}

	@Test
	void workersAreListedIfTheRequestIsRefused() {
		poll("alive", 0);
		JobStore refusing = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.store));
		willThrow(new QueueUnavailableException("refused", new IllegalStateException())).given(refusing)
			.requestPolls(any());
		assertThat(new WorkerList(refusing).read()).hasSize(1);
	}

	@Test
	void interruptedCallerDoesNotWait() {
		poll("dead", 0);
		this.user.advance(Duration.ofMinutes(20));
		List<WorkerInfo> workers = this.store.workers();
		JobStore known = mock(JobStore.class, AdditionalAnswers.delegatesTo(this.store));
		willReturn(workers).given(known).workers();
		Thread.currentThread().interrupt();
		assertThat(new WorkerList(known).read()).isEqualTo(workers);
		assertThat(Thread.interrupted()).isTrue();
	}

}
