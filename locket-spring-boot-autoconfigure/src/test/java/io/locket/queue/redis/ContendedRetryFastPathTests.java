package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fast path that parks jobs which have run before or were replaced, and
 * hands keys over to them. It stores the same as the general scripts.
 */
class ContendedRetryFastPathTests {

	private static final Duration DELAY = Duration.ofSeconds(5);

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	private final QueueFixture fast = this.pair.fast;

	@AfterEach
	void close() {
		this.pair.close();
	}

	/**
	 * Returns a job that replaces an earlier one while that waits, and is due later, so
	 * that it does not start before the holder of its key.
	 */
	private static NewJob job(String id) {
		return QueueFixture.job(id, LockStrategy.UNTIL_AND_WHILE_EXECUTING, "key")
			.copy()
			.retries(9)
			.start(NewJob.Start.in(DELAY))
			.onDuplicate(DuplicateStrategy.REPLACE)
			.build();
	}

	private static NewJob holder(String id) {
		return QueueFixture.job(id, LockStrategy.WHILE_EXECUTING, "key");
	}

	/**
	 * Starts jobs by the fast paths and by the general scripts, and compares the results.
	 */
	private List<ReservedJob> start(int slots) {
		ReservationRequest request = QueueFixture.request(slots, "default");
		Reservation reservation = this.fast.queue.reserve(request);
		assertThat(ids(reservation)).isEqualTo(ids(this.pair.general.queue.reserve(request)));
		assertSame();
		return reservation.jobs();
	}

	private static List<String> ids(Reservation reservation) {
		return reservation.jobs().stream().map((run) -> run.record().id()).toList();
	}

	/**
	 * Compares the events, the job and the counts of both ways. After a handover, fences
	 * and the time of the next check of the key differ, and ended records may.
	 */
	private void assertSame() {
		assertThat(this.fast.events).containsExactlyInAnyOrderElementsOf(this.pair.general.events);
		assertThat(this.fixture.store.find("job")).isEqualTo(this.pair.other.store.find("job"));
		assertThat(this.fixture.store.counts("default")).isEqualTo(this.pair.other.store.counts("default"));
		if (state() == JobState.READY || state() == JobState.PARKED) {
			this.pair.assertRecordIsSame("job");
		}
	}

	private ReservedJob start(String id) {
		ReservedJob run = start(1).get(0);
		assertThat(run.record().id()).isEqualTo(id);
		return run;
	}

	private @Nullable Reservation end(ReservedJob run, int slots) {
		ReservationRequest next = (slots > 0) ? QueueFixture.request(slots, "default") : null;
		List<RunEnd> ends = List.of(RunEnd.succeeded(run));
		Settlement settlement = this.fast.queue.settle(ends, next);
		assertThat(settlement.ends()).isEqualTo(this.pair.general.queue.settle(ends, next).ends());
		assertSame();
		return settlement.next();
	}

	/**
	 * Starts the job when it is due, by all scripts.
	 */
	private ReservedJob startJob() {
		this.pair.advance(DELAY);
		return start("job");
	}

	private void endByAll(RunEnd end) {
		this.pair.both((each) -> each.queue.settle(List.of(end), null));
	}

	private JobState state() {
		return this.fixture.store.find("job").orElseThrow().state();
	}

	@ParameterizedTest
	@EnumSource(Kind.class)
	void jobIsParkedAndGetsTheKey(Kind kind) {
		ReservedJob holder = kind.startHolder(this);
		assertThat(start(2)).isEmpty();
		assertThat(state()).isEqualTo(JobState.PARKED);
		this.pair.assertStoreIsSame();
		this.pair.enqueue(holder("later"));
		assertThat(start(2)).isEmpty();
		Reservation next = end(holder, 2);
		assertThat(next).isNotNull();
		assertThat(next.jobs()).singleElement().satisfies((run) -> {
			assertThat(run.record().id()).isEqualTo("job");
			assertThat(run.record().attempt()).isEqualTo(kind.failures);
			assertThat(run.keyLeased()).isTrue();
		});
		Reservation last = end(next.jobs().get(0), 1);
		assertThat(last).isNotNull();
		assertThat(ids(last)).containsExactly("later");
	}

