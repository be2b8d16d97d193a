package io.locket.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.locket.JobKey;
import io.locket.LeaseUnavailableException;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for connections whose packets are lost, for a server that becomes a replica, and
 * for a slow server.
 */
@ExtendWith(OutputCaptureExtension.class)
class SilentConnectionTests {

	private static final String BUSY = "local t = redis.call('TIME')"
			+ " local s = t[1] * 1000000 + t[2] repeat t = redis.call('TIME')"
			+ " until t[1] * 1000000 + t[2] - s > tonumber(ARGV[1]) return 1";

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class))
		.withPropertyValues("locket.namespace=" + this.namespace, "locket.redis.command-timeout=500ms");

	@Test
	void connectionsWhosePacketsVanishAreReplaced() {
		RedisServer server = RedisServer.shared();
		try (SilentProxy proxy = SilentProxy.start(server)) {
			this.runner.withPropertyValues(proxy.properties()).run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				RedisConnections connections = context.getBean(RedisConnections.class);
				warmUp(leases);
				AtomicInteger subscribed = new AtomicInteger();
				CompletableFuture<String> message = new CompletableFuture<>();
				try (ChannelSubscription subscription = new ChannelSubscription(connections.shared(),
						new ChannelTopic(this.namespace), message::complete, subscribed::incrementAndGet)) {
					subscription.start();
					Awaitility.await().until(() -> subscribed.get() >= 1);
					int before = subscribed.get();
					proxy.forgetConnections();
					long start = System.nanoTime();
					JobKey key = leases.keyOf("report");
					assertThatExceptionOfType(LeaseUnavailableException.class)
						.isThrownBy(() -> leases.tryAcquire("report"));
					Awaitility.await()
						.atMost(Duration.ofSeconds(8))
						.ignoreExceptions()
						.untilAsserted(() -> leases.tryAcquire("report").orElseThrow().close());
					assertThat(Duration.ofNanos(System.nanoTime() - start))
						.isGreaterThanOrEqualTo(Duration.ofMillis(900));
					Awaitility.await().until(() -> subscribed.get() > before);
					server.execute("PUBLISH", this.namespace, "hello");
					assertThat(message.get(5, TimeUnit.SECONDS)).isEqualTo("hello");
					Awaitility.await().until(() -> leases.isAvailable(key));
				}
			});
		}
	}

	/**
	 * Switches the roles of two servers as operators do, behind an address that leads to
	 * the master. Redis does not close the connections of the server that becomes a
	 * replica.
	 */
	@Test
	void connectionToAServerThatHasBecomeAReplicaIsReplaced(CapturedOutput output) {
		try (RedisServer first = RedisServer.start();
				RedisServer second = RedisServer.start("--replicaof", first.host(), Integer.toString(first.port()));
				SilentProxy proxy = SilentProxy.start(first)) {
			this.runner.withPropertyValues(proxy.properties()).run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				warmUp(leases);
				Lease held = leases.tryAcquire("nightly").orElseThrow();
				Awaitility.await()
					.until(() -> second.execute("EXISTS", "{" + this.namespace + "}:lease:" + held.key().digest())
						.equals(1L));
				second.execute("REPLICAOF", "NO", "ONE");
				first.execute("REPLICAOF", second.host(), Integer.toString(second.port()));
				proxy.lead(second);
				assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> leases.tryAcquire("report"))
					.withMessageContaining("READONLY");
				Awaitility.await()
					.atMost(Duration.ofSeconds(8))
					.ignoreExceptions()
					.untilAsserted(() -> leases.tryAcquire("report").orElseThrow().close());
				assertThat(output).contains("A connection to Redis led to a replica for ");
				assertThat(held.isHeld()).isTrue();
				held.close();
				assertThat(leases.isAvailable(held.key())).isTrue();
			});
		}
	}

	/**
	 * Leads to a new master without replicas, which refuses writes, but replies.
	 */
	@Test
	@Tag("scale")
	@Tag("alone")
	void silentConnectionIsReplacedAlthoughTheNewMasterRefusesWrites() {
		try (RedisServer other = RedisServer.start("--min-replicas-to-write", "1");
				SilentProxy proxy = SilentProxy.start(RedisServer.shared())) {
			this.runner.withPropertyValues(proxy.properties()).run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				warmUp(leases);
				proxy.lead(other);
				proxy.forgetConnections();
				Awaitility.await()
					.atMost(Duration.ofSeconds(10))
					.untilAsserted(() -> assertThatExceptionOfType(LeaseUnavailableException.class)
						.isThrownBy(() -> leases.tryAcquire("report"))
						.withMessageContaining("NOREPLICAS"));
			});
		}
	}

	@Test
	@Tag("scale")
	@Tag("alone")
	void phantomIsTakenBackOverTheNewConnection() {
		RedisServer server = RedisServer.shared();
		try (SilentProxy proxy = SilentProxy.start(server)) {
			this.runner.withPropertyValues(proxy.properties())
				.withPropertyValues("locket.redis.command-timeout=1s")
				.run((context) -> {
					LeaseService leases = context.getBean(LeaseService.class);
					warmUp(leases);
					String lock = "{" + this.namespace + "}:lease:" + leases.keyOf("report").digest();
					proxy.loseReplies();
					CompletableFuture<Optional<Lease>> acquire = CompletableFuture
						.supplyAsync(() -> leases.tryAcquire("report"), (task) -> new Thread(task).start());
					Awaitility.await()
						.pollInterval(Duration.ofMillis(10))
						.until(() -> server.execute("EXISTS", lock).equals(1L));
					proxy.forgetConnections();
					assertThat(acquire).failsWithin(Duration.ofSeconds(5))
						.withThrowableThat()
						.withCauseInstanceOf(LeaseUnavailableException.class);
					assertThat(server.execute("PTTL", lock)).asInstanceOf(InstanceOfAssertFactories.LONG)
						.isGreaterThan(30_000L);
					Awaitility.await()
						.atMost(Duration.ofSeconds(10))
						.until(() -> server.execute("EXISTS", lock).equals(0L));
				});
		}
	}

	@Test
	@Tag("scale")
	@Tag("alone")
	void connectionsOfTheApplicationAreLeftAlone() {
		try (SilentProxy proxy = SilentProxy.start(RedisServer.shared())) {
			this.runner.withPropertyValues(proxy.properties())
				.withPropertyValues("spring.data.redis.client-name=application-" + this.namespace)
				.run((context) -> {
					StringRedisTemplate application = new StringRedisTemplate(
							context.getBean(RedisConnectionFactory.class));
					application.hasKey("x");
					Set<String> before = connections("application-" + this.namespace);
					assertThat(before).hasSize(1);
					LeaseService leases = context.getBean(LeaseService.class);
					warmUp(leases);
					Set<String> own = connections("locket:" + this.namespace);
					proxy.forgetConnections();
					Awaitility.await()
						.atMost(Duration.ofSeconds(8))
						.ignoreExceptions()
						.untilAsserted(() -> leases.tryAcquire("report").orElseThrow().close());
					assertThat(connections("locket:" + this.namespace)).doesNotContainAnyElementsOf(own);
					assertThat(connections("application-" + this.namespace)).isEqualTo(before);
				});
		}
	}

	@Test
	@Tag("scale")
	@Tag("alone")
	void nothingIsOpenedInAStormWhileNewConnectionsVanishToo() {
		try (SilentProxy proxy = SilentProxy.start(RedisServer.shared())) {
			this.runner.withPropertyValues(proxy.properties()).run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				warmUp(leases);
				int before = proxy.accepted();
				proxy.forgetNewConnections(true);
				proxy.forgetConnections();
				long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
				while (System.nanoTime() < end) {
					assertThatExceptionOfType(LeaseUnavailableException.class)
						.isThrownBy(() -> leases.tryAcquire("report"));
				}
				assertThat(proxy.accepted() - before).isBetween(1, 6);
				proxy.forgetNewConnections(false);
				Awaitility.await()
					.atMost(Duration.ofSeconds(8))
					.ignoreExceptions()
					.untilAsserted(() -> leases.tryAcquire("report").orElseThrow().close());
			});
		}
	}

	@Test
	@Tag("scale")
	@Tag("alone")
	void slowScriptReplacesNoConnection() {
		try (RedisServer server = RedisServer.start()) {
			this.runner.withPropertyValues(server.properties()).run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				warmUp(leases);
				try (Lease lease = leases.tryAcquire("warm").orElseThrow()) {
					Set<String> before = connections(server, "locket:" + this.namespace);
					assertThat(before).hasSize(1);
					CompletableFuture<Object> script = CompletableFuture.supplyAsync(
							() -> server.execute("EVAL", BUSY, "0", "2500000"), (task) -> new Thread(task).start());
					AtomicInteger timeouts = new AtomicInteger();
					while (!script.isDone()) {
						try {
							leases.find(lease.key());
						}
						catch (LeaseUnavailableException ex) {
							timeouts.incrementAndGet();
						}
					}
					assertThat(timeouts.get()).isGreaterThan(3);
					Awaitility.await().until(() -> leases.find(lease.key()).isPresent());
					assertThat(connections(server, "locket:" + this.namespace)).isEqualTo(before);
				}
			});
		}
	}

	/**
	 * Warms up a process. Its first command loads classes and a script, and may time out.
	 */
	private static void warmUp(LeaseService leases) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.ignoreExceptions()
			.untilAsserted(() -> leases.tryAcquire("warm up").orElseThrow().close());
	}

	private static Set<String> connections(String name) {
		return connections(RedisServer.shared(), name);
	}

	/**
	 * Returns the ids of the connections whose names begin with a prefix.
	 */
	private static Set<String> connections(RedisServer server, String name) {
		List<String> lines = server.execute("CLIENT", "LIST").toString().lines().toList();
		Pattern pattern = Pattern.compile("id=(\\d+) .*name=" + Pattern.quote(name) + ".*");
		return lines.stream()
			.map(pattern::matcher)
			.filter(Matcher::matches)
			.map((matcher) -> matcher.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
