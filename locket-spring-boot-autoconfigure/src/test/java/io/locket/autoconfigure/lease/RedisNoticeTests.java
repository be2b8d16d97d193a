package io.locket.autoconfigure.lease;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

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

}
