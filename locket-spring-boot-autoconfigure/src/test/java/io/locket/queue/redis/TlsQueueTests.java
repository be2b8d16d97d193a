package io.locket.queue.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.locket.LeaseUnavailableException;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.LeaseService;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisCluster;
import io.locket.testing.RedisSentinels;
import io.locket.testing.RedisServer;
import io.locket.testing.TlsCertificate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Runs everything over TLS, with certificates of the servers and the client.
 */
@Tag("scale")
@Tag("redis7")
class TlsQueueTests {

	private static final Duration FAIL_OVER = Duration.ofSeconds(15);

	@TempDir
	private static Path directory;

	private static TlsCertificate certificate;

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class))
		.withPropertyValues("locket.namespace=" + this.namespace);

	private final ApplicationContextRunner trusting = this.application.withPropertyValues(certificate.trust());

	private final ApplicationContextRunner trusted = this.trusting.withPropertyValues(certificate.clientCertificate());

	@BeforeAll
	static void generate() throws Exception {
		certificate = TlsCertificate.generate(directory);
	}

	@Test
	void queuesAndLeasesUseOnlyConnectionsWithTlsAlsoAfterARestart() {
		try (RedisServer server = RedisServer.startTls(certificate)) {
			run(this.trusted.withPropertyValues(server.properties()), (work, leases) -> {
				work.run();
				assertThatAllConnectionsUseTls(server);
				server.restart();
				work.run();
				assertThatAllConnectionsUseTls(server);
			});
		}
	}

	private static void assertThatAllConnectionsUseTls(RedisServer server) {
		List<String> connections = server.execute("CLIENT", "LIST")
			.toString()
			.lines()
			.filter((client) -> client.contains(" name=locket"))
			.toList();
		assertThat(connections).hasSizeGreaterThan(1)
			.allMatch((client) -> client.contains(" laddr=" + server.host() + ":" + server.clientPort() + " "));
	}

	@Test
	void queuesAndLeasesWorkBehindASentinelWithTlsAlsoAfterAFailOver() {
		try (RedisSentinels sentinels = RedisSentinels.startTls(certificate)) {
			String sentinel = sentinels.sentinel().host() + ":" + sentinels.sentinel().clientPort();
			run(this.trusted.withPropertyValues("spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
					"spring.data.redis.sentinel.nodes=" + sentinel), (work, leases) -> {
						work.run();
						sentinels.master().stop();
						await().atMost(FAIL_OVER)
							.ignoreExceptions()
							.until(() -> leases.tryAcquire("fail-over"), Optional::isPresent)
							.orElseThrow()
							.close();
						work.run();
					});
			assertThat(sentinels.replica().execute("ROLE").toString()).startsWith("[master");
		}
	}

	@Test
	void queuesAndLeasesWorkOnAClusterWithTls() {
		try (RedisCluster cluster = RedisCluster.startTls(certificate)) {
			run(this.trusted.withPropertyValues("spring.data.redis.cluster.nodes=" + cluster.nodes()),
					(work, leases) -> work.run());
		}
	}

	private void run(ApplicationContextRunner runner, Steps steps) {
		runner.run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			try (QueueFixture fixture = QueueFixture.create(context.getBean(RedisConnections.class), this.namespace);
					QueueWork work = new QueueWork(fixture, leases)) {
				steps.run(work, leases);
			}
		});
	}

	@Test
	void certificateThatIsNotTrustedIsReported() {
		try (RedisServer server = RedisServer.startTls(certificate)) {
			ApplicationContextRunner distrusting = this.application.withPropertyValues(server.properties())
				.withPropertyValues("spring.data.redis.ssl.enabled=true");
			assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> lease(distrusting))
				.withMessageContaining("127.0.0.1:" + server.clientPort())
				.withMessageContaining("spring.data.redis.ssl.bundle to a bundle that trusts the certificate");
		}
	}

	/**
	 * Checks a missing certificate with TLS 1.2. With 1.3, the handshake of the client
	 * ends before Redis refuses it, so the client may only see a closed connection.
	 */
	@Test
	void certificateThatRedisRequiresIsReported() {
		try (RedisServer server = RedisServer.startTls(certificate, "--tls-protocols", "TLSv1.2")) {
			ApplicationContextRunner withoutCertificate = this.trusting.withPropertyValues(server.properties());
			assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> lease(withoutCertificate))
				.withMessageContaining("has a certificate for this client if Redis requires one");
		}
	}

	private static void lease(ApplicationContextRunner runner) {
		runner.run((context) -> context.getBean(LeaseService.class).tryAcquire("tls"));
	}

	private interface Steps {

		void run(QueueWork work, LeaseService leases) throws Exception;

	}

}
