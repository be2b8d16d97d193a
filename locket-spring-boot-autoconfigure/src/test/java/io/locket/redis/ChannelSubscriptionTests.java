package io.locket.redis;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.listener.ChannelTopic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;

/**
 * Tests for {@link ChannelSubscription}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ChannelSubscriptionTests {

	private final RedisConnection connection = mock();

	private final Subscription subscribed = mock();

	private final CountDownLatch subscribing = new CountDownLatch(1);

	private final RedisConnectionFactory factory = mock();

	private final ChannelSubscription subscription = new ChannelSubscription(this.factory, new ChannelTopic("channel"),
			(message) -> {
			}, () -> {
			});

	@BeforeEach
	void connect() {
		given(this.factory.getConnection()).willReturn(this.connection);
		given(this.connection.getSubscription()).willReturn(this.subscribed);
	}

	@Test
	void connectionIsClosedAlsoIfTheSubscriptionCannotBeEnded() {
		willThrow(new IllegalStateException("gone")).given(this.subscribed).close();
		given(this.connection.isSubscribed()).willReturn(true);
		this.subscription.start();
		then(this.connection).should(timeout(5000)).isSubscribed();
		this.subscription.close();
		then(this.connection).should(timeout(5000).atLeastOnce()).close();
	}

	@Test
	void refusedSubscriptionIsLoggedOnceAndWhenItSucceeds(CapturedOutput output) {
		willThrow(new IllegalStateException("refused")).willReturn(this.connection).given(this.factory).getConnection();
		given(this.connection.isSubscribed()).willReturn(true);
		this.subscription.start();
		await().until(() -> output.toString().contains("Subscribed to channel again, after"));
		assertThat(output.toString().split("Cannot subscribe to channel", -1)).hasSize(2);
		assertThat(output).contains("Check Redis (logged once a minute): java.lang.IllegalStateException: refused");
		this.subscription.close();
	}

	@Test
	void refusedPermissionIsNamed(CapturedOutput output) {
		willThrow(new RedisSystemException("Error in execution", new RedisCommandExecutionException("NOPERM")))
			.willReturn(this.connection)
			.given(this.factory)
			.getConnection();
		given(this.connection.isSubscribed()).willReturn(true);
		this.subscription.start();
		await().until(() -> output.toString().contains("Subscribed to channel again, after"));
		assertThat(output).contains("The user of Redis lacks a permission, and Redis refused to: subscribe.");
		this.subscription.close();
	}

	@Test
	void errorIsFollowedByAnotherAttempt(CapturedOutput output) {
		given(this.factory.getConnection()).willAnswer((call) -> {
			endTheNextPauseAtOnce();
			throw new NoClassDefFoundError("for a test");
		}).willAnswer((call) -> {
			endTheNextPauseAtOnce();
			return this.connection;
		});
		given(this.connection.isSubscribed()).willReturn(false, true);
		willThrow(new NoClassDefFoundError("for a test")).willDoNothing().given(this.subscribed).close();
		this.subscription.start();
		then(this.connection).should(timeout(5000).times(2)).isSubscribed();
		assertThat(output).contains("Cannot subscribe to channel").contains("NoClassDefFoundError: for a test");
		this.subscription.close();
	}

	private static void endTheNextPauseAtOnce() {
		LockSupport.unpark(Thread.currentThread());
	}

	/**
	 * Checks a connection that nobody would close while its driver blocks the thread.
	 */
	@Test
	void connectionThatIsOpenedDuringTheCloseIsNotSubscribed() {
		given(this.factory.getConnection()).willAnswer((call) -> {
			this.subscription.close();
			return this.connection;
		});
		this.subscription.start();
		then(this.connection).should(timeout(5000)).close();
		then(this.connection).should(never()).subscribe(any(), any(byte[].class));
	}

	@Test
	void closeWaitsForAConnectionThatIsBeingOpened() throws Exception {
		Thread closing = Thread.currentThread();
		AtomicReference<Thread> subscriber = new AtomicReference<>();
		CountDownLatch opening = new CountDownLatch(1);
		given(this.factory.getConnection()).willAnswer((call) -> {
			subscriber.set(Thread.currentThread());
			opening.countDown();
			await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
			return this.connection;
		});
		this.subscription.start();
		opening.await();
		this.subscription.close();
		then(this.connection).should(atLeastOnce()).close();
		assertThat(subscriber.get().isAlive()).isFalse();
	}

	@Test
	void subscriptionThatBlocksItsThreadIsEnded() throws Exception {
		CountDownLatch ended = new CountDownLatch(1);
		CountDownLatch returned = new CountDownLatch(1);
		willAnswer((call) -> {
			this.subscribing.countDown();
			ended.await(5, TimeUnit.SECONDS);
			returned.countDown();
			return null;
		}).given(this.connection).subscribe(any(), any(byte[].class));
		willAnswer((call) -> {
			ended.countDown();
			return null;
		}).given(this.subscribed).close();
		this.subscription.start();
		assertThat(this.subscribing.await(5, TimeUnit.SECONDS)).isTrue();
		this.subscription.close();
		assertThat(ended.getCount()).isZero();
		assertThat(returned.await(5, TimeUnit.SECONDS)).isTrue();
		then(this.connection).should(atLeastOnce()).close();
	}

}
