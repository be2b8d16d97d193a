package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.UpdateAction;
import io.locket.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Damages a queue with jobs in every state at random, and checks that the other jobs go
 * on, that {@code repair} leaves nothing to find, and that everything that is left runs.
 * {@code -Dlocket.random.seed=n} repeats the damage of a seed.
 */
class DamageFuzzTests {

	private static final List<String> QUEUES = List.of("default", "other");

	private static final Set<String> HEALTHY = Set.of("healthy0", "healthy1", "healthy2", "healthy3");

	@Test
	void damagedValuesHoldUpNoOtherJob() {
		seeds(6).forEach((seed) -> trial(seed, false));
	}

	@Test
	void nothingIsFoundAfterTheRepairOfWhatWasDeleted() {
		seeds(6).forEach((seed) -> trial(seed, true));
	}

	@Test
	void fieldThatIsDamagedInEveryStateHoldsUpNoOtherJob() {
		List<String> fields = fields();
		seeds(10).forEach((seed) -> trial(fields.get((int) Math.floorMod(seed * 7, (long) fields.size())), seed));
	}

	@Test
	@Tag("scale")
	void damageOfManySeedsIsSurvived() {
		seeds(80).forEach((seed) -> trial(seed, seed % 2 == 0));
	}

	@Test
	@Tag("scale")
	void everyFieldMayBeDamagedInEveryState() {
		fields().forEach((field) -> seeds(4).forEach((seed) -> trial(field, seed)));
	}

	private static List<String> fields() {
		try (QueueFixture fixture = QueueFixture.manual()) {
			new Trial(fixture).fill();
			return List.copyOf(new DamageMaker(fixture, 0, Set.of()).fields());
		}
	}

	private static void trial(String field, long seed) {
		try (QueueFixture fixture = QueueFixture.manual()) {
			new Trial(fixture).fill();
			DamageMaker damage = new DamageMaker(fixture, seed, HEALTHY);
			damage.damageField(field);
			try {
				new Trial(fixture).survive(false);
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError("field " + field + ", seed " + seed + ", " + damage + ": " + ex, ex);
			}
		}
	}

	private static LongStream seeds(int count) {
		Long seed = Long.getLong("locket.random.seed");
		return (seed != null) ? LongStream.of(seed) : LongStream.concat(LongStream.rangeClosed(1, count),
				Seeds.of(DamageFuzzTests.class, Integer.getInteger("locket.random.seeds", 0)));
	}

	private static void trial(long seed, boolean deleting) {
		try (QueueFixture fixture = QueueFixture.manual()) {
			new Trial(fixture).fill();
			assertThat(fixture.store.verify()).isEmpty();
			DamageMaker damage = new DamageMaker(fixture, seed, deleting ? Set.of() : HEALTHY);
			for (long i = 0; i <= Math.floorMod(seed, 4L); i++) {
				if (deleting) {
					damage.deleteOrAdd();
				}
				damage.damageValue();
			}
			try {
				new Trial(fixture).survive(deleting);
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError("seed " + seed + (deleting ? ", deleting, " : ", ") + damage + ": " + ex, ex);
			}
		}
	}

	/**
	 * One queue that is damaged.
	 *
	 * @param fixture the queue
	 */
	private record Trial(QueueFixture fixture) {

