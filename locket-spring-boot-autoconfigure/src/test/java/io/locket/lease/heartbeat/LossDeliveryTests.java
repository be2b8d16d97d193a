package io.locket.lease.heartbeat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.JobKey;
import io.locket.event.LeaseLost;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.heartbeat.RunRenewer.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the handling of lost leases while a part of it blocks.
 */
@ExtendWith(OutputCaptureExtension.class)
class LossDeliveryTests {

	private static final int LEASES = 40;

	private final CountDownLatch release = new CountDownLatch(1);

	private final CountDownLatch published = new CountDownLatch(LEASES);

	private final LeaseThreads threads = LeaseThreads.create();

	private final JobEventPublisher publisher = new JobEventPublisher(List.of((event) -> {
		if (event instanceof LeaseLost) {
			block();
			this.published.countDown();
		}
	}));

	private final LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofMillis(20), this.threads.heartbeat(),
			this.threads.watch(), this.threads.notifier(), this.publisher, System::nanoTime);

	private volatile boolean lost;

	private final RunLeases runs = new RunLeases(
			(leases) -> leases.stream().map((lease) -> new Result(!this.lost, null, false)).toList(), this.heartbeat,
			this.threads, this.publisher, System::nanoTime, () -> {
			});

	private final List<RunLease> leases = new ArrayList<>();

	LossDeliveryTests() {
		for (int i = 0; i < LEASES; i++) {
			this.leases.add(this.runs
				.begin(new RunLeases.Grant("run-" + i, "token-" + i, new JobKey("job", "digest-" + i, "(" + i + ")"), i,
						true, Instant.EPOCH, Duration.ofSeconds(35), System.nanoTime(), false))
				.orElseThrow());
		}
	}

	@AfterEach
	void close() {
		this.release.countDown();
		this.leases.forEach(RunLease::close);
		this.runs.close();
	}

	@Test
	void listenersThatBlockDelayNeitherInterruptsNorActions() throws Exception {
		CountDownLatch interrupts = new CountDownLatch(LEASES);
		CountDownLatch actions = new CountDownLatch(LEASES);
		this.leases.forEach((lease) -> {
			lease.onLost(actions::countDown);
			lease.onLost((LossInterrupt) interrupts::countDown);
		});
		this.lost = true;
		assertThat(interrupts.await(5, TimeUnit.SECONDS)).isTrue();
		assertThat(actions.await(5, TimeUnit.SECONDS)).isTrue();
		CountDownLatch late = new CountDownLatch(1);
		this.leases.get(0).onLost(late::countDown);
		assertThat(late.await(5, TimeUnit.SECONDS)).isTrue();
		assertThat(this.published.getCount()).isEqualTo(LEASES);
		this.release.countDown();
		assertThat(this.published.await(5, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void actionsThatBlockDelayNoInterrupt() throws Exception {
		CountDownLatch interrupts = new CountDownLatch(LEASES);
		this.leases.forEach((lease) -> {
			lease.onLost(this::block);
			lease.onLost((LossInterrupt) interrupts::countDown);
		});
		this.lost = true;
		assertThat(interrupts.await(5, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void actionsOfALeaseRunInTheirOrderAlsoWhenOneFails() {
		List<String> done = new ArrayList<>();
		RunLease lease = this.leases.get(0);
		lease.onLost(() -> {
			throw new IllegalStateException("failed");
		});
		lease.onLost(() -> done.add("first"));
		lease.onLost(() -> done.add("second"));
		CountDownLatch last = new CountDownLatch(1);
		lease.onLost(last::countDown);
		this.lost = true;
		await().until(() -> last.getCount() == 0);
		assertThat(done).containsExactly("first", "second");
	}

	@Test
	void eventsBeyondTheCapacityAreDroppedWithAWarning(CapturedOutput output) {
		for (int i = 0; i < LeaseThreads.ROOM + 20; i++) {
			this.threads.notifier().execute(this::block);
		}
		assertThat(this.threads.notifier().getQueue()).hasSize(LeaseThreads.ROOM);
		assertThat(output).contains("Further events are dropped");
	}

	private void block() {
		try {
			this.release.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
