package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link WorkerStatus}.
 */
class WorkerStatusTests {

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	private final CountDownLatch open = new CountDownLatch(1);

	WorkerStatusTests() {
		this.fixture.pollInterval = Duration.ofMillis(100);
		this.fixture.interruptOnLost = false;
	}

	@AfterEach
	void close() {
		this.open.countDown();
		this.fixture.close();
	}

	@Test
	void statusHasTheNumberOfRunningJobs() {
		this.fixture.concurrency = 2;
		this.fixture.handle("job", this::hang);
		this.queue.put("q", "job");
		this.fixture.start("q", "limited");
		await().until(() -> this.queue.requests.size() > 1 && group().running() == 1);
		assertThat(status()).isEqualTo(
				new WorkerStatus(List.of(new WorkerStatus.Group("test", List.of("q", "limited"), 2, 1)), null, null));
		this.open.countDown();
		await().until(() -> group().running() == 0);
		this.fixture.lifecycle().stop();
		assertThat(status()).isEqualTo(
				new WorkerStatus(List.of(new WorkerStatus.Group("test", List.of("q", "limited"), 2, 0)), null, null));
	}

	@Test
	void bodyThatTakesItsTimeIsNoStall() {
		this.fixture.handle("job", this::hang);
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> group().running() == 1);
		pass(Duration.ofSeconds(75));
		assertThat(status().stalled()).isNull();
	}

	@Test
	void groupWhoseQueuesAreNotPolledIsStalledUntilTheyAre() {
		this.fixture.pollInterval = Duration.ofSeconds(10);
		this.fixture.concurrency = 3;
		this.fixture.start("q");
		await().until(() -> !this.queue.requests.isEmpty());
		pass(Duration.ofSeconds(50));
		assertThat(status().stalled()).isNull();
		pass(Duration.ofSeconds(25));
		assertThat(status().stalled()).startsWith("No thread of group 'test' has polled its queues for")
			.contains("restart this process");
		this.queue.tell("q");
		await().until(() -> status().stalled() == null);
	}

	@Test
	void threadThatIsHeldUpOutsideOfABodyIsStalled() {
		this.fixture.filters.add((queues) -> {
			if (Thread.currentThread().getName().startsWith("locket-worker-test")) {
				hang();
			}
			return queues;
		});
		this.fixture.start("q");
		await().until(() -> !this.queue.requests.isEmpty());
		pass(Duration.ofSeconds(25));
		assertThat(status().stalled()).isNull();
		pass(Duration.ofSeconds(10));
		assertThat(status().stalled()).startsWith("Thread locket-worker-test-1 runs no job")
			.contains("has not polled for 3")
			.contains("restart this process");
		this.open.countDown();
		await().until(() -> status().stalled() == null);
	}

	@Test
	void noThreadIsStalledWhileTheStoreDoesNotReplyNorJustAfterwards() {
		this.queue.failing.set(Integer.MAX_VALUE);
		this.fixture.start("q");
		await().until(() -> this.queue.calls.get() > 1);
		this.fixture.ahead.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(status().stalled()).isNull();
		int before = this.queue.calls.get();
		this.queue.failing.set(0);
		while (this.queue.calls.get() < before + 3) {
			assertThat(status().stalled()).isNull();
		}
	}

	@Test
	void threadThatStillPausesAfterAnOutageIsNoStallWhenACallOfAnotherSucceeds() {
		AtomicLong time = new AtomicLong();
		CallWatch watch = new CallWatch(Duration.ofSeconds(30), time::get);
		ThreadWatch thread = new ThreadWatch(time::get);
		thread.begin(ThreadWatch.Activity.WORK);
		watch.failed(new IllegalStateException("no reply"));
		time.set(Duration.ofSeconds(28).toNanos());
		watch.succeeded();
		time.set(Duration.ofSeconds(33).toNanos());
		assertThat(thread.stalled(watch.check(Duration.ofSeconds(30)))).isNull();
		watch.failed(new IllegalStateException("no reply"));
		time.addAndGet(Duration.ofSeconds(5).toNanos());
		watch.succeeded();
		time.set(Duration.ofSeconds(59).toNanos());
		assertThat(thread.stalled(watch.check(Duration.ofSeconds(30)))).as("30 s after the outage")
			.contains("has not polled for 59 s");
	}

	@Test
	void storeThatHasRepliedIsNotReportedHoweverLongItIsNotCalled() {
		AtomicLong time = new AtomicLong();
		CallWatch watch = new CallWatch(Duration.ofSeconds(30), time::get);
		watch.failed(new IllegalStateException("no reply"));
		watch.succeeded();
		time.set(Duration.ofHours(1).toNanos());
		assertThat(watch.outage()).isNull();
	}

	@Test
	void storeThatRepliesToNoCallForLongIsReportedUntilItReplies() {
		this.queue.failing.set(Integer.MAX_VALUE);
		this.fixture.start("q");
		await().until(() -> this.queue.calls.get() > 1);
		this.fixture.ahead.addAndGet(Duration.ofSeconds(25).toNanos());
		assertThat(status().failing()).isNull();
		this.fixture.ahead.addAndGet(Duration.ofSeconds(6).toNanos());
		assertThat(status().failing()).startsWith("No call of the workers succeeded for 31 s: ")
			.endsWith("QueueUnavailableException: no reply");
		assertThat(status().stalled()).isNull();
		this.queue.failing.set(0);
		await().until(() -> status().failing() == null);
		this.queue.failing.set(Integer.MAX_VALUE);
		this.fixture.ahead.addAndGet(Duration.ofHours(1).toNanos());
		this.fixture.lifecycle().stop();
		assertThat(status().failing()).isNull();
	}

	@Test
	void threadThatHasEndedIsAStall() {
		this.fixture.onTime = () -> {
			if (Thread.currentThread().getName().startsWith("locket-worker-test")) {
				throw new IllegalStateException("The clock is out of order");
			}
		};
		this.fixture.start("q");
		await().dontCatchUncaughtExceptions().until(() -> status().stalled() != null);
		assertThat(status().stalled())
			.isEqualTo("Thread locket-worker-test-1 has ended while the worker runs: restart this process");
	}

	@Test
	void housekeepingThatServesForLongIsNoStall() {
		this.fixture.handle("job", this::hang);
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> group().running() == 1);
		List<String> stalls = new CopyOnWriteArrayList<>();
		int before = this.queue.requests.size();
		this.queue.cutShort = 6;
		this.queue.beforeReply = () -> {
			this.fixture.ahead.addAndGet(Duration.ofSeconds(10).toNanos());
			stalls.add(String.valueOf(status().stalled()));
		};
		await().until(() -> this.queue.requests.size() > before + 6 && stalls.size() > 6);
		assertThat(stalls).containsOnly("null");
	}

	private WorkerStatus status() {
		return this.fixture.lifecycle().status();
	}

	private WorkerStatus.Group group() {
		return status().groups().get(0);
	}

	/**
	 * Advances the time in steps in which the housekeeping polls the queue.
	 */
	private void pass(Duration duration) {
		for (long seconds = duration.toSeconds(); seconds > 0; seconds -= 25) {
			int before = this.queue.requests.size();
			this.fixture.ahead.addAndGet(Duration.ofSeconds(Math.min(seconds, 25)).toNanos());
			await().pollInterval(Duration.ofMillis(5)).until(() -> this.queue.requests.size() > before);
		}
	}

	private Object hang() {
		boolean interrupted = true;
		while (interrupted) {
			try {
				this.open.await();
				interrupted = false;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		return "done";
	}

}
