package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.redis.format.CountsFormat;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.UpdateAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for fields of version 1 that a later version of Locket has appended: they affect
 * no reader, and are kept through the whole life of a job.
 */
class LaterFieldTests {

	private static final byte[] MORE_HEAD = { 7, 0, (byte) 0xFF };

	private static final byte[] MORE_DEFINITION = { 0, 9, 1, (byte) 0x80 };

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	/**
	 * A job, and a queue, of a later version.
	 */
	@BeforeEach
	void write() {
		assertThat(this.fixture.queue.enqueue(job("a", "first"))).isInstanceOf(EnqueueResult.Accepted.class);
		this.fixture.change("a",
				(record) -> record.withMoreHead(MORE_HEAD)
					.withMoreDefinition(MORE_DEFINITION)
					.withJson("later", "\"x\"")
					.withJson("latest", "5"));
		this.fixture.count("default", (counters) -> counters.withMore(77, -3));
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void laterFieldsSurviveARun() {
		ReservedJob run = take("default");
		assertThat(run.record().arguments()).isEqualTo("[\"first\"]");
		assertKept(JobState.RUNNING);
		this.fixture.queue.renew(List.of(new RunToken("a", run.token())));
		this.fixture.queue.settle(List.of(RunEnd.retry(run, Duration.ofSeconds(5), "it broke")), null);
		assertThat(assertKept(JobState.RETRY).lastError()).isEqualTo("it broke");
		this.fixture.advance(Duration.ofSeconds(6));
		run = take("default");
		assertThat(run.record().attempt()).isOne();
		this.fixture.queue.settle(List.of(RunEnd.succeeded(run)), null);
		assertKept(JobState.SUCCEEDED);
	}

	@Test
	void laterFieldsSurviveAReclaim() {
		take("default");
		this.fixture.advance(Duration.ofSeconds(36));
		this.fixture.reserve(0);
		assertThat(assertKept(JobState.READY).reclaims()).isOne();
	}

	@Test
	void laterFieldsSurviveAMove() {
		assertThat(this.fixture.store.update(new UpdateAction(UpdateAction.Kind.MOVE, "other", "step"),
				List.of(ExpectedJob.of("a"))))
			.containsExactly(UpdateResult.DONE);
		assertThat(assertKept(JobState.READY).queue()).isEqualTo("other");
		ReservedJob run = take("other");
		this.fixture.queue.settle(List.of(RunEnd.dead(run, "it broke")), null);
		assertKept(JobState.DEAD);
	}

	@Test
	void laterFieldsSurviveAReplacement() {
		assertThat(this.fixture.queue.enqueue(job("b", "second"))).isEqualTo(new EnqueueResult.Replaced("a"));
		assertThat(assertKept(JobState.READY).arguments()).isEqualTo("[\"second\"]");
		this.fixture.queue.settle(List.of(RunEnd.succeeded(take("default"))), null);
		assertThat(assertKept(JobState.SUCCEEDED).arguments()).isEqualTo("[\"second\"]");
	}

	@Test
	void laterFieldsSurviveThatAJobIsSetAside() {
		this.fixture.queue.settle(List.of(RunEnd.unknown(take("default"), "unknown")), null);
		assertKept(JobState.RETRY);
		assertThat(CounterBytes.of(this.fixture.field("state", "q:default")).json()).isEqualTo("{\"job\":1}");
		assertThat(CountsFormat.asides(this.fixture.field("state", "q:default"))).containsExactly("job");
		this.fixture.queue.settle(List.of(RunEnd.succeeded(take("default"))), null);
		assertKept(JobState.SUCCEEDED);
	}

	@Test
	void laterFieldsSurviveARepair() {
		this.fixture.redis.delete(this.fixture.name("ready:default 0"));
		assertThat(this.fixture.store.repair()).isNotEmpty();
		assertKept(JobState.READY);
	}

	private JobRecord assertKept(JobState state) {
		RecordBytes record = RecordBytes.of(this.fixture.record("a"));
		assertThat(record.moreHead()).isEqualTo(MORE_HEAD);
		assertThat(record.moreDefinition()).isEqualTo(MORE_DEFINITION);
		assertThat(record.json("later")).isEqualTo("\"x\"");
		assertThat(record.json("latest")).isEqualTo("5");
		assertThat(CounterBytes.of(this.fixture.field("state", "q:default")).more()).containsExactly(77L, -3L);
		assertThat(this.fixture.store.verify()).isEmpty();
		JobRecord read = this.fixture.store.find("a").orElseThrow();
		assertThat(read.state()).isEqualTo(state);
		assertThat(this.fixture.store.counts(read.queue()).in(state)).isOne();
		return read;
	}

	private ReservedJob take(String queue) {
		return this.fixture.reserve(1, queue).jobs().get(0);
	}

	private static NewJob job(String id, String argument) {
		NewJob job = QueueFixture.job(id, LockStrategy.UNTIL_EXECUTED, "key");
		return job.copy()
			.id(id)
			.arguments("[\"" + argument + "\"]")
			.unique(job.lock(), job.key(), null)
			.onDuplicate(DuplicateStrategy.REPLACE)
			.retries(3)
			.build();
	}

}
