package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import io.locket.redis.RedisConnections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the retention of ended jobs, and for the data that a job leaves behind.
 */
class RetentionTests {

	private static final Duration FLOOR = Duration.ofSeconds(10);

	private static final QueueSettings SETTINGS = new QueueSettings(Duration.ofSeconds(2), 3, Duration.ofMinutes(5), 10,
			Duration.ofDays(1), 5);

	private static final QueueSettings KEPT_FOR_A_SECOND = new QueueSettings(Duration.ofSeconds(2), 3,
			Duration.ofSeconds(1), 1000, Duration.ofSeconds(1), 1000);

	private final QueueFixture fixture = QueueFixture.manual();

	private final RedisJobQueue queue = queue(SETTINGS);

	private int jobs;

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.queue.close();
		this.fixture.close();
	}

	private RedisJobQueue queue(QueueSettings settings) {
		RedisConnections connections = new RedisConnections(this.fixture.connectionFactory,
				this.fixture.connectionFactory, Duration.ofSeconds(2), () -> {
				});
		return new RedisJobQueue(connections, this.fixture.leaseKeys, settings, new JobEventPublisher(List.of()),
				QueueFixture.manualScripts());
	}

	private void endAll(int count, RunEnd.Kind kind) {
		for (int i = 0; i < count; i++) {
			this.queue.enqueue(QueueFixture.job("job" + this.jobs++, LockStrategy.NONE));
			ReservedJob job = this.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
			this.queue.settle(List.of(end(job, kind)), null);
			this.fixture.advance(Duration.ofMillis(1));
		}
	}

	private static RunEnd end(ReservedJob job, RunEnd.Kind kind) {
		return (kind == RunEnd.Kind.DEAD) ? RunEnd.dead(job, "it broke") : RunEnd.succeeded(job);
	}

	/**
	 * Polls as an idle worker does. It forgets what has ended every half minute.
	 */
	private void poll(int times) {
		for (int i = 0; i < times; i++) {
			this.queue.reserve(QueueFixture.request(1, "default"));
			this.fixture.advance(Duration.ofSeconds(30));
		}
	}

	private long size(String name) {
		return this.fixture.redis.opsForZSet().zCard(this.fixture.name(name));
	}

	@Test
	void nothingIsForgottenWhileACallMayBeRepeated() {
		endAll(40, RunEnd.Kind.SUCCEEDED);
		poll(1);
		assertThat(size("ended")).isEqualTo(40);
		assertThat(this.queue.enqueue(QueueFixture.job("job0", LockStrategy.NONE)))
			.isEqualTo(new EnqueueResult.Accepted("job0"));
		assertThat(this.fixture.store.counts("default").accepted()).isEqualTo(40);
	}

	/**
	 * Runs that end purge the history with every 64th of them.
	 */
	@Test
	void busyQueueForgetsNothingWhileACallMayBeRepeated() {
		endAll(64, RunEnd.Kind.SUCCEEDED);
		assertThat(size("ended")).isEqualTo(64);
		assertThat(this.queue.enqueue(QueueFixture.job("job0", LockStrategy.NONE)))
			.isEqualTo(new EnqueueResult.Accepted("job0"));
		assertThat(this.fixture.store.counts("default").accepted()).isEqualTo(64);
	}

	@ParameterizedTest
	@EnumSource(names = { "SUCCEEDED", "DEAD" })
	void jobThatIsKeptForASecondIsKeptWhileACallMayBeRepeated(RunEnd.Kind kind) {
		String set = (kind == RunEnd.Kind.DEAD) ? "dead" : "ended";
		this.queue.enqueue(
				IntStream.range(100, 228).mapToObj((i) -> QueueFixture.job("job" + i, LockStrategy.NONE)).toList());
		try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()),
				KEPT_FOR_A_SECOND)) {
			end(fast, 63, kind);
			this.fixture.advance(Duration.ofSeconds(2));
			end(fast, 1, kind);
			assertThat(size(set)).isEqualTo(64);
			this.fixture.advance(FLOOR);
			end(fast, 64, kind);
		}
		assertThat(this.fixture.store.find("job100")).isEmpty();
		assertThat(this.fixture.store.find("job227")).isPresent();
	}

	@ParameterizedTest
	@EnumSource(names = { "SUCCEEDED", "DEAD" })
	void pollByTheGeneralScriptsKeepsAJobWhileACallMayBeRepeated(RunEnd.Kind kind) {
		this.queue.enqueue(QueueFixture.job("job", LockStrategy.NONE));
		try (QueueFixture general = this.fixture.with(GeneralScripts.of(QueueFixture.manualScripts()),
				KEPT_FOR_A_SECOND)) {
			end(general, 1, kind);
			this.fixture.advance(Duration.ofSeconds(2));
			general.reserve(1, "default");
			assertThat(this.fixture.store.find("job")).isPresent();
			this.fixture.advance(FLOOR);
			general.reserve(1, "default");
			assertThat(this.fixture.store.find("job")).isEmpty();
		}
	}

	private static void end(QueueFixture fixture, int count, RunEnd.Kind kind) {
		List<ReservedJob> jobs = fixture.reserve(count, "default").jobs();
		fixture.queue.settle(jobs.stream().map((job) -> end(job, kind)).toList(), null);
	}

	@Test
	void historyIsBoundedByNumber() {
		endAll(40, RunEnd.Kind.SUCCEEDED);
		this.fixture.advance(FLOOR);
		poll(5);
		assertThat(size("ended")).isEqualTo(10);
		assertThat(this.fixture.store.find("job0")).isEmpty();
		assertThat(this.fixture.store.find("job39")).isPresent();
		assertThat(this.fixture.store.counts("default").in(JobState.SUCCEEDED)).isEqualTo(40);
	}

	@Test
	void idleWorkerPurgesWhatHasBeenTooOldForHalfAMinute() {
		endAll(3, RunEnd.Kind.SUCCEEDED);
		this.fixture.advance(Duration.ofMinutes(5).plusSeconds(20));
		poll(1);
		assertThat(size("ended")).isEqualTo(3);
		poll(1);
		assertThat(size("ended")).isZero();
	}

	@Test
	void idleWorkerPurgesWhatHasBeenTooManyForHalfAMinute() {
		endAll(7, RunEnd.Kind.DEAD);
		this.fixture.advance(FLOOR.plusSeconds(20));
		poll(1);
		assertThat(size("dead")).isEqualTo(7);
		poll(1);
		assertThat(size("dead")).isEqualTo(5);
	}

	@Test
	void workerWithFewJobsAndAFullHistoryPurgesManyOfThemTogether() {
		List<Long> sizes = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			this.queue.enqueue(QueueFixture.job("job" + i, LockStrategy.NONE));
			ReservedJob job = this.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
			this.queue.settle(List.of(RunEnd.succeeded(job)), QueueFixture.request(1, "default"));
			this.queue.reserve(QueueFixture.request(1, "default"));
			sizes.add(size("ended"));
			this.fixture.advance(Duration.ofSeconds(5));
		}
		assertThat(Collections.max(sizes)).isBetween(16L, 18L);
		assertThat(IntStream.range(1, sizes.size()).filter((i) -> sizes.get(i) <= sizes.get(i - 1)).count())
			.as("purges of %s", sizes)
			.isBetween(6L, 9L);
	}

	/**
	 * Checks that records with large arguments are purged in several calls, so that none
	 * takes long.
	 */
	@ParameterizedTest
	@EnumSource(names = { "SUCCEEDED", "DEAD" })
	void largeRecordsArePurgedInSeveralCalls(RunEnd.Kind kind) {
		String large = "[\"" + "x".repeat(300_000) + "\"]";
		for (int i = 0; i < 30; i++) {
			NewJob job = QueueFixture.job("large" + i, LockStrategy.NONE).copy().arguments(large).build();
			this.queue.enqueue(List.of(job));
			ReservedJob run = this.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
			this.queue.settle(List.of(new RunEnd(run.record().id(), run.token(), kind, Duration.ZERO, "it broke")),
					null);
		}
		this.fixture.advance(Duration.ofDays(2));
		String set = (kind == RunEnd.Kind.DEAD) ? "dead" : "ended";
		List<Long> sizes = new ArrayList<>();
		while (size(set) > 0) {
			assertThat(sizes).hasSizeLessThan(10);
			boolean cutShort = this.queue.reserve(QueueFixture.request(1, "default")).cutShort();
			sizes.add(size(set));
			assertThat(cutShort).isEqualTo(size(set) > 0);
		}
		assertThat(sizes).containsExactly(22L, 14L, 6L, 0L);
	}

	/**
	 * Checks large dead letters of a later version, of which each call removes few.
	 */
	@Test
	void largeDeadLettersThatCannotBeReadArePurgedInSeveralCalls() {
		String large = "[\"" + "x".repeat(300_000) + "\"]";
		for (int i = 0; i < 12; i++) {
			NewJob job = QueueFixture.job("large" + i, LockStrategy.NONE).copy().arguments(large).build();
			this.queue.enqueue(List.of(job));
			ReservedJob run = this.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
			this.queue.settle(List.of(RunEnd.dead(run, "it broke")), null);
			this.fixture.change("large" + i, (record) -> record.version(2));
		}
		this.fixture.advance(Duration.ofDays(2));
		List<Long> sizes = new ArrayList<>();
		while (size("dead") > 0) {
			assertThat(sizes).hasSizeLessThan(10);
			this.queue.reserve(QueueFixture.request(1, "default"));
			sizes.add(size("dead"));
		}
		assertThat(sizes).containsExactly(8L, 4L, 0L);
	}

	/**
	 * Checks that a full set of dead letters does not leave each purge to the general
	 * scripts.
	 */
	@Test
	void fewDeadLettersTooManyDoNotStopTheFastPath() {
		endAll(8, RunEnd.Kind.DEAD);
		this.fixture.advance(FLOOR);
		assertThat(size("dead")).isGreaterThan(5);
		try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()), SETTINGS)) {
			for (int i = 0; i < 64; i++) {
				this.queue.enqueue(QueueFixture.job("fast" + i, LockStrategy.NONE));
				ReservedJob job = fast.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
				fast.queue.settle(List.of(RunEnd.succeeded(job)), null);
			}
		}
		assertThat(size("dead")).isGreaterThan(5);
		poll(2);
		assertThat(size("dead")).isEqualTo(5);
	}

	@Test
	void historyIsBoundedByAge() {
		endAll(3, RunEnd.Kind.SUCCEEDED);
		this.fixture.advance(Duration.ofMinutes(6));
		poll(1);
		assertThat(size("ended")).isZero();
		assertThat(this.fixture.redis.opsForHash().size(this.fixture.name("jobs"))).isZero();
	}

	/**
	 * Such a job is among the ended ones only in damaged data.
	 */
	@Test
	void delayedJobIsNeverPurged() {
		this.queue.enqueue(QueueFixture.job("delayed", LockStrategy.NONE)
			.copy()
			.start(NewJob.Start.in(Duration.ofDays(1)))
			.build());
		for (QueueScripts scripts : List.of(GeneralScripts.of(QueueFixture.manualScripts()),
				QueueFixture.manualScripts())) {
			this.fixture.redis.opsForZSet().add(this.fixture.name("ended"), "delayed", 1);
			try (QueueFixture other = this.fixture.with(scripts)) {
				other.reserve(1, "default");
			}
			assertThat(this.fixture.store.find("delayed")).isPresent();
			assertThat(size("ended")).isZero();
		}
	}

	@Test
	void busyQueueForgetsAsItGoes() {
		endAll(60, RunEnd.Kind.SUCCEEDED);
		this.fixture.advance(FLOOR);
		endAll(20, RunEnd.Kind.SUCCEEDED);
		assertThat(size("ended")).isLessThan(80);
	}

	@Test
	void busyQueueWhoseRunsFailForgetsAsItGoes() {
		int jobs = 60;
		this.queue.enqueue(
				IntStream.range(0, jobs + 2).mapToObj((i) -> QueueFixture.job("job" + i, LockStrategy.NONE)).toList());
		Reservation reservation = this.queue.reserve(QueueFixture.request(1, "default"));
		for (int i = 0; i < jobs; i++) {
			ReservedJob job = reservation.jobs().get(0);
			reservation = this.queue.settle(
					List.of(new RunEnd(job.record().id(), job.token(), RunEnd.Kind.DEAD, Duration.ZERO, "it broke")),
					QueueFixture.request(1, "default"))
				.next();
			this.fixture.advance(Duration.ofSeconds(1));
		}
		assertThat(size("dead")).isLessThan(20);
	}

	@Test
	void busyQueueWhoseJobsAreDiscardedForgetsAsItGoes() {
		this.fixture.takeForeign(QueueFixture.key("key"), Duration.ofHours(1));
		for (int i = 0; i < 30; i++) {
			for (int conflict = 0; conflict < 5; conflict++) {
				this.queue
					.enqueue(QueueFixture.job("conflict" + i + "-" + conflict, LockStrategy.WHILE_EXECUTING, "key")
						.copy()
						.onConflict(ConflictStrategy.REJECT)
						.build());
			}
			this.queue.enqueue(QueueFixture.job("free" + i, LockStrategy.NONE));
			assertThat(this.queue.reserve(QueueFixture.request(1, "default")).jobs()).hasSize(1);
			this.fixture.advance(Duration.ofSeconds(1));
		}
		assertThat(this.fixture.store.counts("default").in(JobState.DISCARDED)).isEqualTo(150);
		assertThat(size("ended")).isLessThan(80);
	}

	@Test
	void fewDeadLettersThatCannotBeReadAreForgottenAtOnce() {
		endAll(12, RunEnd.Kind.DEAD);
		for (int i = 0; i < 10; i++) {
			this.fixture.change("job" + i, (record) -> record.version(2));
		}
		this.fixture.advance(Duration.ofDays(2));
		assertThat(this.queue.reserve(QueueFixture.request(1, "default")).cutShort()).isTrue();
		assertThat(size("dead")).isEqualTo(6);
		poll(2);
		assertThat(size("dead")).isZero();
	}

	@Test
	void deadLettersAreBoundedByNumberAndAge() {
		endAll(20, RunEnd.Kind.DEAD);
		this.fixture.advance(FLOOR);
		poll(2);
		assertThat(size("dead")).isEqualTo(5);
		assertThat(this.fixture.store.counts("default").deadLetters()).isEqualTo(5);
		assertThat(this.fixture.store.counts("default").in(JobState.DEAD)).isEqualTo(20);
		assertThat(this.fixture.store.find("job19")).get().satisfies((job) -> {
			assertThat(job.state()).isEqualTo(JobState.DEAD);
			assertThat(job.lastError()).isEqualTo("it broke");
		});
		this.fixture.advance(Duration.ofDays(2));
		poll(1);
		assertThat(size("dead")).isZero();
		assertThat(this.fixture.store.counts("default").deadLetters()).isZero();
	}

	@Test
	void dismissedDeadLetterIsKeptWithTheHistoryFromThenOn() {
		endAll(2, RunEnd.Kind.DEAD);
		this.fixture.advance(Duration.ofHours(20));
		this.fixture.store.update(new UpdateAction(UpdateAction.Kind.DISMISS, null, "step"),
				List.of(ExpectedJob.of("job0")));
		this.fixture.store.requeue(List.of(new RequeuedJob("job1", "again")));
		this.fixture.advance(Duration.ofMinutes(4));
		this.queue.reserve(QueueFixture.request("other", 0));
		assertThat(this.fixture.store.find("job0")).isPresent();
		assertThat(this.fixture.store.requeue(List.of(new RequeuedJob("job1", "again"))))
			.containsExactly(new EnqueueResult.Accepted("again"));
		this.fixture.advance(Duration.ofMinutes(2));
		this.queue.reserve(QueueFixture.request("other", 0));
		assertThat(this.fixture.store.counts("default").deadLetters()).isZero();
		assertThat(this.fixture.store.find("job0")).isEmpty();
		assertThat(this.fixture.store.find("job1")).isEmpty();
		assertThat(this.fixture.store.find("again")).isPresent();
	}

	@Test
	void ordinaryJobTakesNeitherTicketNorLease() {
		this.queue.enqueue(QueueFixture.job("ordinary", LockStrategy.NONE));
		ReservedJob job = this.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
		assertThat(job.keyLeased()).isFalse();
		assertThat(this.fixture.redis.keys("{" + this.fixture.leaseKeys.namespace() + "}:*"))
			.noneMatch((name) -> name.contains(":lease:") || name.endsWith(":tickets") || name.endsWith(":fence"));
	}

}
