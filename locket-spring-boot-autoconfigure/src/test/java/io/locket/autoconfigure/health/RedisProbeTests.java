package io.locket.autoconfigure.health;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.lease.redis.LeaseKeys;
import io.locket.redis.PermissionCheck;
import io.locket.redis.RedisConnections;
import io.locket.redis.ServerCheck;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link RedisProbe}.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisProbeTests {

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	private final RedisServer server = RedisServer.shared();

	private final AtomicLong now = new AtomicLong();

	private final LettuceConnectionFactory factory = factory(
			new RedisStandaloneConfiguration(this.server.host(), this.server.port()));

	@AfterEach
	void close() {
		this.factory.destroy();
	}

	@Test
	void storeIsAwayForACommandTimeoutWhenItDoesNotReplyAfterThePing() {
		LettuceConnectionFactory dead = factory(new RedisStandaloneConfiguration(this.server.host(), 1));
		RedisProbe probe = probe(this.factory, dead);
		probe.ping();
		assertThat(probe.isUnavailable()).isFalse();
		assertThat(probe.evictionPolicy()).isEmpty();
		assertThat(probe.isUnavailable()).isTrue();
		this.now.addAndGet(COMMAND_TIMEOUT.toNanos());
		assertThat(probe.isUnavailable()).isFalse();
		this.now.addAndGet(-1);
		probe.ping();
		assertThat(probe.isUnavailable()).isFalse();
		dead.destroy();
	}

	@Test
	void storeThatDoesNotTellItsPolicyIsThere(CapturedOutput output) {
		this.server.execute("ACL", "SETUSER", "quiet", "on", ">secret", "allkeys", "+@all", "-info");
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(this.server.host(),
				this.server.port());
		configuration.setUsername("quiet");
		configuration.setPassword("secret");
		LettuceConnectionFactory quiet = factory(configuration);
		RedisProbe probe = probe(quiet, quiet);
		probe.ping();
		assertThat(probe.evictionPolicy()).isEmpty();
		assertThat(probe.isUnavailable()).isFalse();
		this.now.addAndGet(Duration.ofMinutes(2).toNanos());
		assertThat(probe.evictionPolicy()).isEmpty();
		assertThat(output.getOut().lines().filter((line) -> line.contains("does not return its version"))).hasSize(1);
		quiet.destroy();
	}

	@Test
	void storeIsAwayForACommandTimeoutAfterAPingWithoutAReply() {
		LettuceConnectionFactory dead = factory(new RedisStandaloneConfiguration(this.server.host(), 1));
		RedisProbe probe = probe(dead, this.factory);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(probe::ping);
		assertThat(probe.isUnavailable()).isTrue();
		this.now.addAndGet(COMMAND_TIMEOUT.toNanos());
		assertThat(probe.isUnavailable()).isFalse();
		dead.destroy();
	}

	@Test
	void replicaRefusesThePingUntilItIsAMaster(CapturedOutput output) {
		try (RedisServer replica = RedisServer.start("--replicaof", this.server.host(),
				Integer.toString(this.server.port()))) {
			LettuceConnectionFactory connections = factory(
					new RedisStandaloneConfiguration(replica.host(), replica.port()));
			RedisProbe probe = probe(connections, this.factory);
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(probe::ping)
				.withMessageStartingWith("Redis refused to: ")
				.withMessageContaining("READONLY");
			assertThat(probe.isUnavailable()).isFalse();
			replica.execute("REPLICAOF", "NO", "ONE");
			assertThat(output).doesNotContain("Locket's Redis can be used again");
			probe.ping();
			assertThat(output).contains("Locket's Redis can be used again");
			connections.destroy();
		}
	}

	@Test
	void serverThatLacksReplicasRefusesThePing() {
		try (RedisServer alone = RedisServer.start("--min-replicas-to-write", "1")) {
			LettuceConnectionFactory connections = factory(
					new RedisStandaloneConfiguration(alone.host(), alone.port()));
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(probe(connections, this.factory)::ping)
				.withMessageContaining("NOREPLICAS");
			connections.destroy();
		}
	}

	@Test
	void fullServerAcceptsThePing() {
		try (RedisServer full = RedisServer.start("--maxmemory", "1")) {
			LettuceConnectionFactory connections = factory(new RedisStandaloneConfiguration(full.host(), full.port()));
			probe(connections, this.factory).ping();
			connections.destroy();
		}
	}

	@Test
	void outageIsLoggedOnceAMinuteWhenThePingIsRepeated(CapturedOutput output) {
		LettuceConnectionFactory dead = factory(new RedisStandaloneConfiguration(this.server.host(), 1));
		RedisProbe probe = probe(dead, this.factory);
		for (int ping = 0; ping < 7; ping++) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(probe::ping);
			this.now.addAndGet(Duration.ofSeconds(10).toNanos());
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains("Locket's Redis cannot be used"))).hasSize(2);
		assertThat(output).doesNotContain("\tat ");
		dead.destroy();
	}

	@Test
	void checkThatTakesLongDelaysCallersForACommandTimeoutOnly() {
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger checks = new AtomicInteger();
		ServerCheck slow = mock(ServerCheck.class);
		given(slow.policy()).willReturn(Optional.empty());
		given(slow.run()).willAnswer((call) -> {
			checks.incrementAndGet();
			end.await();
			return true;
		});
		RedisProbe probe = new RedisProbe(connections(this.factory, Duration.ofMillis(20)),
				LeaseKeys.of(RedisServer.newNamespace()), slow, null, this.now::get);
		try {
			assertThat(probe.evictionPolicy()).isEmpty();
			this.now.addAndGet(Duration.ofMinutes(2).toNanos());
			assertThat(probe.evictionPolicy()).isEmpty();
			assertThat(checks).hasValue(1);
			Thread.currentThread().interrupt();
			assertThat(probe.evictionPolicy()).isEmpty();
			assertThat(Thread.interrupted()).isTrue();
		}
		finally {
			end.countDown();
		}
		await().untilAsserted(() -> {
			probe.evictionPolicy();
			assertThat(checks).hasValue(2);
		});
	}

	@Test
	void policyIsReadAgainAfterAMinute() {
		try (RedisServer changed = RedisServer.start()) {
			LettuceConnectionFactory connections = factory(
					new RedisStandaloneConfiguration(changed.host(), changed.port()));
			RedisProbe probe = new RedisProbe(connections(connections, Duration.ofSeconds(30)),
					LeaseKeys.of(RedisServer.newNamespace()), new ServerCheck(connections, true), null, this.now::get);
			assertThat(probe.evictionPolicy()).hasValue("noeviction");
			changed.execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
			this.now.addAndGet(Duration.ofSeconds(59).toNanos());
			assertThat(probe.evictionPolicy()).hasValue("noeviction");
			this.now.addAndGet(Duration.ofSeconds(1).toNanos());
			assertThat(probe.evictionPolicy()).hasValue("allkeys-lru");
			assertThat(probe.evictionWarning()).isPresent();
			connections.destroy();
		}
	}

	@Test
	void permissionsAreCheckedAgainAfterAMinuteUnlessRedisDoesNotReply() {
		ServerCheck check = mock(ServerCheck.class);
		given(check.policy()).willReturn(Optional.empty());
		given(check.run()).willReturn(true, false, true);
		PermissionCheck permissions = mock(PermissionCheck.class);
		RedisProbe probe = new RedisProbe(connections(this.factory, Duration.ofSeconds(30)),
				LeaseKeys.of(RedisServer.newNamespace()), check, permissions, this.now::get);
		for (int expected : new int[] { 1, 1, 2 }) {
			probe.evictionPolicy();
			then(permissions).should(times(expected)).run();
			this.now.addAndGet(Duration.ofMinutes(1).toNanos());
		}
	}

	private RedisProbe probe(LettuceConnectionFactory pinged, LettuceConnectionFactory asked) {
		return new RedisProbe(connections(pinged), LeaseKeys.of(RedisServer.newNamespace()),
				new ServerCheck(asked, true), null, this.now::get);
	}

	private static RedisConnections connections(LettuceConnectionFactory factory) {
		return connections(factory, COMMAND_TIMEOUT);
	}

	private static RedisConnections connections(LettuceConnectionFactory factory, Duration commandTimeout) {
		return new RedisConnections(factory, factory, commandTimeout, () -> {
		});
	}

	private static LettuceConnectionFactory factory(RedisStandaloneConfiguration configuration) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
		factory.start();
		return factory;
	}

}
