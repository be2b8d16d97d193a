package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobEnded;
import io.locket.event.JobEvent;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.UpdateAction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs each script twice at once, and again after the job's whole life; and lets the
 * client die after each call.
 */
class RepeatedCallTests {

	private static final Duration LEASE = Duration.ofSeconds(36);

	private static ExecutorService executor;

	private final QueueFixture fixture = QueueFixture.manual();

	private final RedisJobQueue queue = this.fixture.queue;

	private final RedisJobStore store = this.fixture.store;

	@BeforeAll
	static void start() {
		executor = Executors.newFixedThreadPool(2);
	}

	@AfterAll
	static void stop() {
		executor.shutdownNow();
	}

	@AfterEach
	void close() {
		assertThat(this.store.verify()).isEmpty();
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DEFAULT")
	void callsThatAreMadeTwiceAtOnceHaveTheSameResultAlsoLater(LockStrategy lock) throws Exception {
		List<NewJob> jobs = List.of(job("a", lock), job("b", lock), job("c", lock));
		List<EnqueueResult> accepted = alike(() -> this.queue.enqueue(jobs));
		assertThat(accepted).containsExactly(new EnqueueResult.Accepted("a"), new EnqueueResult.Accepted("b"),
				new EnqueueResult.Accepted("c"));
		ReservationRequest request = QueueFixture.request(1, "default");
		Reservation first = alike(() -> this.queue.reserve(request), RepeatedCallTests::runs);
		ReservedJob run = first.jobs().get(0);
		assertThat(run.record().id()).isEqualTo("a");
		List<RunToken> tokens = List.of(new RunToken("a", run.token()));
		assertThat(alike(() -> this.queue.renew(tokens))).containsExactly(new RunRenewal(true, null, false));
		List<RunEnd> ends = List.of(RunEnd.succeeded(run));
		ReservationRequest next = QueueFixture.request(1, "default");
		Settlement settlement = alike(() -> this.queue.settle(ends, next),
				(reply) -> List.of(reply.ends(), runs(reply.next())));
		assertThat(settlement.ends()).containsExactly(new EndResult("a", true, JobState.SUCCEEDED));
		ReservedJob second = settlement.next().jobs().get(0);
		assertThat(second.record().id()).isEqualTo("b");
		List<RunEnd> returned = List.of(RunEnd.returned(second));
		assertThat(alike(() -> this.queue.settle(returned, null)).ends())
			.containsExactly(new EndResult("b", true, JobState.READY));
		assertThat(alike(() -> this.store.cancel("b"))).isEqualTo(CancelResult.CANCELLED);
		assertThat(twice(() -> this.store.remove("default"))).containsExactlyInAnyOrder(1L, 0L);
		List<JobEvent> told = List.copyOf(this.fixture.events);

		assertThat(this.queue.enqueue(jobs)).isEqualTo(accepted);
		assertThat(this.queue.reserve(request).jobs()).isEmpty();
		assertThat(this.queue.renew(tokens)).containsExactly(new RunRenewal(false, null, false));
		assertThat(this.queue.settle(ends, next).ends()).isEqualTo(settlement.ends());
		assertThat(this.queue.settle(returned, null).ends().get(0).counted()).isTrue();
		assertThat(this.store.cancel("a")).isEqualTo(CancelResult.ENDED);
		assertThat(this.fixture.events).as("nothing happens any more").isEqualTo(told);
		assertThat(this.store.counts("default").accepted()).isEqualTo(3);
		assertThat(told.stream().filter(JobEnded.class::isInstance)).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource(RunEnd.Kind.class)
	void endThatIsSentTwiceAtOnceCountsOnce(RunEnd.Kind kind) throws Exception {
		this.queue.enqueue(job("a", LockStrategy.UNTIL_AND_WHILE_EXECUTING));
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		RunEnd end = new RunEnd("a", run.token(), kind, Duration.ofSeconds(1), "it broke");
		EndResult reply = alike(() -> this.queue.settle(List.of(end), null)).ends().get(0);
		assertThat(reply.counted()).isTrue();
		assertThat(this.store.find("a").orElseThrow().attempt()).isLessThanOrEqualTo(1);
		this.fixture.advance(Duration.ofSeconds(2));
		List<ReservedJob> again = this.fixture.reserve(1, "default").jobs();
		if (!again.isEmpty()) {
			assertThat(this.queue.settle(List.of(end), null).ends().get(0)).isEqualTo(reply);
			assertThat(this.store.find("a").orElseThrow().state()).isEqualTo(JobState.RUNNING);
			this.queue.settle(List.of(RunEnd.succeeded(again.get(0))), null);
		}
		assertThat(this.queue.settle(List.of(end), null).ends().get(0)).isEqualTo(reply);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DEFAULT")
	void deadLetterThatIsRequeuedTwiceAtOnceBecomesOneJob(LockStrategy lock) throws Exception {
		this.queue.enqueue(job("a", lock));
		this.queue.settle(List.of(RunEnd.dead(this.fixture.reserve(1, "default").jobs().get(0), "it broke")), null);
		assertThat(alike(() -> this.store.requeue(List.of(new RequeuedJob("a", "b")))))
			.containsExactly(new EnqueueResult.Accepted("b"));
		List<EnqueueResult> replies = twice(() -> this.store.requeue(List.of(new RequeuedJob("b", "c"))).get(0));
		assertThat(replies).containsOnly(new EnqueueResult.Duplicate("b", JobState.READY));
		assertThat(this.store.counts("default").accepted()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DISMISS")
	void jobThatIsUpdatedTwiceAtOnceIsUpdatedOnce(UpdateAction.Kind kind) throws Exception {
		this.queue.enqueue(
				QueueWork.with(job("a", LockStrategy.UNTIL_EXECUTED), DuplicateStrategy.REJECT, Duration.ofMinutes(1)));
		UpdateAction action = new UpdateAction(kind, (kind == UpdateAction.Kind.MOVE) ? "other" : null,
				(kind == UpdateAction.Kind.RESCHEDULE) ? Instant.now() : null, "step");
		List<ExpectedJob> jobs = List.of(new ExpectedJob("a", Set.of(JobState.SCHEDULED), "default", null, null));
		assertThat(alike(() -> this.store.update(action, jobs))).containsExactly(UpdateResult.DONE);
		assertThat(this.store.counts("other").movedIn()).isEqualTo((kind == UpdateAction.Kind.MOVE) ? 1 : 0);
	}

	@Test
	void queueThatIsPausedTwiceAtOnceIsResumedByOneCall() throws Exception {
		this.queue.enqueue(job("a", LockStrategy.NONE));
		twice(() -> {
			this.store.pause("default");
			return true;
		});
		assertThat(this.fixture.reserve(1, "default").jobs()).isEmpty();
		this.store.resume("default");
		assertThat(this.fixture.reserve(1, "default").jobs()).hasSize(1);
	}

	/**
	 * Checks that the job ends once, at whatever call the client dies.
	 */
	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DEFAULT")
	void jobEndsOnceWhereverItsClientDies(LockStrategy lock) {
		int calls = 0;
		boolean whole = false;
		while (!whole) {
			calls++;
			String id = "job" + calls;
			whole = walk(id, lock, calls) < calls;
			finishElsewhere(id);
			assertThat(this.store.verify()).as("after " + calls + " calls").isEmpty();
			assertThat(this.fixture.events.stream()
				.filter((event) -> event instanceof JobEnded ended && ended.id().equals(id))
				.map((event) -> ((JobEnded) event).state())).as("after " + calls + " calls")
				.containsExactly(JobState.SUCCEEDED);
		}
		assertThat(calls).isGreaterThan(10);
	}

	/**
	 * Walk through a life, for so many calls.
	 * @return how many were made
	 */
	private int walk(String id, LockStrategy lock, int calls) {
		List<Runnable> life = new ArrayList<>();
		ReservedJob[] run = new ReservedJob[1];
		life.add(() -> this.queue
			.enqueue(QueueWork.with(job(id, lock), DuplicateStrategy.REJECT, Duration.ofSeconds(1))));
		for (RunEnd.Kind kind : List.of(RunEnd.Kind.RETRY, RunEnd.Kind.DEFER, RunEnd.Kind.UNKNOWN, RunEnd.Kind.RETURNED,
				RunEnd.Kind.SUCCEEDED)) {
			life.add(() -> {
				this.fixture.advance(Duration.ofSeconds(1));
				run[0] = this.fixture.reserve(1, "default").jobs().get(0);
			});
			life.add(() -> this.queue.renew(List.of(new RunToken(id, run[0].token()))));
			life.add(() -> this.queue.settle(List.of(new RunEnd(id, run[0].token(), kind, Duration.ofSeconds(1), null)),
					null));
		}
		int made = 0;
		while (made < calls && made < life.size()) {
			life.get(made).run();
			made++;
		}
		return made;
	}

	private void finishElsewhere(String id) {
		while (!this.store.find(id).orElseThrow().state().equals(JobState.SUCCEEDED)) {
			this.fixture.advance(LEASE);
			for (ReservedJob job : this.queue.reserve(QueueFixture.request("elsewhere", 1, "default")).jobs()) {
				assertThat(job.record().id()).isEqualTo(id);
				assertThat(this.queue.settle(List.of(RunEnd.succeeded(job)), null).ends().get(0).counted()).isTrue();
			}
		}
	}

	private static NewJob job(String id, LockStrategy lock) {
		return QueueFixture.job(id, lock, id);
	}

	private static List<String> runs(Reservation reservation) {
		return reservation.jobs().stream().map((job) -> job.token() + " " + job.fence()).toList();
	}

	private static <T> T alike(Callable<T> call) throws Exception {
		return alike(call, (reply) -> reply);
	}

	private static <T> T alike(Callable<T> call, Function<T, Object> shown) throws Exception {
		List<T> replies = twice(call);
		assertThat(shown.apply(replies.get(1))).isEqualTo(shown.apply(replies.get(0)));
		return replies.get(0);
	}

	private static <T> List<T> twice(Callable<T> call) throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(2);
		Callable<T> together = () -> {
			barrier.await(10, TimeUnit.SECONDS);
			return call.call();
		};
		Future<T> first = executor.submit(together);
		Future<T> second = executor.submit(together);
		return List.of(first.get(20, TimeUnit.SECONDS), second.get(20, TimeUnit.SECONDS));
	}

}
