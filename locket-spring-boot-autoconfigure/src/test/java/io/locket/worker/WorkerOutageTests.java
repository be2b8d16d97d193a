package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.event.LeaseLost;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a {@link Worker} whose queue does not reply, or replies late.
 */
@ExtendWith(OutputCaptureExtension.class)
class WorkerOutageTests {

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	private final AtomicInteger runs = new AtomicInteger();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void reservationWhoseReplyWasLostIsRepeatedWithItsId() {
		this.fixture.handle("job", this.runs::incrementAndGet);
		this.queue.put("q", "job");
		this.queue.losingReplies.set(2);
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.runs).hasValue(1);
		assertThat(this.queue.requests.subList(0, 3)).extracting(ReservationRequest::id)
			.containsOnly(this.queue.requests.get(0).id());
		assertThat(this.queue.requests.subList(0, 3)).containsOnly(this.queue.requests.get(0));
	}

	@Test
	void settlementWhoseReplyWasLostIsRepeatedAsItWas() {
		this.fixture.handle("job", () -> {
			if (this.runs.incrementAndGet() == 1) {
				this.queue.losingReplies.set(2);
			}
			return null;
		});
		this.queue.put("q", "job");
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 2);
		assertThat(this.runs).hasValue(2);
		assertThat(this.queue.settlements.subList(0, 3)).containsOnly(this.queue.settlements.get(0));
		assertThat(this.queue.requests.subList(1, 4)).containsOnly(this.queue.requests.get(1));
	}

	@Test
	void workerBeginsWithoutTheQueueAndGoesOnWhenItIsThere(CapturedOutput output) {
		this.fixture.handle("job", this.runs::incrementAndGet);
		this.queue.failing.set(4);
		this.queue.put("q", "job");
		this.fixture.concurrency = 4;
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(output.getOut().split("Calls of the queue fail", -1)).hasSize(2);
		assertThat(output).contains("Calls of the queue succeed again");
	}

	@Test
	void jobThatWasAddedWithoutASubscriptionIsTakenWhenItBegins() {
		AtomicBoolean refuses = new AtomicBoolean(true);
		AtomicInteger replies = new AtomicInteger();
		this.queue.onListen = () -> {
			if (refuses.get()) {
				throw new IllegalStateException("no subscription");
			}
		};
		this.queue.beforeReply = replies::incrementAndGet;
		this.fixture.handle("job", this.runs::incrementAndGet);
		this.fixture.start("q");
		await().until(() -> replies.get() == 1);
		this.queue.put("q", "job");
		refuses.set(false);
		await().until(() -> this.queue.ends.size() == 1);
	}

	@Test
	void bodyDoesNotStartAfterItsLocalDeadline() {
		this.fixture.handle("job", this.runs::incrementAndGet);
		this.queue.put("q", "job");
		this.queue.beforeReply = () -> {
			this.queue.beforeReply = () -> {
			};
			this.fixture.ahead.addAndGet(Duration.ofMillis(31_600).toNanos());
		};
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.queue.ends.get(0).kind()).isEqualTo(RunEnd.Kind.RETURNED);
		assertThat(this.runs).hasValue(0);
		assertThat(this.fixture.events).isEmpty();
	}

	@Test
	void deadlineCountsFromTheFirstSending() {
		this.fixture.handle("job", this.runs::incrementAndGet);
		this.queue.put("q", "job");
		this.queue.losingReplies.set(1);
		AtomicInteger replies = new AtomicInteger();
		this.queue.beforeReply = () -> {
			if (replies.incrementAndGet() <= 2) {
				this.fixture.ahead.addAndGet(Duration.ofSeconds(16).toNanos());
			}
		};
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.queue.ends.get(0).kind()).isEqualTo(RunEnd.Kind.RETURNED);
	}

	/**
	 * Neither the report of the failure nor its log line can be written.
	 */
	@Test
	void runWhoseFailureCannotBeHandledIsRetried() {
		AtomicBoolean failed = new AtomicBoolean();
		this.fixture.handle("job", () -> {
			if (failed.compareAndSet(false, true)) {
				throw new UnreadableFailure(2);
			}
			return null;
		});
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.endsOf(RunEnd.Kind.RETRY).size() == 1);
		await().until(() -> this.fixture.heartbeat.size() == 0);
	}

	/**
	 * No log line can be written about the failure.
	 */
	@Test
	void slotGoesOnAfterAFailureThatCannotBeLogged() {
		this.fixture.handle("unreadable", () -> {
			throw new UnreadableFailure(Integer.MAX_VALUE);
		});
		this.fixture.handle("job", this.runs::incrementAndGet);
		this.queue.put("q", "unreadable");
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.endsOf(RunEnd.Kind.SUCCEEDED).size() == 1);
		assertThat(this.queue.endsOf(RunEnd.Kind.RETRY)).hasSize(1);
		await().until(() -> this.fixture.heartbeat.size() == 0);
	}

	/**
	 * Checks jobs whose leases cannot be computed, as those whose renewal cannot be
	 * scheduled.
	 */
	@Test
	void slotPausesBeforeItReturnsAJobWhoseLeaseCannotBeKept() {
		AtomicReference<Thread> slot = new AtomicReference<>();
		this.queue.beforeReply = () -> slot.set(Thread.currentThread());
		for (int i = 0; i < 2; i++) {
			this.queue.put(this.queue.reserved("q", "job", Duration.ofSeconds(Long.MAX_VALUE)));
		}
		this.fixture.start("q");
		await().until(() -> slot.get() != null && slot.get().getState() == Thread.State.TIMED_WAITING);
		assertThat(this.queue.requests).hasSize(1);
		this.fixture.close();
		assertThat(this.queue.endsOf(RunEnd.Kind.RETURNED)).hasSize(1);
	}

	@Test
	void unforeseenFailureOfTheQueueIsRepeatedToo() {
		this.fixture.handle("job", this.runs::incrementAndGet);
		this.queue.put("q", "job");
		AtomicInteger replies = new AtomicInteger();
		this.queue.beforeReply = () -> {
			if (replies.incrementAndGet() == 1) {
				throw new StackOverflowError("an unforeseen failure");
			}
		};
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.runs).hasValue(1);
	}

	/**
	 * The store may be the one that does not respond. Then no other worker has taken the
	 * job.
	 */
	@Test
	void endIsRepeatedThoughTheLeaseWasLostMeanwhile() {
		this.fixture.handle("job", () -> {
			this.queue.failing.set(Integer.MAX_VALUE);
			this.queue.renewalsFail = true;
			return null;
		});
		this.queue.put(this.queue.reserved("q", "job", Duration.ofMillis(500)));
		this.fixture.start("q");
		await().until(() -> this.fixture.events.stream().anyMatch(LeaseLost.class::isInstance));
		int calls = this.queue.calls.get();
		await().until(() -> this.queue.calls.get() > calls + 1);
		this.queue.failing.set(0);
		await().until(() -> this.queue.endsOf(RunEnd.Kind.SUCCEEDED).size() == 1);
	}

	@Test
	void leasesAreKeptUntilTheEndHasAReply() throws Exception {
		CountDownLatch inSettle = new CountDownLatch(1);
		this.fixture.handle("job", () -> {
			this.queue.failing.set(Integer.MAX_VALUE);
			inSettle.countDown();
			return null;
		});
		this.queue.put("q", "job");
		this.fixture.start("q");
		assertThat(inSettle.await(5, TimeUnit.SECONDS)).isTrue();
		await().until(() -> this.queue.settlements.size() > 1);
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
		this.queue.failing.set(0);
		await().until(() -> this.queue.ends.size() == 1);
		await().until(() -> this.fixture.heartbeat.size() == 0);
	}

	/**
	 * Failure whose message fails in the same way, for a number of times.
	 */
	private static final class UnreadableFailure extends Error {

		private final int more;

		UnreadableFailure(int more) {
			this.more = more;
		}

		@Override
		public String getMessage() {
			if (this.more > 0) {
				throw new UnreadableFailure(this.more - 1);
			}
			return "readable";
		}

	}

}
