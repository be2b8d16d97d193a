package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for calls whose connection is closed within the reply, after this number of
 * bytes. The driver then sends the call again, so the script runs twice.
 */
class CutReplyTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final QueueFixture fixture = QueueFixture.create();

	private final SilentProxy proxy = SilentProxy.start(RedisServer.shared());

	private final OwnConnectionFactory factory = new OwnConnectionFactory(
			new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port()),
			LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build(), "key");

	@AfterEach
	void close() {
		this.factory.destroy();
		this.proxy.close();
		this.fixture.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4, 20, 100, 150 })
	void runThatSucceedsEndsOnceAndTheNextOneIsHandedOut(int bytes) {
		assertThat(settle(bytes, RunEnd::succeeded)).isEqualTo(JobState.SUCCEEDED);
	}

	/**
	 * One call ends the run, and another one hands out the next job. The numbers are
	 * those of bytes of both replies, of which the first one has about 40.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 4, 20, 30, 60, 100, 150 })
	void runThatFailsEndsOnceAndTheNextOneIsHandedOut(int bytes) {
		assertThat(settle(bytes, (job) -> RunEnd.retry(job, Duration.ofHours(1), "error"))).isEqualTo(JobState.RETRY);
		assertThat(this.fixture.store.find("a").orElseThrow().attempt()).isOne();
	}

	@Test
	void discardThatHasDeletedTheRecordIsNotReportedAsOfAnUnknownRecord() {
		this.fixture.record("a", "no record".getBytes(StandardCharsets.UTF_8));
		this.factory.start();
		RedisConnections connections = new RedisConnections(this.factory, this.factory, TIMEOUT, () -> {
		});
		try (RedisJobStore store = new RedisJobStore(connections, this.fixture.leaseKeys,
				new JobEventPublisher(List.of()))) {
			assertThat(store.discard("unknown")).isFalse();
			this.proxy.cutNextReply(1);
			assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> store.discard("a"));
			assertThat(this.fixture.redis.opsForHash().hasKey(this.fixture.name("jobs"), "a")).isFalse();
		}
	}

	/**
	 * Ends the run of one job, with a request for the next one.
	 * @return the state of the job
	 */
	private JobState settle(int bytes, Function<ReservedJob, RunEnd> end) {
		this.fixture.queue.enqueue(List.of(QueueFixture.job("a", LockStrategy.UNTIL_AND_WHILE_EXECUTING, "a"),
				QueueFixture.job("b", LockStrategy.UNTIL_AND_WHILE_EXECUTING, "b")));
		this.factory.start();
		RedisConnections connections = new RedisConnections(this.factory, this.factory, TIMEOUT, () -> {
		});
		try (RedisJobQueue queue = new RedisJobQueue(connections, this.fixture.leaseKeys, QueueFixture.SETTINGS,
				new JobEventPublisher(List.of()))) {
			ReservedJob first = queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
			this.proxy.cutNextReply(bytes);
			Settlement settlement = queue.settle(List.of(end.apply(first)), QueueFixture.request(1, "default"));
			assertThat(this.proxy.accepted()).isGreaterThan(1);
			assertThat(Objects.requireNonNull(settlement.next()).jobs()).extracting((job) -> job.record().id())
				.containsExactly("b");
			assertThat(this.fixture.store.counts("default").in(JobState.RUNNING)).isOne();
			assertThat(this.fixture.store.verify()).isEmpty();
			assertThat(settlement.ends()).singleElement().matches(EndResult::counted);
			return this.fixture.store.find("a").orElseThrow().state();
		}
	}

}
