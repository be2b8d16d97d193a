package io.locket.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.event.JobEvent;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseReleased;
import io.locket.lease.Lease;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RedisLeases}.
 */
class RedisLeasesTests {

	private final String namespace = RedisServer.newNamespace();

	private final LettuceConnectionFactory connections = new LettuceConnectionFactory(RedisServer.shared().host(),
			RedisServer.shared().port());

	@BeforeEach
	void connect() {
		this.connections.afterPropertiesSet();
		this.connections.start();
	}

	@AfterEach
	void disconnect() {
		this.connections.destroy();
	}

	private RedisLeases.Builder builder() {
		return RedisLeases.builder(this.connections, this.namespace);
	}

	@Test
	void leaseExcludesThatOfAnotherProcess() {
		try (RedisLeases first = builder().build(); RedisLeases second = builder().build()) {
			Lease lease = first.service().tryAcquire("report", 1).orElseThrow();
			assertThat(second.service().tryAcquire("report", 1)).isEmpty();
			lease.close();
			Lease next = second.service().tryAcquire("report", 1).orElseThrow();
			assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
			next.close();
		}
	}

	@Test
	void listenersReceiveEvents() {
		List<JobEvent> events = new CopyOnWriteArrayList<>();
		try (RedisLeases leases = builder().listeners(List.of(events::add)).build()) {
			leases.service().tryAcquire("report").orElseThrow().close();
		}
		assertThat(events).hasSize(2)
			.satisfiesExactly((event) -> assertThat(event).isInstanceOf(LeaseAcquired.class),
					(event) -> assertThat(event).isInstanceOf(LeaseReleased.class));
	}

	@Test
	void closeLeavesTheConnectionsOpen() {
		builder().build().close();
		assertThat(this.connections.isRunning()).isTrue();
		assertThat(this.connections.getConnection().ping()).isEqualTo("PONG");
	}

	@Test
	void durationOfOverAHundredYearsIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> builder().duration(Duration.ofDays(36_501)).build())
			.withMessageStartingWith("The duration of a lease must be between 1 ms and 36500 days");
	}

	@Test
	void commandTimeoutOverAThirdOfTheDurationIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> builder().duration(Duration.ofSeconds(5)).commandTimeout(Duration.ofSeconds(2)).build())
			.withMessageContaining("third");
	}

}
