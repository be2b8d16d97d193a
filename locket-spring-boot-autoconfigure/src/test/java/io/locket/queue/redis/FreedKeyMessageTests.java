package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.redis.LeaseFixture;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.redis.RedisConnections;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.AdditionalAnswers;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for the messages about keys that ended runs have freed, on a server of their own,
 * which has no other subscribers.
 */
class FreedKeyMessageTests {

	private final RedisServer server = RedisServer.start();

	private final String namespace = RedisServer.newNamespace();

	private final QueueFixture fixture = QueueFixture.create(this.server, this.namespace);

	@AfterEach
	void close() {
		this.fixture.close();
		this.server.close();
	}

	static Stream<Function<ReservedJob, RunEnd>> ends() {
		return Stream.of(RunEnd::succeeded, (job) -> RunEnd.retry(job, Duration.ofHours(1), "it broke"));
	}

	@ParameterizedTest
	@MethodSource("ends")
	void endOfARunPublishesNothingWithoutWaiters(Function<ReservedJob, RunEnd> end) {
		ReservedJob job = start();
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			this.fixture.queue.settle(List.of(end.apply(job)), null);
			assertThat(counter.innerCommands()).contains("DEL").doesNotContain("PUBLISH");
		}
	}

	/**
	 * Checks that a waiter learns that the key is free sooner than at the end of the
	 * lease.
	 */
	@ParameterizedTest
	@MethodSource("ends")
	void endOfARunThatHoldsItsKeyLongerIsPublished(Function<ReservedJob, RunEnd> end) {
		this.fixture.queue.enqueue(QueueFixture.job("a", "default", LockStrategy.WHILE_EXECUTING, 1)
			.copy()
			.holdAtLeast(Duration.ofMinutes(1))
			.build());
		ReservedJob job = this.fixture.reserve(1, "default").jobs().get(0);
		try (LeaseFixture leases = LeaseFixture.create(this.server, this.namespace, new LeaseFixture.Settings());
				CommandCounter counter = CommandCounter.on(this.server)) {
			CompletableFuture<LeaseAttempt> attempt = leases.service
				.attemptAsync(LeaseRequest.of(QueueFixture.key(1)).waiting(Duration.ofSeconds(20)));
			Awaitility.await().until(() -> counter.commands().contains("PSUBSCRIBE"));
			this.fixture.queue.settle(List.of(end.apply(job)), null);
			assertThat(counter.innerCommands()).contains("PUBLISH");
			assertThat(attempt.cancel(true)).isTrue();
		}
	}

	/**
	 * On a cluster, and with connections of unknown kind, one server cannot count all
	 * subscribers.
	 */
	@ParameterizedTest
	@MethodSource("ends")
	void endOfARunIsPublishedWhereSubscribersMayBeOnAnotherServer(Function<ReservedJob, RunEnd> end) {
		RedisConnectionFactory unknown = mock(RedisConnectionFactory.class,
				AdditionalAnswers.delegatesTo(this.fixture.connectionFactory));
		ReservedJob job = start();
		try (RedisConnections connections = new RedisConnections(unknown, unknown, Duration.ofSeconds(2), () -> {
		});
				RedisJobQueue queue = new RedisJobQueue(connections, this.fixture.leaseKeys, QueueFixture.SETTINGS,
						new JobEventPublisher(List.of()));
				CommandCounter counter = CommandCounter.on(this.server)) {
			queue.settle(List.of(end.apply(job)), null);
			assertThat(counter.innerCommands()).contains("PUBLISH");
		}
	}

	@Test
	void evictionOfARunIsPublished() {
		start();
		try (LeaseFixture leases = LeaseFixture.create(this.server, this.namespace, new LeaseFixture.Settings());
				CommandCounter counter = CommandCounter.on(this.server)) {
			assertThat(leases.service.forceRelease(QueueFixture.key(1).digest())).isPresent();
			assertThat(counter.innerCommands()).contains("PUBLISH");
		}
	}

	@ParameterizedTest
	@MethodSource("ends")
	void endOfARunWakesACallThatWaitsForItsKey(Function<ReservedJob, RunEnd> end) throws Exception {
		try (LeaseFixture leases = LeaseFixture.create(this.server, this.namespace, new LeaseFixture.Settings())) {
			ReservedJob job = start();
			CompletableFuture<LeaseAttempt> attempt;
			try (CommandCounter counter = CommandCounter.on(this.server)) {
				attempt = leases.service
					.attemptAsync(LeaseRequest.of(QueueFixture.key(1)).waiting(Duration.ofSeconds(20)));
				Awaitility.await().until(() -> counter.commands().contains("PSUBSCRIBE"));
				this.fixture.queue.settle(List.of(end.apply(job)), null);
			}
			assertThat(attempt.get(5, TimeUnit.SECONDS)).isInstanceOf(LeaseAttempt.Acquired.class);
			((LeaseAttempt.Acquired) attempt.join()).lease().close();
		}
	}

	private ReservedJob start() {
		this.fixture.queue.enqueue(QueueFixture.job("a", "default", LockStrategy.WHILE_EXECUTING, 1));
		return this.fixture.reserve(1, "default").jobs().get(0);
	}

}
