package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.RedisConnections;
import io.locket.redis.script.ScriptRunner;
import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import io.locket.worker.reservation.RequestIds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for requests that are delivered after their poller has sent others. Their jobs
 * would be reserved for no thread.
 */
class LateRequestTests {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private final QueueFixture fixture = QueueFixture.create();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	@Test
	void requestThatArrivesAfterALaterOneGetsNothing() {
		enqueue(3);
		ReservationRequest late = request();
		assertThat(jobs(this.fixture.queue.reserve(request()))).containsExactly("job0");
		assertThat(jobs(this.fixture.queue.reserve(late))).isEmpty();
		assertThat(ready()).isEqualTo(2);
		assertThat(jobs(this.fixture.queue.reserve(request()))).containsExactly("job1");
	}

	/**
	 * Checks that runs end though the request of their call is not served.
	 */
	@Test
	void lateRequestEndsTheRunsOfItsCall() {
		enqueue(3);
		ReservationRequest late = request();
		Reservation reservation = this.fixture.queue.reserve(request());
		assertThat(this.fixture.queue.settle(List.of(RunEnd.succeeded(reservation.jobs().get(0))), late).next())
			.satisfies((next) -> assertThat(jobs(next)).isEmpty());
		assertThat(this.fixture.store.counts("default").in(JobState.SUCCEEDED)).isOne();
		assertThat(ready()).isEqualTo(2);
	}

	/**
	 * Checks ids of two processes whose threads have the same name.
	 */
	@Test
	void requestsOfASenderAreServedAfterThoseOfAnother() {
		enqueue(4);
		assertThat(List.of("b-109", "a-109", "b-119", "a-119"))
			.allSatisfy((id) -> assertThat(jobs(this.fixture.queue.reserve(withId(request(), id)))).hasSize(1));
	}

	/**
	 * Checks the requests that are sent for a thread in this order, by calls for several
	 * threads and alone.
	 */
	@Test
	void requestsOfAThreadAreServedInTheirOrder() {
		enqueue(6);
		List<String> ids = List.of("a-101", "a-102", "a-109");
		for (int last = 0; last < ids.size(); last++) {
			assertThat(jobs(this.fixture.queue.reserve(withId(request(), ids.get(last))))).hasSize(1);
			assertThat(ids.subList(0, last))
				.allSatisfy((late) -> assertThat(jobs(this.fixture.queue.reserve(withId(request(), late)))).isEmpty());
		}
		assertThat(ready()).isEqualTo(3);
	}

	/**
	 * Checks a request that is repeated, because it had no reply, and gets nothing. Its
	 * first copy arrives when there are jobs.
	 */
	@Test
	void firstCopyOfARepeatedRequestGetsNothing() {
		SilentProxy proxy = SilentProxy.start(RedisServer.shared());
		OwnConnectionFactory factory = new OwnConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", proxy.port()),
				LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build(), "key");
		factory.start();
		RedisConnections connections = new RedisConnections(factory, factory, TIMEOUT, () -> {
		});
		try (proxy;
				RedisJobQueue queue = new RedisJobQueue(connections, this.fixture.leaseKeys, QueueFixture.SETTINGS,
						new JobEventPublisher(List.of()))) {
			repeat(queue, request());
			ReservationRequest repeated = request();
			proxy.forgetConnections();
			assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> queue.reserve(repeated));
			assertThat(jobs(repeat(queue, repeated))).isEmpty();
			enqueue(2);
			assertThat(jobs(this.fixture.queue.reserve(repeated))).isEmpty();
			assertThat(ready()).isEqualTo(2);
			assertThat(jobs(repeat(queue, request()))).containsExactly("job0");
		}
		finally {
			factory.destroy();
		}
	}

	/**
	 * Checks a request of a shortcut whose reply cannot be read. Its repetition is
	 * recorded though it gets nothing, so its first copy gets nothing either if it
	 * arrives when there are jobs.
	 */
	@Test
	void firstCopyOfARequestWithAnUnreadableReplyGetsNothing() {
		ReservationRequest repeated;
		try (QueueFixture unlucky = QueueFixture.createSilent(RedisServer.shared(), this.fixture.leaseKeys.namespace(),
				unreadableOnce())) {
			// The shortcut is loaded, skipped once, and then serves.
			for (int i = 0; i < 3; i++) {
				unlucky.queue.reserve(request());
			}
			repeated = request();
			this.fixture.redis.opsForValue().set(this.fixture.name("test-unreadable"), "1");
			assertThat(jobs(unlucky.queue.reserve(repeated))).isEmpty();
		}
		assertThat(this.fixture.redis.hasKey(this.fixture.name("test-unreadable"))).isFalse();
		enqueue(2);
		assertThat(jobs(this.fixture.queue.reserve(repeated))).isEmpty();
		assertThat(ready()).isEqualTo(2);
		assertThat(jobs(this.fixture.queue.reserve(request()))).containsExactly("job0");
	}

	/**
	 * Returns scripts whose shortcut for turns does nothing, and replies nonsense, while
	 * the test has set a key.
	 */
	private QueueScripts unreadableOnce() {
		Map<QueueScript, RedisScript<List<Object>>> scripts = new EnumMap<>(QueueScripts.load().scripts());
		Resource unreadable = new ByteArrayResource(
				("if redis.call('DEL', '" + this.fixture.name("test-unreadable") + "') == 1 then return {'x'} end\n")
					.getBytes(StandardCharsets.UTF_8));
		scripts.put(QueueScript.TURN,
				ScriptRunner.script(List.of(unreadable, QueueScripts.part("clock"), QueueScripts.part("turn"))));
		return new QueueScripts(scripts);
	}

	private static Reservation repeat(RedisJobQueue queue, ReservationRequest request) {
		while (true) {
			try {
				return queue.reserve(request);
			}
			catch (QueueUnavailableException ex) {
				// The silent connection has not been replaced yet.
			}
		}
	}

	private void enqueue(int count) {
		for (int i = 0; i < count; i++) {
			this.fixture.queue
				.enqueue(List.of(QueueFixture.job("job" + i, LockStrategy.UNTIL_AND_WHILE_EXECUTING, "key" + i)));
		}
	}

	private long ready() {
		return this.fixture.store.counts("default").in(JobState.READY);
	}

	private static ReservationRequest request() {
		return withId(QueueFixture.request(1, "default"), RequestIds.next());
	}

	private static ReservationRequest withId(ReservationRequest request, String id) {
		return new ReservationRequest(id, request.poller(), request.instance(), request.thread(), request.queues(),
				request.slots());
	}

	private static List<String> jobs(Reservation reservation) {
		return reservation.jobs().stream().map((job) -> job.record().id()).toList();
	}

}
