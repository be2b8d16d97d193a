package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.queue.QueueThroughput;
import io.locket.queue.TestJob;
import io.locket.queue.ThroughputSample;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the counts per minute.
 */
class ThroughputTests extends AbstractQueueTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void countersThatHaveGrownAreASample() {
		this.user.enqueue(TestJob.of("before"));
		this.user.enqueue(TestJob.of("other").in("other"));
		this.queue.countMinute();
		Instant from = this.harness.now();
		this.user.succeed(this.user.take());
		this.user.enqueue(TestJob.of("a").retries(5));
		this.user.fail(this.user.take());
		this.user.enqueue(TestJob.of("b"));
		this.user.end(RunEnd.dead(this.user.take(), "it broke"));
		this.user.enqueue(TestJob.of("c"));
		this.user.update(UpdateAction.Kind.CANCEL, "c");
		this.user.enqueue(TestJob.of("d").in("other"));
		this.store.remove("other");
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(this.store.throughput(60)).containsExactly(
				new ThroughputSample(from, this.harness.now(), List.of(new QueueThroughput("q", 3, 1, 2, 1, 0, 0, 1, 0),
						new QueueThroughput("other", 1, 0, 0, 0, 0, 0, 0, 2))));
	}

	@Test
	void countsOfAMinuteAreStoredOnce() {
		this.queue.countMinute();
		this.harness.advance(MINUTE);
		this.user.enqueue(TestJob.of("a"));
		this.queue.countMinute();
		this.user.enqueue(TestJob.of("b"));
		this.queue.countMinute();
		assertThat(accepted()).containsExactly(1L);
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(accepted()).containsExactly(1L, 1L);
	}

	@Test
	void resultIsTheTimeUntilTheNextMinute() {
		long millis = this.harness.now().toEpochMilli() % MINUTE.toMillis();
		Duration left = MINUTE.minusMillis(millis);
		assertThat(this.queue.countMinute()).isEqualTo(left);
		this.harness.advance(left.minusMillis(1));
		assertThat(this.queue.countMinute()).isEqualTo(Duration.ofMillis(1));
		assertThat(this.store.throughput(1)).isEmpty();
		this.harness.advance(Duration.ofMillis(1));
		assertThat(this.queue.countMinute()).isEqualTo(MINUTE);
		assertThat(this.store.throughput(1)).hasSize(1);
	}

	@Test
	void missedMinutesArePartOfTheNextSample() {
		this.queue.countMinute();
		Instant from = this.harness.now();
		this.user.enqueue(TestJob.of("a"));
		this.harness.advance(MINUTE.multipliedBy(5));
		this.user.enqueue(TestJob.of("b"));
		this.queue.countMinute();
		assertThat(this.store.throughput(60)).singleElement().satisfies((sample) -> {
			assertThat(sample.from()).isEqualTo(from);
			assertThat(sample.to()).isEqualTo(this.harness.now());
			assertThat(sample.total().accepted()).isEqualTo(2);
		});
	}

	@Test
	void minuteWithoutEventsIsAnEmptySample() {
		this.user.enqueue(TestJob.of("a"));
		this.queue.countMinute();
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(this.store.throughput(60)).singleElement()
			.satisfies((sample) -> assertThat(sample.queues()).isEmpty());
	}

	@Test
	void minuteThatComesAgainAfterTheClockWasSetBackHasOneSample() {
		this.queue.countMinute();
		this.harness.advance(MINUTE.multipliedBy(2));
		this.user.enqueue(TestJob.of("a"));
		this.queue.countMinute();
		this.harness.advance(MINUTE.multipliedBy(-2));
		this.queue.countMinute();
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		this.harness.advance(MINUTE);
		this.user.enqueue(TestJob.of("b"));
		this.queue.countMinute();
		assertThat(accepted()).containsExactly(0L, 1L);
	}

	@Test
	void onlyTheLastHoursAreKept() {
		this.queue.countMinute();
		for (int i = 0; i < ThroughputSample.KEPT_MINUTES + 10; i++) {
			this.user.enqueue(TestJob.of("job" + i));
			this.harness.advance(MINUTE);
			this.queue.countMinute();
		}
		assertThat(this.store.throughput(ThroughputSample.KEPT_MINUTES)).hasSize(ThroughputSample.KEPT_MINUTES)
			.allSatisfy((sample) -> assertThat(sample.total().accepted()).isEqualTo(1))
			.isSortedAccordingTo((one, other) -> one.to().compareTo(other.to()));
		assertThat(this.store.throughput(5)).hasSize(5)
			.last()
			.extracting(ThroughputSample::to)
			.isEqualTo(this.harness.now());
		this.harness.advance(MINUTE.multipliedBy(3));
		assertThat(this.store.throughput(5)).hasSize(2);
		this.harness.advance(MINUTE.multipliedBy(ThroughputSample.KEPT_MINUTES));
		assertThat(this.store.throughput(ThroughputSample.KEPT_MINUTES)).isEmpty();
	}

	@Test
	void queueThatWasRemovedAndIsNewAgainIsCountedFromZero() {
		this.user.enqueue(TestJob.of("a").in("gone"));
		this.user.enqueue(TestJob.of("b").in("gone"));
		this.queue.countMinute();
		forget("gone");
		this.queue.countMinute();
		this.user.enqueue(TestJob.of("c").in("gone"));
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(accepted()).last().isEqualTo(1L);
	}

	@Test
	void queueThatIsEmptyAndListedAgainIsNotCountedTwice() {
		this.user.enqueue(TestJob.of("a").in("gone"));
		this.queue.countMinute();
		this.store.remove("gone");
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		this.user.enqueue(TestJob.of("b").in("gone"));
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(accepted()).containsExactly(0L, 1L);
	}

	@Test
	void queueThatBeginsAnewBetweenTwoSamplesIsCountedFromZero() {
		this.user.enqueue(TestJob.of("a").in("gone"));
		this.user.enqueue(TestJob.of("b").in("gone"));
		this.user.enqueue(TestJob.of("c").in("gone"));
		this.queue.countMinute();
		forget("gone");
		this.user.enqueue(TestJob.of("d").in("gone"));
		this.user.enqueue(TestJob.of("e").in("gone"));
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(accepted()).containsExactly(2L);
	}

	@Test
	void queueThatBeginsAnewAndReceivesMoreThanBeforeIsCountedFromZero() {
		this.user.enqueue(TestJob.of("a").in("gone"));
		this.store.remove("gone");
		this.queue.countMinute();
		forget("gone");
		this.user.enqueue(TestJob.of("b").in("gone"));
		this.user.enqueue(TestJob.of("c").in("gone"));
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(accepted()).containsExactly(2L);
	}

	@Test
	void queueThatWasUnlistedBeforeTheFirstSampleIsNotCountedWhole() {
		this.user.enqueue(TestJob.of("a").in("gone"));
		this.user.enqueue(TestJob.of("b").in("gone"));
		this.store.remove("gone");
		this.queue.countMinute();
		this.user.enqueue(TestJob.of("c").in("gone"));
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(this.store.throughput(60)).singleElement()
			.extracting(ThroughputSample::queues)
			.isEqualTo(List.of(new QueueThroughput("gone", 1, 0, 0, 0, 0, 0, 0, 0)));
	}

	@Test
	void queueThatComesAmongTheFirstThousandIsNotCountedWhole() {
		for (int i = 0; i <= 1000; i++) {
			this.user.enqueue(TestJob.of("job" + i).in("queue%04d".formatted(i)));
		}
		this.user.update(UpdateAction.Kind.CANCEL, "job0");
		this.queue.countMinute();
		this.store.remove("queue0000");
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		this.user.enqueue(TestJob.of("more").in("queue1000"));
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(accepted()).containsExactly(0L, 1L);
	}

	private void forget(String queue) {
		this.store.remove(queue);
		this.harness.advance(Duration.ofMinutes(61));
		this.user.serve();
		assertThat(this.store.queues()).doesNotContain(queue);
	}

	@Test
	void queuesThatAreTooManyAreSummed() {
		this.queue.countMinute();
		for (int i = 0; i < ThroughputSample.MAX_QUEUES + 7; i++) {
			this.user.enqueue(TestJob.of("job" + i).in("queue" + i));
		}
		this.user.enqueue(TestJob.of("more").in("queue3"));
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		ThroughputSample sample = this.store.throughput(1).get(0);
		assertThat(sample.queues()).hasSize(ThroughputSample.MAX_QUEUES + 1);
		assertThat(sample.queues().get(0)).isEqualTo(new QueueThroughput("queue3", 2, 0, 0, 0, 0, 0, 0, 0));
		assertThat(sample.queues()).last().isEqualTo(new QueueThroughput("", 7, 0, 0, 0, 0, 0, 0, 0));
		assertThat(sample.total().accepted()).isEqualTo(ThroughputSample.MAX_QUEUES + 8);
	}

	@Test
	void deathsOfWorkersAreFailedAttemptsWhenTheyCount() {
		this.user.enqueue(TestJob.of("a"));
		this.queue.countMinute();
		for (int i = 0; i < 3; i++) {
			this.user.take();
			this.user.advance(TestJob.LEASE);
			this.user.serve();
		}
		this.harness.advance(MINUTE);
		this.queue.countMinute();
		assertThat(this.store.throughput(60)).last()
			.extracting((sample) -> sample.total().failedAttempts())
			.isEqualTo(1L);
	}

	@Test
	void otherNumbersOfMinutesAreRefused() {
		for (int minutes : new int[] { -1, 0, ThroughputSample.KEPT_MINUTES + 1 }) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.store.throughput(minutes))
				.withMessageContaining("From 1 to 240");
		}
	}

	private List<Long> accepted() {
		return this.store.throughput(60).stream().map((sample) -> sample.total().accepted()).toList();
	}

}
