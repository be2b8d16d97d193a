package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.List;

import io.locket.redis.RenewableConnections;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import org.springframework.data.redis.connection.DefaultMessage;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.withSettings;

/**
 * Tests for {@link WorkChannel}.
 */
class WorkChannelTests {

	private final RedisConnection connection = mock();

	private final RedisConnectionFactory factory = mock(RedisConnectionFactory.class,
			withSettings().extraInterfaces(RenewableConnections.class));

	private final WorkChannel channel = new WorkChannel(this.factory, "work");

	private final List<@Nullable String> notified = new ArrayList<>();

	@Test
	void listenerWhoseSubscriptionFailedIsNotifiedOnceAfterItsNextAttempt() {
		given(this.factory.getConnection()).willReturn(this.connection);
		given(this.connection.isSubscribed()).willReturn(true);
		willThrow(new OutOfMemoryError("for a test")).willDoNothing()
			.given((RenewableConnections) this.factory)
			.addRenewalAction(any());
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.channel.listen(this.notified::add));
		this.channel.listen(this.notified::add);
		ArgumentCaptor<MessageListener> listener = ArgumentCaptor.captor();
		then(this.connection).should(timeout(5000)).subscribe(listener.capture(), any(byte[].class));
		listener.getValue().onMessage(new DefaultMessage(new byte[0], "orders".getBytes()), null);
		assertThat(this.notified).containsExactly("orders");
		this.channel.close();
	}

}