		/**
		 * Jobs in every state, of several strategies.
		 */
		void fill() {
			enqueue(job("ended", "default", LockStrategy.NONE));
			end(take("default"), RunEnd.Kind.SUCCEEDED);
			for (String id : List.of("letter", "dismissed", "capped")) {
				enqueue(job(id, "default", LockStrategy.UNTIL_EXPIRED));
				end(take("default"), RunEnd.Kind.DEAD);
			}
			this.fixture.store.update(new UpdateAction(UpdateAction.Kind.DISMISS, null, "step"),
					List.of(ExpectedJob.of("dismissed")));
			enqueue(job("retry", "default", LockStrategy.UNTIL_EXECUTED));
			end(take("default"), RunEnd.Kind.RETRY);
			for (LockStrategy lock : List.of(LockStrategy.NONE, LockStrategy.UNTIL_EXECUTED,
					LockStrategy.WHILE_EXECUTING)) {
				enqueue(job("running" + lock, "default", lock));
				ReservedJob run = take("default");
				this.fixture.queue
					.progress(List.of(new RunProgress(new RunToken(run.record().id(), run.token()), 1, 2, "so far")));
			}
			this.fixture.takeForeign(QueueFixture.key("parked"), Duration.ofMinutes(3));
			for (int i = 0; i < 4; i++) {
				enqueue(QueueFixture.job("parked" + i, (i < 2) ? "default" : "other", LockStrategy.WHILE_EXECUTING,
						"parked"));
			}
			enqueue(QueueFixture.job("first", "other", LockStrategy.UNTIL_AND_WHILE_EXECUTING, "promoted"));
			ReservedJob first = take("other");
			enqueue(QueueFixture.job("promoted", "other", LockStrategy.UNTIL_AND_WHILE_EXECUTING, "promoted"));
			assertThat(this.fixture.reserveIds(8, "default", "other")).isEmpty();
			end(first, RunEnd.Kind.SUCCEEDED);
			enqueue(job("scheduled", "default", LockStrategy.UNTIL_EXECUTED, Duration.ofMinutes(1)));
			enqueue(job("later", "other", LockStrategy.NONE, Duration.ofMinutes(2)));
			for (LockStrategy lock : List.of(LockStrategy.UNTIL_EXECUTING, LockStrategy.UNTIL_EXECUTED,
					LockStrategy.UNTIL_EXPIRED, LockStrategy.NONE)) {
				enqueue(job("ready" + lock, "default", lock));
			}
			for (String id : new TreeSet<>(HEALTHY)) {
				enqueue(QueueFixture.job(id, id.endsWith("3") ? "other" : "default", LockStrategy.NONE));
			}
		}

		private static NewJob job(String id, String queue, LockStrategy lock) {
			return job(id, queue, lock, Duration.ZERO);
		}

		private static NewJob job(String id, String queue, LockStrategy lock, Duration delay) {
			NewJob job = QueueFixture.job(id, queue, lock, id);
			return job.copy()
				.id(id)
				.queue(queue)
				.unique(lock, job.key(), (lock == LockStrategy.NONE) ? null : Duration.ofHours(1))
				.onDuplicate(DuplicateStrategy.REPLACE)
				.onConflict((lock == LockStrategy.UNTIL_EXECUTED) ? ConflictStrategy.RESCHEDULE : ConflictStrategy.PARK)
				.start(delay.isZero() ? NewJob.Start.NOW : NewJob.Start.in(delay))
				.holdAtLeast(Duration.ofSeconds(1))
				.retries(3)
				.trace("trace")
				.build();
		}

		private void enqueue(NewJob job) {
			this.fixture.queue.enqueue(job);
		}

		private ReservedJob take(String queue) {
			return this.fixture.reserve(1, queue).jobs().get(0);
		}

		private void end(ReservedJob job, RunEnd.Kind kind) {
			RunEnd end = switch (kind) {
				case SUCCEEDED -> RunEnd.succeeded(job);
				case DEAD -> RunEnd.dead(job, "it broke");
				default -> RunEnd.retry(job, Duration.ofSeconds(50), "it broke");
			};
			this.fixture.queue.settle(List.of(end), null);
		}

		void survive(boolean deleting) {
			look();
			Set<String> ran = new HashSet<>(run(3, "default", "other"));
			enqueue(QueueFixture.job("new0", "default", LockStrategy.UNTIL_EXECUTED, "new"));
			enqueue(QueueFixture.job("new1", "other", LockStrategy.NONE));
			this.fixture.advance(Duration.ofSeconds(36));
			resume();
			ran.addAll(run(12, "default", "other"));
			look();
			if (!deleting) {
				assertThat(ran).containsAll(HEALTHY).contains("new0", "new1");
			}
			this.fixture.store.repair();
			assertThat(this.fixture.store.verify()).as("violations after the repair").isEmpty();
			resume();
			drain();
			assertThat(this.fixture.store.verify()).as("violations at the end").isEmpty();
		}

