package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.lettuce.core.RedisNoScriptException;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link TurnCalls}.
 */
class TurnCallsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("turn-");

	private final AtomicLong nanoTime = new AtomicLong();

	private final FakeScript script = new FakeScript();

	private final FailedRequests failedRequests = new FailedRequests();

	private final AtomicReference<@Nullable Runnable> onNanoTime = new AtomicReference<>();

	private final TurnCalls calls = new TurnCalls(this.script, '1', this.failedRequests, TIMEOUT, this::nanoTime);

	@AfterEach
	void close() {
		this.threads.close();
	}

	@Test
	void turnIsSentAtOnceWhileNoCallIsUnderWay() throws Exception {
		assertServedAlone("a");
		assertServedAlone("b");
	}

	@Test
	void turnsThatWaitGoWithTheNextCall() throws Exception {
		List<Future<TurnReply>> together = haveTwoWait();
		this.script.reply(3);
		assertThat(this.script.ids(4)).containsExactly("a", "b");
		this.script.reply(4);
		assertThat(jobs(together.get(0))).containsExactly("a");
		assertThat(jobs(together.get(1))).containsExactly("b");
	}

	@Test
	void turnThatWasNotFirstForLongGoesWithACallOfItsOwn() throws Exception {
		haveAllBeenFirst("a", "b");
		this.nanoTime.addAndGet(TurnCalls.FIRST_AGAIN.toNanos());
		haveAllBeenFirst("a");
		Future<TurnReply> first = serve(turn("a"));
		this.script.awaitCalls(4);
		Future<TurnReply> second = serve(turn("a"));
		awaitWaiters(1);
		Future<TurnReply> third = serve(turn("b"));
		awaitWaiters(2);
		this.script.reply(3);
		assertThat(this.script.ids(4)).containsExactly("a");
		this.script.reply(4);
		assertThat(this.script.ids(5)).containsExactly("b");
		this.script.reply(5);
		assertThat(jobs(first)).isEqualTo(jobs(second)).containsExactly("a");
		assertThat(jobs(third)).containsExactly("b");
	}

	@Test
	void turnForOtherQueuesDoesNotWait() throws Exception {
		haveAllBeenFirst("a", "b");
		Future<TurnReply> first = serve(turn("a"));
		this.script.awaitCalls(3);
		Future<TurnReply> second = serve(turn("b", "other"));
		this.script.awaitCalls(4);
		this.script.reply(3);
		this.script.reply(2);
		assertThat(jobs(first)).containsExactly("a");
		assertThat(jobs(second)).containsExactly("b");
	}

	@Test
	void turnWithoutARequestForJobsIsLeftToTheCaller() {
		assertThat(this.calls.serve(new PlainTurn(List.of(), null))).isNull();
		assertThat(this.calls.serve(turn("a", 0, "default"))).isNull();
		assertThat(this.script.sent).isEmpty();
	}

	@Test
	void callIsBounded() throws Exception {
		haveOneUnderWay();
		serveWaiting(turn("b", TurnCalls.LARGEST_CALL - 1, "default"));
		serve(turn("a", 2, "default"));
		this.script.awaitCalls(4);
		assertThat(this.script.ids(3)).containsExactly("b");
		assertThat(this.calls.waiting()).isOne();
		this.script.reply(2);
		this.script.reply(3);
		this.script.reply(4);
	}

	@Test
	void fullCallIsSentBeforeTheReply() throws Exception {
		Future<TurnReply> first = haveOneUnderWay();
		List<Future<TurnReply>> full = serveWaiting(turn("b", TurnCalls.LARGEST_CALL - 1, "default"));
		full.add(serve(turn("a")));
		this.script.awaitCalls(4);
		assertThat(this.script.ids(3)).containsExactly("b", "a");
		this.script.reply(3);
		this.script.reply(2);
		assertThat(jobs(first)).containsExactly("a");
		assertThat(jobs(full.get(0))).containsExactly("b");
		assertThat(jobs(full.get(1))).containsExactly("a");
	}

	@Test
	void atMostTwoCallsAreUnderWayBeforeAWaitEnds() throws Exception {
		haveOneUnderWay();
		serve(turn("b", TurnCalls.LARGEST_CALL, "default"));
		this.script.awaitCalls(4);
		Future<TurnReply> third = serveWaiting(turn("a", TurnCalls.LARGEST_CALL, "default")).get(0);
		assertThat(this.script.replies).hasSize(4);
		this.script.reply(2);
		assertThat(this.script.replies).hasSize(5);
		this.script.reply(3);
		this.script.reply(4);
		assertThat(jobs(third)).containsExactly("a");
	}

	@Test
	void callThatIsNotFullWaitsForBothReplies() throws Exception {
		haveOneUnderWay();
		serve(turn("b", TurnCalls.LARGEST_CALL, "default"));
		this.script.awaitCalls(4);
		Future<TurnReply> third = serveWaiting(turn("a")).get(0);
		this.script.reply(2);
		assertThat(this.script.replies).hasSize(4);
		this.script.reply(3);
		assertThat(this.script.replies).hasSize(5);
		this.script.reply(4);
		assertThat(jobs(third)).containsExactly("a");
	}

	@Test
	void turnDoesNotWaitForLong() throws Exception {
		List<Future<TurnReply>> turns = haveOneWait();
		this.nanoTime.addAndGet(ReplyWait.LONGEST.toNanos());
		this.script.awaitCalls(4);
		this.script.reply(3);
		assertThat(jobs(turns.get(1))).containsExactly("b");
		this.script.reply(2);
		assertThat(jobs(turns.get(0))).containsExactly("a");
	}

	@Test
	void turnThatIsSentWhenItsWaitEndsIsNotCancelled() throws Exception {
		List<Future<TurnReply>> turns = haveOneWait();
		this.onNanoTime.set(() -> this.script.reply(2));
		this.nanoTime.addAndGet(ReplyWait.LONGEST.toNanos());
		this.script.awaitCalls(4);
		assertThat(jobs(turns.get(0))).containsExactly("a");
		this.script.reply(3);
		assertThat(jobs(turns.get(1))).containsExactly("b");
		assertThat(this.script.cancels).hasValue(0);
	}

	@Test
	void turnsThatComeAtTheSameTimeGoTogetherWhileCallsTakeLong() throws Exception {
		for (String poller : List.of("a", "b", "c")) {
			serveSlowly(poller, 1, 2 * ReplyWait.LONG_CALL.toNanos());
		}
		Future<TurnReply> first = serve(turn("a"));
		this.script.awaitCalls(4);
		Future<TurnReply> second = serve(turn("b"));
		awaitWaiters(1);
		Future<TurnReply> third = serve(turn("c"));
		awaitWaiters(2);
		this.nanoTime.addAndGet(ReplyWait.SHORTEST.toNanos());
		this.script.awaitCalls(5);
		assertThat(this.script.ids(4)).containsExactlyInAnyOrder("b", "c");
		this.script.reply(4);
		assertThat(jobs(second)).containsExactly("b");
		assertThat(jobs(third)).containsExactly("c");
		this.script.reply(3);
		assertThat(jobs(first)).containsExactly("a");
	}

	@Test
	void turnsOfAFailedCallAreRepeatedAloneAndItsReservationIsLost() throws Exception {
		List<Future<TurnReply>> together = haveTwoWait();
		this.script.reply(3);
		this.script.fail(4);
		assertThat(together.get(0).get()).isNull();
		assertThat(together.get(1).get()).isNull();
		ReservationRequest lost = this.failedRequests.lostBy("a");
		assertThat(lost).isEqualTo(this.script.reservations.get(4));
		assertThat(lost.id()).isEqualTo("a1");
		assertThat(lost.slots()).isZero();
		assertThat(this.failedRequests.lostBy("b")).isNull();
	}

	/**
	 * Checks a connection that is lost while two calls for several turns are under way.
	 */
	@Test
	void reservationsOfTwoFailedCallsAreBothLost() throws Exception {
		haveAllBeenFirst("a", "b", "c", "d", "e");
		serve(turn("e"));
		this.script.awaitCalls(6);
		List<Future<TurnReply>> turns = serveWaiting(turn("a"), turn("b"));
		this.script.reply(5);
		turns.addAll(serveWaiting(turn("c")));
		turns.add(serve(turn("d", TurnCalls.LARGEST_CALL - 1, "default")));
		this.script.awaitCalls(8);
		this.script.fail(6);
		this.script.fail(7);
		for (Future<TurnReply> turn : turns) {
			assertThat(turn.get()).isNull();
		}
		assertThat(this.failedRequests.lostBy("a")).isEqualTo(this.script.reservations.get(6));
		assertThat(this.failedRequests.lostBy("c")).isEqualTo(this.script.reservations.get(7));
	}

	/**
	 * Checks a call that the driver has sent again, whose first copy was executed.
	 */
	@Test
	void reservationIsLostIfTheScriptHasDoneNothing() throws Exception {
		List<Future<TurnReply>> together = haveTwoWait();
		this.script.reply(3);
		this.script.does = false;
		this.script.reply(4);
		assertThat(together.get(0).get()).isSameAs(together.get(1).get()).isSameAs(TurnReply.NOTHING);
		assertThat(this.failedRequests.lostBy("a")).isEqualTo(this.script.reservations.get(4));
	}

	/**
	 * Checks an error after Redis may have received a call.
	 */
	@Test
	void errorAfterSendingEndsTheCallAndItsReservationIsLost() throws Exception {
		List<Future<TurnReply>> together = haveTwoWait();
		this.script.errorAfterSending = new OutOfMemoryError("for a test");
		this.script.reply(3);
		assertThat(together.get(0).get()).isNull();
		assertThat(together.get(1).get()).isNull();
		assertThat(this.failedRequests.lostBy("a")).isEqualTo(this.script.reservations.get(4));
		this.script.errorAfterSending = null;
		assertServedAlone("c");
	}

	@Test
	void errorWhileReadingEndsTheCallAndItsReservationIsLost() throws Exception {
		List<Future<TurnReply>> together = haveTwoWait();
		this.script.reply(3);
		this.script.onRead = () -> {
			throw new OutOfMemoryError("for a test");
		};
		this.script.reply(4);
		assertThat(together.get(0).get()).isNull();
		assertThat(together.get(1).get()).isNull();
		assertThat(this.failedRequests.lostBy("a")).isEqualTo(this.script.reservations.get(4));
	}

	@Test
	void callForOneTurnHasItsRequestAndIsNotLost() throws Exception {
		PlainTurn turn = turn("a");
		Future<TurnReply> reply = serve(turn);
		this.script.awaitCalls(1);
		assertThat(this.script.reservations.get(0)).isSameAs(turn.next());
		this.script.fail(0);
		assertThat(reply.get()).isNull();
		assertThat(this.failedRequests.lostBy("a")).isNull();
		assertThat(this.failedRequests.hasFailed(Objects.requireNonNull(turn.next()))).isTrue();
	}

	/**
	 * Redis has executed the call.
	 */
	@Test
	void requestHasFailedIfTheReplyToItCannotBeRead() throws Exception {
		PlainTurn turn = turn("a");
		Future<TurnReply> reply = serve(turn);
		this.script.awaitCalls(1);
		this.script.onRead = () -> {
			throw new IllegalStateException("for a test");
		};
		this.script.reply(0);
		assertThat(reply.get()).isNull();
		assertThat(this.failedRequests.lostBy("a")).isNull();
		assertThat(this.failedRequests.hasFailed(Objects.requireNonNull(turn.next()))).isTrue();
	}

	/**
	 * Checks an id that may be equal to that of a call for several threads.
	 */
	@Test
	void requestWhoseIdHasAnotherEndSharesNoCall() {
		ReservationRequest request = new ReservationRequest("a1", "a", "instance", "thread",
				List.of(new QueueLimit("default", 0)), 1);
		assertThat(this.calls.serve(new PlainTurn(List.of(), request))).isNull();
		assertThat(this.script.sent).isEmpty();
	}

	/**
	 * Checks a script that Redis does not know yet. The caller sends it.
	 */
	@Test
	void requestWithAnErrorReplyHasNotFailed() throws Exception {
		PlainTurn turn = turn("a");
		Future<TurnReply> reply = serve(turn);
		this.script.awaitCalls(1);
		this.script.fail(0, new RedisNoScriptException("NOSCRIPT No matching script. Please use EVAL."));
		assertThat(reply.get()).isNull();
		assertThat(this.failedRequests.hasFailed(Objects.requireNonNull(turn.next()))).isFalse();
	}

	@Test
	void errorOfTheScriptEndsTheCall() throws Exception {
		this.script.error = new OutOfMemoryError("for a test");
		assertThat(serve(turn("a")).get()).isNull();
		this.script.error = null;
		assertServedAlone("a");
	}

	@Test
	void turnsAreRepeatedAloneWhileTheScriptCannotBeSent() throws Exception {
		this.script.sends = false;
		assertThat(serve(turn("a")).get()).isNull();
		assertThat(serve(turn("a")).get()).isNull();
		this.script.sends = true;
		assertServedAlone("a");
	}

	@Test
	void callWithoutAReplyIsCancelled() throws Exception {
		TurnCalls impatient = new TurnCalls(this.script, '1', this.failedRequests, Duration.ofMillis(50),
				System::nanoTime);
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> impatient.serve(turn("a")));
		assertThat(this.script.replies.get(0)).isCancelled();
		Future<TurnReply> next = this.threads.submit(() -> impatient.serve(turn("b")));
		this.script.awaitCalls(2);
		this.script.reply(1);
		assertThat(jobs(next)).containsExactly("b");
	}

	/**
	 * Checks a reply that arrives at the timeout. All turns of the call get it, because
	 * another one may run its jobs already.
	 */
	@Test
	void replyAtTheTimeoutIsNotDropped() throws Exception {
		TurnCalls impatient = new TurnCalls(this.script, '1', this.failedRequests, Duration.ofMillis(50),
				System::nanoTime);
		CountDownLatch reading = new CountDownLatch(1);
		CountDownLatch timedOut = new CountDownLatch(1);
		this.script.onRead = () -> {
			reading.countDown();
			timedOut.await();
		};
		Future<TurnReply> reply = this.threads.submit(() -> impatient.serve(turn("a")));
		this.script.awaitCalls(1);
		Future<?> replying = this.threads.submit(() -> this.script.reply(0));
		reading.await();
		this.script.awaitCancels();
		timedOut.countDown();
		assertThat(jobs(reply)).containsExactly("a");
		replying.get();
	}

	@Test
	void interruptStaysPendingAndDoesNotEndTheCall() throws Exception {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			Thread.currentThread().interrupt();
			this.calls.serve(turn("a"));
			interrupted.complete(Thread.interrupted());
		});
		thread.start();
		this.script.awaitCalls(1);
		thread.interrupt();
		assertThat(interrupted).isNotDone();
		this.script.reply(0);
		assertThat(interrupted.get()).isTrue();
		thread.join();
	}

	/**
	 * Serves a turn of each poller alone, so that they may go together.
	 */
	private void haveAllBeenFirst(String... pollers) throws Exception {
		for (String poller : pollers) {
			assertServedAlone(poller);
		}
	}

	/**
	 * Serves a turn of a poller alone some times, with calls of the given duration.
	 */
	private void serveSlowly(String poller, int times, long nanos) throws Exception {
		for (int i = 0; i < times; i++) {
			int call = this.script.replies.size();
			Future<TurnReply> reply = serve(turn(poller));
			this.script.awaitCalls(call + 1);
			this.nanoTime.addAndGet(nanos);
			this.script.reply(call);
			reply.get();
		}
	}

	private void assertServedAlone(String poller) throws Exception {
		int call = this.script.replies.size();
		Future<TurnReply> reply = serve(turn(poller));
		this.script.awaitCalls(call + 1);
		this.script.reply(call);
		assertThat(jobs(reply)).containsExactly(poller);
	}

	/**
	 * Has the turns of 'a' and 'b' wait for the call 3, which is under way.
	 */
	private List<Future<TurnReply>> haveTwoWait() throws Exception {
		haveAllBeenFirst("a", "b", "c");
		serve(turn("c"));
		this.script.awaitCalls(4);
		return serveWaiting(turn("a"), turn("b"));
	}

	/**
	 * Has the turn of poller b wait for the third call, which is that of poller a.
	 */
	private List<Future<TurnReply>> haveOneWait() throws Exception {
		Future<TurnReply> first = haveOneUnderWay();
		return List.of(first, serveWaiting(turn("b")).get(0));
	}

	/**
	 * Has the third call under way, which is that of poller a.
	 */
	private Future<TurnReply> haveOneUnderWay() throws Exception {
		haveAllBeenFirst("a", "b");
		Future<TurnReply> first = serve(turn("a"));
		this.script.awaitCalls(3);
		return first;
	}

	/**
	 * Has turns wait, in this order.
	 */
	private List<Future<TurnReply>> serveWaiting(PlainTurn... turns) {
		List<Future<TurnReply>> replies = new ArrayList<>();
		for (PlainTurn turn : turns) {
			replies.add(serve(turn));
			awaitWaiters(replies.size());
		}
		return replies;
	}

	private Future<TurnReply> serve(PlainTurn turn) {
		return this.threads.submit(() -> this.calls.serve(turn));
	}

	/**
	 * Returns the time, after what another thread does meanwhile.
	 */
	private long nanoTime() {
		Runnable meanwhile = this.onNanoTime.getAndSet(null);
		if (meanwhile != null) {
			meanwhile.run();
		}
		return this.nanoTime.get();
	}

	private void awaitWaiters(int count) {
		await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> this.calls.waiting() == count);
	}

	private static List<Object> jobs(Future<TurnReply> reply) throws Exception {
		return reply.get().jobs().texts();
	}

	private static PlainTurn turn(String poller, String... queues) {
		return turn(poller, 1, (queues.length > 0) ? queues : new String[] { "default" });
	}

	private static PlainTurn turn(String poller, int slots, String... queues) {
		List<QueueLimit> limits = new ArrayList<>();
		for (String queue : queues) {
			limits.add(new QueueLimit(queue, 0));
		}
		return new PlainTurn(List.of(),
				new ReservationRequest(poller + "9", poller, "instance", "thread", limits, slots, Set.of()));
	}

	/**
	 * Script whose reply to each turn is its poller.
	 */
	private static final class FakeScript implements TurnScript {

		private final List<List<PlainTurn>> sent = new CopyOnWriteArrayList<>();

		private final List<CompletableFuture<List<Object>>> replies = new CopyOnWriteArrayList<>();

		private final List<ReservationRequest> reservations = new CopyOnWriteArrayList<>();

		private final AtomicInteger cancels = new AtomicInteger();

		private volatile boolean sends = true;

		private volatile boolean does = true;

		private volatile @Nullable Error error;

		private volatile @Nullable Error errorAfterSending;

		private volatile ThrowingRunnable onRead = () -> {
		};

		@Override
		public @Nullable CompletionStage<List<Object>> send(List<PlainTurn> turns,
				@Nullable ReservationRequest reservation) {
			if (this.error != null) {
				throw this.error;
			}
			if (!this.sends) {
				return null;
			}
			CompletableFuture<List<Object>> reply = new CompletableFuture<>() {

				@Override
				public boolean cancel(boolean mayInterrupt) {
					FakeScript.this.cancels.incrementAndGet();
					return super.cancel(mayInterrupt);
				}

			};
			this.reservations.add(reservation);
			this.sent.add(turns);
			this.replies.add(reply);
			if (this.errorAfterSending != null) {
				throw this.errorAfterSending;
			}
			return reply;
		}

		@Override
		public List<TurnReply> read(List<Object> reply, List<PlainTurn> turns) {
			try {
				this.onRead.run();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			List<TurnReply> replies = new ArrayList<>();
			for (PlainTurn turn : turns) {
				ReservationRequest request = turn.next();
				replies.add(!this.does ? TurnReply.NOTHING
						: new TurnReply(false, null, 0, Set.of(),
								new BinaryReply((request != null) ? List.of(request.poller()) : List.of()),
								TurnReply.NOTHING.events()));
			}
			return replies;
		}

		private void awaitCalls(int count) {
			await().pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(1))
				.until(() -> this.replies.size() == count);
		}

		/**
		 * Waits until a call was cancelled in vain.
		 */
		private void awaitCancels() {
			await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> this.cancels.get() > 0);
		}

		private void reply(int call) {
			this.replies.get(call).complete(List.of("reply"));
		}

		private void fail(int call) {
			fail(call, new IllegalStateException("no reply"));
		}

		private void fail(int call, RuntimeException failure) {
			this.replies.get(call).completeExceptionally(failure);
		}

		private List<PlainTurn> turns(int call) {
			return this.sent.get(call);
		}

		private List<String> ids(int call) {
			return turns(call).stream().map((turn) -> turn.next().poller()).toList();
		}

	}

	/**
	 * Action that may be interrupted.
	 */
	private interface ThrowingRunnable {

		void run() throws InterruptedException;

	}

}
