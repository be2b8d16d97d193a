package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import io.locket.queue.Violation;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for damaged records. Each test damages one byte of the record of one job in each
 * of many queues with a {@code max-running} of one. The other job of each queue runs. A
 * damaged record that is still valid blocks no other job either.
 */
class RecordByteDamageTests {

	private static final int QUEUES = 100;

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource
	void truncatedRecordDelaysNoOtherJob(Stage stage) {
		survive(stage, (i, record) -> Arrays.copyOf(record, i * record.length / QUEUES));
	}

	@ParameterizedTest
	@EnumSource
	void flippedBitOfEachByteDelaysNoOtherJob(Stage stage) {
		survive(stage, (i, record) -> {
			int at = i * record.length / QUEUES;
			return changed(record, at, (byte) (record[at] ^ 1));
		});
	}

	@ParameterizedTest
	@EnumSource
	@Tag("scale")
	void changedByteDelaysNoOtherJob(Stage stage) {
		Random random = new Random(stage.ordinal());
		survive(stage, (i, record) -> changed(record, random.nextInt(record.length), (byte) random.nextInt(256)));
	}

	@ParameterizedTest
	@EnumSource
	void randomBytesDelayNoOtherJob(Stage stage) {
		Random random = new Random(stage.ordinal());
		survive(stage, (i, record) -> {
			byte[] bytes = new byte[random.nextInt(300)];
			random.nextBytes(bytes);
			if (bytes.length > 0 && i % 2 == 0) {
				bytes[0] = (byte) ((i % 4 == 0) ? 1 : RecordBytes.WITHOUT_HEAD + 1);
			}
			return bytes;
		});
	}

	@ParameterizedTest
	@EnumSource
	@Tag("scale")
	void anyByteMayBeAnyOther(Stage stage) {
		for (int seed = 0; seed < 40; seed++) {
			try (QueueFixture other = QueueFixture.manual()) {
				Random random = new Random(seed);
				stage.prepare(other);
				new Trial(other, stage)
					.survive((i, record) -> changed(record, random.nextInt(record.length), (byte) random.nextInt(256)));
			}
		}
	}

	private void survive(Stage stage, BiFunction<Integer, byte[], byte[]> damage) {
		stage.prepare(this.fixture);
		new Trial(this.fixture, stage).survive(damage);
	}

	private static byte[] changed(byte[] record, int at, byte value) {
		byte[] changed = record.clone();
		changed[at] = value;
		return changed;
	}

	private static String queue(int i) {
		return "q" + (100 + i);
	}

	private static ReservationRequest request(int slots) {
		ReservationRequest request = QueueFixture.request(slots);
		List<QueueLimit> limits = IntStream.range(0, QUEUES).mapToObj((i) -> new QueueLimit(queue(i), 1)).toList();
		return new ReservationRequest(request.id(), request.poller(), request.instance(), request.thread(), limits,
				slots);
	}

	/**
	 * A state in which jobs are whose records are damaged.
	 */
	enum Stage {

		READY, SCHEDULED, RETRY, PARKED, RUNNING, SUCCEEDED, DEAD;

		/**
		 * Brings the jobs into this state.
		 */
		void prepare(QueueFixture fixture) {
			if (this == PARKED) {
				fixture.takeForeign(QueueFixture.key("bad"), Duration.ofSeconds(30));
			}
			fixture.queue.enqueue(IntStream.range(0, QUEUES).mapToObj(this::bad).toList());
			if (this != READY && this != SCHEDULED) {
				run(fixture);
			}
			fixture.queue.enqueue(
					IntStream.range(0, QUEUES).mapToObj((i) -> TestJob.of("good" + i).in(queue(i)).build()).toList());
			assertThat(fixture.store.verify()).isEmpty();
		}

		private NewJob bad(int i) {
			NewJob job = QueueFixture.job("bad" + i, queue(i), LockStrategy.UNTIL_AND_WHILE_EXECUTING, "bad", i);
			return job.copy()
				.unique((this == PARKED) ? LockStrategy.WHILE_EXECUTING : job.lock(),
						(this == PARKED) ? QueueFixture.key("bad") : job.key(), null)
				.start((this == SCHEDULED) ? NewJob.Start.in(Duration.ofSeconds(30)) : job.start())
				.holdAtLeast(Duration.ZERO)
				.retries(3)
				.trace((i % 2 == 0) ? "trace" : null)
				.build();
		}

		private void run(QueueFixture fixture) {
			List<ReservedJob> jobs = new ArrayList<>();
			Reservation next;
			do {
				next = fixture.queue.reserve(request(QUEUES));
				jobs.addAll(next.jobs());
			}
			while (next.cutShort() || !next.jobs().isEmpty());
			List<RunEnd> ends = jobs.stream().map((job) -> switch (this) {
				case RETRY -> RunEnd.retry(job, Duration.ofSeconds(30), "it broke");
				case DEAD -> RunEnd.dead(job, "it broke");
				default -> RunEnd.succeeded(job);
			}).toList();
			if (this != RUNNING && !ends.isEmpty()) {
				fixture.queue.settle(ends, null);
			}
		}

		Duration lasts() {
			return switch (this) {
				case SUCCEEDED -> Duration.ofHours(2);
				case DEAD -> Duration.ofDays(31);
				default -> Duration.ofSeconds(36);
			};
		}

	}

	/**
	 * Queues of which the records are damaged.
	 *
	 * @param fixture the queues
	 * @param stage the state of the jobs whose records are damaged
	 */
	private record Trial(QueueFixture fixture, Stage stage) {

		void survive(BiFunction<Integer, byte[], byte[]> damage) {
			for (int i = 0; i < QUEUES; i++) {
				this.fixture.record("bad" + i, damage.apply(i, this.fixture.record("bad" + i)));
			}
			this.fixture.advance(this.stage.lasts());
			serve();
			if (this.stage == Stage.RUNNING) {
				assertNothingRuns();
			}
			Set<String> heldUp = IntStream.range(0, QUEUES)
				.mapToObj((i) -> "good" + i)
				.collect(Collectors.toCollection(TreeSet::new));
			// A job that was reclaimed is handed out alone.
			for (int i = 0; i < 5 * QUEUES && !heldUp.isEmpty(); i++) {
				List<ReservedJob> jobs = this.fixture.queue.reserve(request(QUEUES)).jobs();
				jobs.forEach((job) -> heldUp.remove(job.record().id()));
				if (!jobs.isEmpty()) {
					this.fixture.queue.settle(jobs.stream().map(RunEnd::succeeded).toList(), null);
				}
			}
			assertThat(heldUp).isEmpty();
			this.fixture.store.repair();
			assertThat(this.fixture.store.verify()).isEmpty();
		}

		/**
		 * Serves what is due, of which each reservation serves a bounded part.
		 */
		private void serve() {
			while (this.fixture.reserve(0).cutShort()) {
				continue;
			}
		}

		/**
		 * Checks that the counts of running jobs are right without a repair.
		 */
		private void assertNothingRuns() {
			List<Violation> found = this.fixture.store.verify();
			assertThat(found).extracting(Violation::description)
				.noneMatch((description) -> description.contains(" running jobs and counts"));
			assertThat(IntStream.range(0, QUEUES).mapToObj((i) -> queue(i)))
				.allMatch((queue) -> this.fixture.store.counts(queue).in(JobState.RUNNING) == 0);
		}

	}

}