		private void resume() {
			this.fixture.store.queues().stream().filter(QUEUES::contains).forEach(this.fixture.store::resume);
		}

		/**
		 * Takes and ends jobs, and renews one in between.
		 */
		private List<String> run(int rounds, String... queues) {
			List<String> ran = new ArrayList<>();
			for (int i = 0; i < rounds; i++) {
				List<ReservedJob> jobs = this.fixture.reserve(4, queues).jobs();
				jobs.forEach((job) -> ran.add(job.record().id()));
				if (!jobs.isEmpty()) {
					this.fixture.queue
						.renew(jobs.stream().map((job) -> new RunToken(job.record().id(), job.token())).toList());
					this.fixture.queue.settle(jobs.stream().map(RunEnd::succeeded).toList(), null);
				}
			}
			return ran;
		}

		/**
		 * Calls all read operations of administrators.
		 */
		private void look() {
			this.fixture.store.overview();
			this.fixture.store.workers();
			this.fixture.store.verify();
			this.fixture.store.unreadable(100);
			this.fixture.store.queues().forEach(this.fixture.store::counts);
			this.fixture.store.blocker(QueueFixture.key("parked"), true);
			for (JobState state : JobState.values()) {
				this.fixture.store.list(new JobQuery(state, "default", null, null, 100, null)).jobs();
			}
			this.fixture.store.find("readyNONE");
		}

		/**
		 * Runs all remaining jobs.
		 */
		private void drain() {
			String[] queues = this.fixture.store.queues().toArray(String[]::new);
			for (int i = 0; i < 60; i++) {
				if (queues.length > 0) {
					run(4, queues);
				}
				this.fixture.advance(Duration.ofSeconds((i < 30) ? 10 : 600));
				if (alive() == 0) {
					return;
				}
			}
			assertThat(alive()).as("jobs that never end: " + this.fixture.store.overview())
				.isLessThanOrEqualTo(ofLaterVersions() + putOff());
		}

		/**
		 * Returns jobs whose damaged records are still valid. They are due in years, or
		 * wait for a key that such a job holds for years.
		 */
		private long putOff() {
			return this.fixture.store.queues()
				.stream()
				.flatMap((queue) -> Stream.of(JobState.SCHEDULED, JobState.RETRY, JobState.PARKED)
					.flatMap((state) -> this.fixture.store.list(new JobQuery(state, queue, null, null, 100, null))
						.jobs()
						.stream()))
				.filter((job) -> (job.state() == JobState.PARKED) ? isHeld(job) : isDueLater(job))
				.count();
		}

		private boolean isDueLater(JobRecord job) {
			return job.startAt() != null && job.startAt().toEpochMilli() > this.fixture.now();
		}

		private boolean isHeld(JobRecord job) {
			Object expiry = this.fixture.redis.opsForHash()
				.get(this.fixture.name("test-expiry"), this.fixture.lock(job.key()));
			return expiry != null && Double.parseDouble(expiry.toString()) > this.fixture.now();
		}

		/**
		 * Records of a later version that do not name their queue in words of this one:
		 * it counts them in the state that it knew last.
		 */
		private long ofLaterVersions() {
			return this.fixture.store.unreadable(100)
				.stream()
				.filter((record) -> record.version() != null && record.queue() == null)
				.count();
		}

		private long alive() {
			return this.fixture.store.queues().stream().map(this.fixture.store::counts).mapToLong(Trial::alive).sum();
		}

		private static long alive(QueueCounts counts) {
			return counts.states()
				.entrySet()
				.stream()
				.filter((entry) -> !entry.getKey().isEnded())
				.mapToLong(Map.Entry::getValue)
				.sum();
		}

	}

}
