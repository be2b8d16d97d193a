package io.locket.autoconfigure.lease;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.locket.lease.registry.LockProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link RedisNotice}.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisNoticeTests {

	private static final String NOT_LOCATED = "Could not determine where";

	private final LockProbe probe = mock();

	@Test
	void endOfTheApplicationWaitsForACheckThatIsRunning() throws Exception {
		Thread closing = Thread.currentThread();
		CountDownLatch checking = new CountDownLatch(1);
		AtomicBoolean ended = new AtomicBoolean();
		RedisNotice notice = new RedisNotice(List.of(() -> {
			checking.countDown();
			await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
			ended.set(true);
			return true;
		}), null);
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		checking.await();
		notice.stop();
		assertThat(ended).isTrue();
	}

	@Test
	void noFurtherCheckStartsAfterTheEndOfTheApplication() throws Exception {
		Thread closing = Thread.currentThread();
		CountDownLatch checking = new CountDownLatch(1);
		AtomicReference<Thread> check = new AtomicReference<>();
		AtomicInteger others = new AtomicInteger();
		RedisNotice notice = new RedisNotice(List.of(() -> {
			check.set(Thread.currentThread());
			checking.countDown();
			await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
			return true;
		}, () -> others.incrementAndGet() < 0), null);
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		checking.await();
		notice.stop();
		assertThat(others).hasValue(0);
		assertThat(check.get().isAlive()).isFalse();
	}

	@Test
	void eventOfAChildContextStartsNoSecondCheck() throws Exception {
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		CountDownLatch repeated = new CountDownLatch(3);
		RedisNotice notice = new RedisNotice(List.of(() -> {
			threads.add(Thread.currentThread());
			LockSupport.unpark(Thread.currentThread());
			repeated.countDown();
			return repeated.getCount() == 0;
		}), null);
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		repeated.await();
		notice.stop();
		assertThat(threads).hasSize(1);
	}

	@Test
	void checkOfTheRegistryIsRepeatedAndWarnsOnce(CapturedOutput output) throws Exception {
		CountDownLatch repeated = new CountDownLatch(3);
		given(this.probe.isSameSpace()).willAnswer((call) -> {
			LockSupport.unpark(Thread.currentThread());
			repeated.countDown();
			if (repeated.getCount() > 0) {
				throw new IllegalStateException("no reply");
			}
			return true;
		});
		RedisNotice notice = new RedisNotice(List.of(() -> true), this.probe);
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		assertThat(repeated.await(10, TimeUnit.SECONDS)).isTrue();
		notice.stop();
		then(this.probe).should(times(3)).isSameSpace();
		assertThat(output).containsOnlyOnce(NOT_LOCATED).doesNotContain("Redis does not respond");
	}

	@Test
	void failureOfTheRegistryDuringTheStopIsNoWarning(CapturedOutput output) throws Exception {
		Thread closing = Thread.currentThread();
		CountDownLatch checking = new CountDownLatch(1);
		given(this.probe.isSameSpace()).willAnswer((call) -> {
			checking.countDown();
			await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
			throw new IllegalStateException("closed");
		});
		RedisNotice notice = new RedisNotice(List.of(() -> true), this.probe);
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		checking.await();
		notice.stop();
		assertThat(output).doesNotContain(NOT_LOCATED);
	}

	@Test
	void checkIsRepeatedAfterAStopAndAStart() throws Exception {
		Semaphore checks = new Semaphore(0);
		RedisNotice notice = new RedisNotice(List.of(() -> {
			checks.release();
			return true;
		}), null);
		notice.stop();
		notice.start();
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		checks.acquire();
		notice.start();
		notice.stop();
		assertThat(notice.isRunning()).isFalse();
		assertThat(checks.availablePermits()).isZero();
		notice.start();
		checks.acquire();
		assertThat(notice.isRunning()).isTrue();
		notice.stop();
	}

}
