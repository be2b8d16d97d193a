package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.LockStrategy;
import io.locket.lease.LeaseConnections;
import io.locket.queue.JobSighting;
import io.locket.queue.NewJob;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.queue.SteerAction;
import io.locket.queue.Violation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code verify} finds what is damaged in Redis, changes nothing, and that
 * {@code repair} mends it.
 */
class RepairTests {

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource
	void damageIsFoundAndMended(Damage damage) {
		fill();
		assertThat(this.fixture.store.verify()).isEmpty();
		damage.plant.accept(this.fixture, QueueFixture.key("parked").digest());
		List<Violation> found = this.fixture.store.verify();
		assertThat(found).isNotEmpty().noneMatch(Violation::mended);
		assertThat(this.fixture.store.verify()).containsExactlyInAnyOrderElementsOf(found);
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::mended);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * A job that is ready, one that is scheduled, one that runs, one that is parked
	 * behind it, one that has ended, a dead letter, and one that was dismissed.
	 */
	private void fill() {
		enqueue("ended", LockStrategy.NONE, NewJob.Start.NOW);
		ReservedJob ended = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.succeeded(ended)), null);
		for (String id : List.of("letter", "dismissed")) {
			enqueue(id, LockStrategy.NONE, NewJob.Start.NOW);
			ReservedJob dead = this.fixture.reserve(1, "default").jobs().get(0);
			this.fixture.queue.settle(List.of(RunEnd.dead(dead, "it broke")), null);
		}
		this.fixture.store.steer(new SteerAction(SteerAction.Kind.DISMISS, null, "step"),
				List.of(JobSighting.of("dismissed")));
		enqueue("running", LockStrategy.NONE, NewJob.Start.NOW);
		this.fixture.reserve(1, "default");
		this.fixture.takeForeign(QueueFixture.key("parked"), Duration.ofHours(1));
		enqueue("parked", LockStrategy.UNTIL_EXECUTED, NewJob.Start.NOW);
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		enqueue("ready", LockStrategy.UNTIL_EXECUTED, NewJob.Start.NOW);
		enqueue("scheduled", LockStrategy.UNTIL_EXECUTED, NewJob.Start.in(Duration.ofHours(1)));
	}

	private void enqueue(String id, LockStrategy lock, NewJob.Start start) {
		NewJob job = QueueFixture.job(id, lock, id);
		this.fixture.queue.enqueue(new NewJob(id, job.job(), job.queue(), job.arguments(), job.key(), lock,
				job.onDuplicate(), job.onConflict(), start, job.leaseFor(), null, Duration.ZERO, job.rescheduleAfter(),
				null, 3, null));
	}

	/**
	 * Queues that have come since the others were looked at are among them.
	 */
	@Test
	void totalsAreThoseOfAllQueuesHoweverMany() {
		fill();
		Map<String, String> queues = IntStream.range(0, 10_000)
			.boxed()
			.collect(Collectors.toMap((i) -> "q:queue" + i, (i) -> "{\"seq\":1,\"accepted\":1,\"succeeded\":1}"));
		this.fixture.redis.opsForHash().putAll(this.fixture.name("state"), queues);
		try (LeaseConnections connections = new LeaseConnections(this.fixture.connectionFactory,
				this.fixture.connectionFactory, Duration.ofSeconds(2), () -> {
				})) {
			QueueCommands commands = new QueueCommands(connections, this.fixture.leaseKeys);
			assertThat(commands.run("check", QueueScripts.load().check(), List.of("0", "totals"))).isEmpty();
		}
	}

	@Test
	void lettersAreCountedAgainWhenTheCounterAndTheListOfAQueueAreLost() {
		fill();
		this.fixture.redis.delete(this.fixture.name("dead:default"));
		this.fixture.store.repair();
		assertThat(this.fixture.store.counts("default").deadLetters()).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void jobWithoutItsTicketIsNotMendedAgainstAnotherOneThatHasIt() {
		fill();
		String field = QueueFixture.key("ready").digest().substring(32);
		this.fixture.redis.opsForHash().delete(this.fixture.name("tickets"), field);
		this.fixture.queue.enqueue(QueueFixture.job("other", LockStrategy.UNTIL_EXECUTED, "ready"));
		assertThat(this.fixture.store.repair()).singleElement().satisfies((violation) -> {
			assertThat(violation.subject()).isEqualTo("ready");
			assertThat(violation.description()).contains("other");
			assertThat(violation.mended()).isFalse();
		});
	}

	/**
	 * What can be damaged.
	 */
	enum Damage {

		READY_JOB_IN_NO_PLACE((fixture, digest) -> remove(fixture, "ready:default", "ready")),

		PLACE_OF_NO_JOB((fixture, digest) -> add(fixture, "ready:default", "ghost")),

		PLACE_OF_ANOTHER_STATE((fixture, digest) -> add(fixture, "ready:default", "ended")),

		SCHEDULED_JOB_THAT_IS_NEVER_DUE((fixture, digest) -> remove(fixture, "due", "scheduled")),

		DUE_JOB_THAT_IS_NONE((fixture, digest) -> add(fixture, "due", "running")),

		RUN_WITHOUT_AN_END((fixture, digest) -> remove(fixture, "running", "running")),

		RUN_OF_NO_JOB((fixture, digest) -> add(fixture, "running", "ghost")),

		ENDED_JOB_THAT_IS_NEVER_FORGOTTEN((fixture, digest) -> remove(fixture, "ended", "ended")),

		DISMISSED_LETTER_THAT_IS_NEVER_FORGOTTEN((fixture, digest) -> remove(fixture, "ended", "dismissed")),

		DISMISSED_LETTER_THAT_IS_STILL_ONE((fixture, digest) -> add(fixture, "dead", "dismissed")),

		LETTER_THAT_ITS_QUEUE_HAS_NOT((fixture, digest) -> remove(fixture, "dead:default", "letter")),

		LETTER_OF_A_JOB_THAT_IS_NOT_DEAD((fixture, digest) -> add(fixture, "dead:default", "running")),

		LETTER_WITHOUT_A_RECORD((fixture, digest) -> fixture.redis.opsForHash().delete(fixture.name("jobs"), "letter")),

		LETTERS_THAT_ARE_MISCOUNTED((fixture, digest) -> {
			String counters = (String) fixture.redis.opsForHash().get(fixture.name("state"), "q:default");
			assertThat(counters).contains("\"letters\":1");
			fixture.redis.opsForHash()
				.put(fixture.name("state"), "q:default", counters.replace("\"letters\":1", "\"letters\":7"));
		}),

		QUEUE_THAT_OVERVIEWS_LEAVE_OUT((fixture, digest) -> remove(fixture, "queues", "default")),

		PARKED_JOB_THAT_IS_NOT_LISTED((fixture, digest) -> fixture.redis.delete(fixture.name("parked-on:" + digest))),

		LISTED_JOB_THAT_IS_NOT_PARKED(
				(fixture, digest) -> add(fixture, "parked-on:" + digest, "default 0000000000000001 ghost")),

		KEY_THAT_NOBODY_LOOKS_AT((fixture, digest) -> remove(fixture, "due", "k:" + digest)),

		TICKET_OF_NO_JOB((fixture, digest) -> fixture.redis.opsForHash()
			.put(fixture.name("tickets"), "0123456789abcdef0123456789abcdef", "ghost")),

		TICKET_THAT_IS_LOST((fixture, digest) -> fixture.redis.opsForHash()
			.delete(fixture.name("tickets"), QueueFixture.key("ready").digest().substring(32)));

		private final BiConsumer<QueueFixture, String> plant;

		Damage(BiConsumer<QueueFixture, String> plant) {
			this.plant = plant;
		}

		private static void remove(QueueFixture fixture, String set, String member) {
			assertThat(fixture.redis.opsForZSet().remove(fixture.name(set), member)).isOne();
		}

		private static void add(QueueFixture fixture, String set, String member) {
			fixture.redis.opsForZSet().add(fixture.name(set), member, 0);
		}

	}

}
