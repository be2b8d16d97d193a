package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobEnded;
import io.locket.event.JobEvent;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.event.JobStarted;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.redis.RedisConnections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for events of calls whose first reply is lost: the repetition publishes them
 * once.
 */
class LostReplyTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final QueueFixture fixture = QueueFixture.manual();

	/**
	 * Process that receives no replies, although its calls reach Redis.
	 */
	private final RedisJobQueue deaf = queue(new ArrayList<>());

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	private final RedisJobQueue queue = queue(this.events);

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.deaf.close();
		this.queue.close();
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource(RunEnd.Kind.class)
	void endIsPublishedOnceWithTheReplyToItsRepetition(RunEnd.Kind kind) {
		RunEnd end = end(start("a"), kind);
		List<JobEvent> first = new ArrayList<>();
		try (RedisJobQueue heard = queue(first)) {
			EndResult reply = end(heard, end);
			this.fixture.advance(SECOND);
			assertThat(end(this.queue, end)).isEqualTo(reply);
			assertThat(this.events).hasSize(1).isEqualTo(first);
			assertThat(end(this.queue, end)).isEqualTo(reply);
			assertThat(end(heard, end)).isEqualTo(reply);
		}
		assertThat(this.events).hasSize(1).isEqualTo(first);
	}

	@Test
	void endIsPublishedAsItWas() {
		ReservedJob run = start("a");
		RunEnd end = RunEnd.dead(run, "it broke");
		end(this.deaf, end);
		this.fixture.advance(SECOND);
		end(this.queue, end);
		assertThat(this.events)
			.containsExactly(new JobEnded("a", "job", "default", JobState.DEAD, Duration.ofSeconds(3), "it broke"));
	}

	@Test
	void endThatDidNotCountIsPublishedOnceAsTheReturnThatItWas() {
		ReservedJob run = start("a");
		this.fixture.takeForeign(QueueFixture.key("a"), SECOND);
		end(this.deaf, RunEnd.succeeded(run));
		EndResult reply = end(this.queue, RunEnd.succeeded(run));
		end(this.queue, RunEnd.succeeded(run));
		assertThat(reply.counted()).isFalse();
		assertThat(this.events).singleElement().isInstanceOf(JobReturned.class);
	}

	/**
	 * Checks that a repeated end does not publish the start of a later run.
	 */
	@Test
	void repetitionAfterAnotherRunHasBegunPublishesNothing() {
		RunEnd end = RunEnd.retry(start("a"), SECOND, "it broke");
		end(this.deaf, end);
		this.fixture.advance(SECOND);
		assertThat(this.deaf.reserve(QueueFixture.request(1, "default")).jobs()).hasSize(1);
		assertThat(end(this.queue, end).counted()).isTrue();
		assertThat(this.events).isEmpty();
	}

	@Test
	void endOfAnotherRunThatIsNotRepeatedIsNotPublishedTwice() {
		ReservedJob run = start("a");
		this.queue.settle(List.of(RunEnd.retry(run, SECOND, "it broke")), null);
		this.fixture.advance(SECOND);
		ReservedJob again = this.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
		this.queue.settle(List.of(RunEnd.succeeded(again)), null);
		assertThat(this.events).hasSize(3);
		assertThat(this.events.get(0)).isInstanceOf(JobRetried.class);
		assertThat(this.events.get(1)).isInstanceOf(JobStarted.class);
		assertThat(this.events.get(2)).isInstanceOf(JobEnded.class);
	}

	@Test
	void startIsPublishedOnceWithTheReplyToItsRepetition() {
		this.deaf.enqueue(job("a"));
		this.fixture.advance(SECOND);
		ReservationRequest request = QueueFixture.request(1, "default");
		List<JobEvent> first = new ArrayList<>();
		try (RedisJobQueue heard = queue(first)) {
			heard.reserve(request);
		}
		this.fixture.advance(SECOND);
		this.queue.reserve(request);
		this.queue.reserve(request);
		assertThat(this.events).hasSize(1).isEqualTo(first);
	}

	@Test
	void largestCallIsPublishedOnceWithTheReplyToItsRepetition() {
		this.deaf.enqueue(IntStream.range(0, 1000).mapToObj((i) -> job("job" + i)).toList());
		ReservationRequest request = QueueFixture.request(1000, "default");
		List<RunEnd> ends = this.queue.reserve(request).jobs().stream().map(RunEnd::succeeded).toList();
		assertThat(this.queue.reserve(request).jobs()).hasSize(1000);
		this.queue.settle(ends, null);
		this.queue.settle(ends, null);
		assertThat(this.events).hasSize(2000).doesNotHaveDuplicates();
	}

	private ReservedJob start(String id) {
		this.deaf.enqueue(job(id));
		ReservedJob run = this.deaf.reserve(QueueFixture.request(1, "default")).jobs().get(0);
		this.fixture.advance(Duration.ofSeconds(3));
		return run;
	}

	private static RunEnd end(ReservedJob run, RunEnd.Kind kind) {
		return new RunEnd(run.record().id(), run.token(), kind, Duration.ofMinutes(1), "it broke");
	}

	private static EndResult end(RedisJobQueue queue, RunEnd end) {
		return queue.settle(List.of(end), null).ends().get(0);
	}

	private static NewJob job(String id) {
		return QueueFixture.job(id, LockStrategy.UNTIL_AND_WHILE_EXECUTING, id);
	}

	private RedisJobQueue queue(List<JobEvent> events) {
		try (RedisConnections connections = new RedisConnections(this.fixture.connectionFactory,
				this.fixture.connectionFactory, Duration.ofSeconds(2), () -> {
				})) {
			return new RedisJobQueue(connections, this.fixture.leaseKeys, QueueFixture.SETTINGS,
					new JobEventPublisher(List.of(events::add)), QueueFixture.manualScripts());
		}
	}

}
