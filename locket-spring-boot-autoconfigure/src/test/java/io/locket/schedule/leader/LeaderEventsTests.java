package io.locket.schedule.leader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.event.JobEvent;
import io.locket.event.LeadershipGained;
import io.locket.event.publish.JobEventPublisher;
import io.locket.testing.LogLines;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LeaderEvents}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderEventsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final List<JobEvent> told = new CopyOnWriteArrayList<>();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final Semaphore listens = new Semaphore(0);

	private final LeaderEvents events = new LeaderEvents(new JobEventPublisher(List.of(this::tell)));

	private void tell(JobEvent event) {
		this.listens.acquireUninterruptibly();
		this.threads.add(Thread.currentThread());
		this.told.add(event);
	}

	@AfterEach
	void close() {
		this.listens.release(1_000_000);
		this.events.close();
	}

	@Test
	void eventsArePublishedInOrderOnAThreadOfTheirOwn() {
		this.listens.release(1000);
		publish(100);
		assertThat(this.events.drain(PATIENCE)).isTrue();
		assertThat(this.told).hasSize(100).extracting((event) -> ((LeadershipGained) event).term()).isSorted();
		assertThat(this.threads).extracting(Thread::getName).containsOnly(LeaderEvents.THREAD);
	}

	@Test
	void listenerThatNeverReturnsIsWaitedForInVainAndLosesWhatDoesNotFitOneWarning(CapturedOutput output) {
		publish(LeaderEvents.CAPACITY + 50);
		assertThat(this.events.drain(Duration.ofMillis(1))).isFalse();
		assertThat(output.getOut().split("further events are dropped", -1)).hasSize(2);
		this.listens.release(1_000_000);
		await().until(() -> this.told.size() == LeaderEvents.CAPACITY + 1);
		assertThat(this.events.drain(PATIENCE)).isTrue();
		publish(1);
		assertThat(this.events.drain(PATIENCE)).isTrue();
		assertThat(this.told).hasSize(LeaderEvents.CAPACITY + 2);
	}

	@Test
	void listenerThatBlocksAgainIsWarnedOfAgain(CapturedOutput output) {
		publish(LeaderEvents.CAPACITY + 50);
		this.listens.release(1_000_000);
		await().until(() -> this.told.size() == LeaderEvents.CAPACITY + 1);
		await().until(() -> this.threads.get(0).getState() == Thread.State.TIMED_WAITING);
		this.listens.drainPermits();
		publish(LeaderEvents.CAPACITY + 50);
		assertThat(output.getOut().split("further events are dropped", -1)).hasSize(3);
	}

	@Test
	void nothingIsPublishedAfterTheEnd(CapturedOutput output) {
		this.events.close();
		publish(1);
		assertThat(this.events.drain(PATIENCE)).isTrue();
		assertThat(this.told).isEmpty();
		assertThat(LogLines.warnings(output, LeaderEvents.THREAD)).isEmpty();
	}

	@Test
	void eventIsDroppedWithOneWarningWhileNoThreadCanBeStarted(CapturedOutput output) {
		AtomicBoolean full = new AtomicBoolean(true);
		this.listens.release(1);
		try (LeaderEvents poor = new LeaderEvents(new JobEventPublisher(List.of(this::tell)), (task) -> {
			if (full.get()) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			return new Thread(task);
		})) {
			poor.publisher().publish(new LeadershipGained(1));
			poor.publisher().publish(new LeadershipGained(2));
			assertThat(poor.drain(PATIENCE)).isTrue();
			assertThat(LogLines.warnings(output)).singleElement(InstanceOfAssertFactories.STRING)
				.contains("cannot be started");
			full.set(false);
			poor.publisher().publish(new LeadershipGained(3));
			assertThat(poor.drain(PATIENCE)).isTrue();
			assertThat(this.told).containsExactly(new LeadershipGained(3));
		}
	}

	private void publish(int count) {
		for (int i = 1; i <= count; i++) {
			this.events.publisher().publish(new LeadershipGained(i));
		}
	}

}
