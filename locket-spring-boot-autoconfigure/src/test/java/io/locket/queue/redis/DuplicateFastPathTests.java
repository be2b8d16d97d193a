package io.locket.queue.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobDuplicated;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fast paths that refuse a duplicate. They reply as the general script
 * does, and write nothing.
 */
class DuplicateFastPathTests {

	private static final Duration DELAY = Duration.ofMinutes(1);

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	@BeforeEach
	void createQueue() {
		this.pair.enqueue(QueueFixture.job("before", "default", LockStrategy.NONE));
		assertThat(take()).isEqualTo("before");
	}

	@AfterEach
	void close() {
		this.pair.close();
	}

	private String take() {
		ReservationRequest request = QueueFixture.request(1, "default");
		this.pair.other.queue.reserve(request);
		return this.fixture.queue.reserve(request).jobs().get(0).record().id();
	}

	private static NewJob job(String id, LockStrategy lock) {
		return QueueFixture.job(id, lock, "key");
	}

	private static NewJob delayed(NewJob job) {
		return job.copy().start(NewJob.Start.in(DELAY)).build();
	}

	/**
	 * Enqueues a duplicate by the fast path and by the general script, and compares the
	 * results, the events and all that is stored.
	 */
	private void assertIsDuplicate(NewJob job, JobState state) {
		Map<String, String> before = QueuePair.stored(this.fixture);
		try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
			EnqueueResult result = fast.queue.enqueue(job);
			assertThat(result).isEqualTo(new EnqueueResult.Duplicate("first", state))
				.isEqualTo(this.pair.general.queue.enqueue(job));
			assertThat(fast.events).isEqualTo(this.pair.general.events)
				.containsExactly(new JobDuplicated(job.id(), "job", "default", "first", job.onDuplicate()));
		}
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.pair.assertStoreIsSame();
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class,
			names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING" })
	void duplicateOfAReadyJobIsRefused(LockStrategy lock) {
		this.pair.enqueue(job("first", lock));
		assertIsDuplicate(job("second", lock), JobState.READY);
	}

	@ParameterizedTest
	@EnumSource(value = DuplicateStrategy.class, names = { "REJECT", "RAISE" })
	void delayedDuplicateOfADelayedJobIsRefused(DuplicateStrategy strategy) {
		this.pair.enqueue(delayed(job("first", LockStrategy.UNTIL_EXECUTED)));
		assertIsDuplicate(delayed(job("second", LockStrategy.UNTIL_EXECUTED)).copy().onDuplicate(strategy).build(),
				JobState.SCHEDULED);
	}

	@Test
	void duplicateOfARunningJobIsRefused() {
		this.pair.enqueue(job("first", LockStrategy.UNTIL_EXECUTED));
		assertThat(take()).isEqualTo("first");
		assertIsDuplicate(job("second", LockStrategy.UNTIL_EXECUTED), JobState.RUNNING);
	}

	@Test
	void duplicateOfAParkedJobIsRefused() {
		this.pair.both((each) -> each.takeForeign(QueueFixture.key("key"), DELAY));
		this.pair.enqueue(job("first", LockStrategy.UNTIL_EXECUTED));
		ReservationRequest request = QueueFixture.request(1, "default");
		this.pair.both((each) -> assertThat(each.queue.reserve(request).jobs()).isEmpty());
		assertIsDuplicate(job("second", LockStrategy.UNTIL_EXECUTED), JobState.PARKED);
	}

	/**
	 * Checks a holder whose record is gone, damaged, of another queue or of another key,
	 * a ticket whose period has passed, a removed queue, a job that waits for a retry or
	 * was promoted, and a running one that has no ticket by its strategy.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "gone", "damaged", "cut", "place", "retries", "queue", "key", "passed", "removed", "retry",
			"promoted", "ended", "running" })
	void otherDuplicatesAreLeftToTheGeneralScript(String what) {
		LockStrategy lock = LockStrategy.UNTIL_EXECUTED;
		NewJob first = job("first", lock);
		NewJob second = job("second", lock);
		if (what.equals("queue")) {
			first = QueueFixture.job("first", "other", lock, "key");
		}
		else if (what.equals("passed")) {
			first = first.copy().unique(lock, first.key(), Duration.ofSeconds(5)).build();
		}
		this.fixture.queue.enqueue(first);
		byte[] record = this.fixture.record("first");
		switch (what) {
			case "gone" -> this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "first");
			case "damaged" -> this.fixture.record("first", "damaged");
			case "cut" -> this.fixture.record("first", Arrays.copyOf(record, record.length - "[\"key\"]".length() - 3));
			case "place" -> this.fixture.change("first", (changed) -> changed.with("n", 0));
			case "retries" -> this.fixture.change("first", (changed) -> changed.with("r", 1L << 31));
			case "key" -> this.fixture.change("first", (changed) -> changed.with("k", QueueFixture.key("x").digest()));
			case "passed" -> this.fixture.advance(Duration.ofSeconds(5));
			case "removed" -> {
				this.fixture.count("default", (counters) -> counters.with("removed_at", this.fixture.now()));
				this.fixture.advance(Duration.ofMillis(1));
			}
			case "retry" -> failFirst();
			case "promoted" -> this.fixture.change("first", (changed) -> changed.with("g", 1));
			case "ended" -> this.fixture.change("first", (changed) -> changed.with("s", "succeeded").with("ea", 5));
			case "running" -> {
				take();
				this.fixture.change("first", (changed) -> changed.with("l", "UE"));
			}
			default -> assertThat(what).isEqualTo("queue");
		}
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> enqueueByFastPath(second));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.fixture.record("first", record);
		this.fixture.store.repair();
	}

	private void failFirst() {
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.retry(run, DELAY, "it broke")), null);
	}

	private void enqueueByFastPath(NewJob job) {
		try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
			fast.queue.enqueue(job);
		}
	}

}
