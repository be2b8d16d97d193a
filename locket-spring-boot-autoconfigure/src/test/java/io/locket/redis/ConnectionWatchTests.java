package io.locket.redis;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.lettuce.core.RedisCommandExecutionException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ConnectionWatch}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionWatchTests {

	private final FakeTarget target = new FakeTarget();

	private final ConnectionWatch watch = new ConnectionWatch(this.target, System::nanoTime);

	@AfterEach
	void close() {
		this.watch.close();
	}

	@Test
	void connectionThatRepliesAgainIsKept() {
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.checks.get() == 1);
		this.target.silent.set(true);
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.checks.get() >= 2);
		this.target.silent.set(false);
		Awaitility.await().until(this::isIdle);
		assertThat(this.target.renewals).hasValue(0);
	}

	@Test
	void silentConnectionIsRenewedOnceANewOneReplies() {
		this.target.silent.set(true);
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.calls.get() >= 2);
		assertThat(this.target.renewals).hasValue(0);
		this.target.failure = null;
		Awaitility.await().until(() -> this.target.renewals.get() == 1);
		assertThat(this.target.checks.get()).isGreaterThanOrEqualTo(2);
	}

	@Test
	void connectionThatRepliesWhenTheNewOneDoesIsKept() {
		this.target.silent.set(true);
		this.target.onCall = () -> this.target.silent.set(false);
		this.target.failure = null;
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.calls.get() == 1 && isIdle());
		assertThat(this.target.renewals).hasValue(0);
	}

	@Test
	void refusalOfANewConnectionIsLoggedOnceAndRenewsNothing(CapturedOutput output) {
		this.target.failure = new RedisCommandExecutionException("WRONGPASS invalid username-password pair");
		this.target.silent.set(true);
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.calls.get() >= 2);
		this.watch.close();
		assertThat(output.getOut().split("WRONGPASS", -1)).hasSize(2);
		assertThat(output).contains("spring.data.redis.password");
		assertThat(this.target.renewals).hasValue(0);
	}

	@Test
	void slowScriptRenewsNothing() {
		this.target.failure = new RedisCommandExecutionException("BUSY Redis is busy running a script.");
		this.target.silent.set(true);
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.calls.get() >= 2);
		this.target.silent.set(false);
		Awaitility.await().until(this::isIdle);
		assertThat(this.target.renewals).hasValue(0);
	}

	@Test
	void replicaBesideTheConnectionRenewsNothing(CapturedOutput output) {
		this.target.problem = ConnectionWatch.Problem.REPLICA;
		this.target.failure = new RedisCommandExecutionException(
				"READONLY You can't write against a read only replica.");
		this.target.silent.set(true);
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.calls.get() >= 2);
		assertThat(this.target.renewals).hasValue(0);
		assertThat(output.getOut().split("READONLY", -1)).hasSize(2);
		this.target.failure = null;
		Awaitility.await().until(() -> this.target.renewals.get() == 1);
	}

	@Test
	void closeWaitsForAConnectionThatIsBeingOpened() throws Exception {
		Thread closing = Thread.currentThread();
		CountDownLatch opening = new CountDownLatch(1);
		AtomicBoolean opened = new AtomicBoolean();
		this.target.silent.set(true);
		this.target.onCall = () -> {
			opening.countDown();
			Awaitility.await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
			opened.set(true);
		};
		this.watch.suspect();
		opening.await();
		this.watch.close();
		assertThat(opened).isTrue();
		assertThat(isIdle()).isTrue();
	}

	@Test
	void manyTimeoutsStartOneCheck() {
		this.target.silent.set(true);
		for (int i = 0; i < 100; i++) {
			this.watch.suspect();
		}
		assertThat(this.target.checks.get()).isLessThanOrEqualTo(1);
	}

	@Test
	void secondRenewalSoonAfterIsPutOff() {
		this.target.silent.set(true);
		this.target.failure = null;
		this.target.onRenewal = () -> {
		};
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.renewals.get() == 1 && isIdle());
		long first = System.nanoTime();
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.renewals.get() == 2);
		assertThat(Duration.ofNanos(System.nanoTime() - first)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
	}

	@Test
	void connectionThatRepliesWhileItsRenewalIsPutOffIsKept() {
		this.target.silent.set(true);
		this.target.failure = null;
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.renewals.get() == 1 && isIdle());
		AtomicReference<Thread> check = new AtomicReference<>();
		this.target.silent.set(true);
		this.target.onCall = () -> check.set(Thread.currentThread());
		this.watch.suspect();
		Awaitility.await().until(() -> check.get() != null && check.get().getState() == Thread.State.TIMED_WAITING);
		this.target.silent.set(false);
		LockSupport.unpark(check.get());
		Awaitility.await().until(this::isIdle);
		assertThat(this.target.renewals).hasValue(1);
	}

	@Test
	void errorEndsTheCheckAndTheNextTimeoutStartsAnother(CapturedOutput output) {
		this.target.silent.set(true);
		this.target.onCall = () -> {
			throw new NoClassDefFoundError("for a test");
		};
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.calls.get() == 1 && isIdle());
		assertThat(output).contains("The check of a connection failed unexpectedly");
		this.target.onCall = () -> {
		};
		this.target.failure = null;
		this.watch.suspect();
		Awaitility.await().until(() -> this.target.renewals.get() == 1);
	}

	@Test
	void closedWatchChecksNothing() {
		this.watch.close();
		this.watch.suspect();
		assertThat(isIdle()).isTrue();
		assertThat(this.target.checks).hasValue(0);
	}

	private boolean isIdle() {
		return !this.watch.isChecking();
	}

	private static final class FakeTarget implements ConnectionWatch.Target {

		private final AtomicBoolean silent = new AtomicBoolean();

		private final AtomicInteger checks = new AtomicInteger();

		private final AtomicInteger calls = new AtomicInteger();

		private final AtomicInteger renewals = new AtomicInteger();

		private volatile ConnectionWatch.Problem problem = ConnectionWatch.Problem.SILENT;

		private volatile RuntimeException failure = new QueryTimeoutException("no reply");

		private volatile Runnable onCall = () -> {
		};

		private volatile Runnable onRenewal = () -> this.silent.set(false);

		@Override
		public ConnectionWatch.@Nullable Problem problem() {
			this.checks.incrementAndGet();
			return this.silent.get() ? this.problem : null;
		}

		@Override
		public void callOnNewConnection(ConnectionWatch.Problem found) {
			assertThat(found).isSameAs(this.problem);
			this.calls.incrementAndGet();
			this.onCall.run();
			RuntimeException thrown = this.failure;
			if (thrown != null) {
				throw thrown;
			}
		}

		@Override
		public void renew() {
			this.renewals.incrementAndGet();
			this.onRenewal.run();
		}

	}

}