	/**
	 * The key is free before a slot is.
	 */
	@ParameterizedTest
	@EnumSource(Kind.class)
	void jobIsPromotedAndHandedOut(Kind kind) {
		ReservedJob holder = kind.startHolder(this);
		assertThat(start(2)).isEmpty();
		end(holder, 0);
		assertThat(state()).isEqualTo(JobState.READY);
		start("job");
	}

	@ParameterizedTest
	@EnumSource(Kind.class)
	void promotedJobIsParkedAgain(Kind kind) {
		ReservedJob holder = kind.startHolder(this);
		assertThat(start(2)).isEmpty();
		end(holder, 0);
		this.pair.both((each) -> each.takeForeign(QueueFixture.key("key"), DELAY));
		assertThat(start(2)).isEmpty();
		assertThat(state()).isEqualTo(JobState.PARKED);
	}

	/**
	 * The jobs of one key follow in their order, with heads or without.
	 */
	@Test
	void jobsOfAKeyKeepTheirOrder() {
		ReservedJob run = Kind.FAILED.startHolder(this);
		assertThat(start(1)).isEmpty();
		this.pair.enqueue(holder("second"), holder("third"));
		assertThat(start(4)).isEmpty();
		for (String id : List.of("job", "second", "third")) {
			Reservation next = end(run, 1);
			assertThat(next).isNotNull();
			run = next.jobs().get(0);
			assertThat(run.record().id()).isEqualTo(id);
		}
	}

	@ParameterizedTest
	@EnumSource(Damage.class)
	void otherParkedJobsAreLeftToTheGeneralScripts(Damage damage) {
		ReservedJob holder = Kind.FAILED.startHolder(this);
		assertThat(start(2)).isEmpty();
		byte[] record = this.fixture.record("job");
		damage.change(this.fixture);
		Map<String, String> before = QueuePair.stored(this.fixture);
		ReservationRequest next = QueueFixture.request(1, "default");
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> this.fast.queue.settle(List.of(RunEnd.succeeded(holder)), next));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.fixture.record("job", record);
		this.pair.both((each) -> each.queue.settle(List.of(RunEnd.succeeded(holder)), null));
	}

	/**
	 * Jobs whose records have a head while they wait.
	 */
	private enum Kind {

		FAILED(1) {

			@Override
			void change(ContendedRetryFastPathTests test) {
				test.endByAll(RunEnd.retry(test.startJob(), DELAY, "it broke"));
			}

		},

		FAILED_TWICE(2) {

			@Override
			void change(ContendedRetryFastPathTests test) {
				test.endByAll(RunEnd.retry(test.startJob(), DELAY, "it broke"));
				test.endByAll(RunEnd.retry(test.startJob(), DELAY, "it \"broke\" again"));
			}

		},

		REPLACED(0) {

			@Override
			void change(ContendedRetryFastPathTests test) {
				test.pair.enqueue(job("newer"));
			}

		};

		final int failures;

		Kind(int failures) {
			this.failures = failures;
		}

		/**
		 * Gives the job its head.
		 */
		abstract void change(ContendedRetryFastPathTests test);

		/**
		 * Starts another job of the same key before the job is ready.
		 */
		ReservedJob startHolder(ContendedRetryFastPathTests test) {
			test.pair.enqueue(job("job"));
			change(test);
			test.pair.enqueue(holder("holder"));
			ReservedJob holder = test.start("holder");
			test.pair.advance(DELAY.plusSeconds(1));
			return holder;
		}

	}

	/**
	 * Changes of a record that the fast path does not serve.
	 */
	private enum Damage {

		MISSING, CANCELLED, LISTED, STATE, KEY, PLACE, JSON, SIZE;

		void change(QueueFixture queue) {
			switch (this) {
				case MISSING -> queue.redis.opsForHash().delete(queue.name("jobs"), "job");
				case CANCELLED -> queue.change("job", (record) -> record.with("cx", 1));
				case LISTED -> queue.change("job", (record) -> record.with("g", 1));
				case KEY -> queue.change("job", (record) -> record.with("k", QueueFixture.key(2).digest()));
				case PLACE -> queue.change("job", (record) -> record.with("n", 77));
				case STATE -> queue.change("job", (record) -> record.with("s", "ready"));
				case JSON -> queue.change("job", (record) -> record.withJson("er", "\"it \"broke\""));
				case SIZE -> {
					byte[] record = queue.record("job");
					record[17]++;
					queue.record("job", record);
				}
			}
		}

	}

}
