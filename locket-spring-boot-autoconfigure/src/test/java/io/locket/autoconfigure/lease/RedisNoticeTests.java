package io.locket.autoconfigure.lease;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import org.springframework.boot.context.event.ApplicationReadyEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RedisNotice}.
 */
class RedisNoticeTests {

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
		}));
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		checking.await();
		notice.destroy();
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
		}, () -> others.incrementAndGet() < 0));
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		checking.await();
		notice.destroy();
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
		}));
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		notice.onApplicationEvent(mock(ApplicationReadyEvent.class));
		repeated.await();
		notice.destroy();
		assertThat(threads).hasSize(1);
	}

}
