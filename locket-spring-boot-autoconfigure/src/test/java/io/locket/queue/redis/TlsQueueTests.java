package io.locket.queue.redis;

import java.nio.file.Path;
import java.util.List;

import io.locket.LeaseUnavailableException;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.LeaseService;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import io.locket.testing.TlsRedis;
import org.junit.jupiter.api.AfterAll;
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

/**
 * Runs everything over TLS, with certificates of the server and the client.
 */
@Tag("scale")
@Tag("redis7")
class TlsQueueTests {

	@TempDir
	private static Path directory;

	private static TlsRedis redis;

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class))
		.withPropertyValues(redis.properties())
		.withPropertyValues("locket.namespace=" + this.namespace);

	@BeforeAll
	static void start() throws Exception {
		redis = TlsRedis.start(directory);
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void queuesAndLeasesUseOnlyConnectionsWithTlsAlsoAfterARestart() {
		this.contextRunner.withPropertyValues(redis.trust())
			.withPropertyValues(redis.clientCertificate())
			.run((context) -> {
				try (QueueFixture fixture = QueueFixture.create(context.getBean(RedisConnections.class),
						this.namespace); QueueWork work = new QueueWork(fixture, context.getBean(LeaseService.class))) {
					work.run();
					assertThat(connections()).hasSizeGreaterThan(1)
						.allMatch((address) -> address.endsWith(":" + redis.port()));
					redis.server().restart();
					work.run();
					assertThat(connections()).hasSizeGreaterThan(1)
						.allMatch((address) -> address.endsWith(":" + redis.port()));
				}
			});
	}

	/**
	 * Returns the addresses of the server to which Locket is connected.
	 */
	private static List<String> connections() {
		return redis.server()
			.execute("CLIENT", "LIST")
			.toString()
			.lines()
			.filter((client) -> client.contains(" name=locket"))
			.map((client) -> client.replaceAll(".* laddr=(\\S+) .*", "$1"))
			.toList();
	}

	@Test
	void certificateThatIsNotTrustedIsReported() {
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> lease(this.contextRunner))
			.withMessageContaining("127.0.0.1:" + redis.port())
			.withMessageContaining("spring.data.redis.ssl.bundle to a bundle that trusts the certificate");
	}

	@Test
	void certificateThatRedisRequiresIsReported() {
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> lease(this.contextRunner.withPropertyValues(redis.trust())))
			.withMessageContaining("has a certificate for this client if Redis requires one");
	}

	private static void lease(ApplicationContextRunner runner) {
		runner.run((context) -> context.getBean(LeaseService.class).tryAcquire("tls"));
	}

}
