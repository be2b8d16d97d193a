package io.locket.queue.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.LeaseService;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs everything as a Redis user with exactly the documented permissions, and with each
 * of them left out.
 */
@Tag("scale")
class QueuePermissionsTests {

	/**
	 * Commands that the driver sends on a new connection, according to its options.
	 */
	private static final Set<String> OF_THE_DRIVER = Set.of("ping", "hello", "auth", "select", "client|setname",
			"client|setinfo");

	private static final Pattern DENIED = Pattern.compile("object, ([^,]+),");

	/**
	 * Commands of the health indicator only.
	 */
	private static final Set<String> OF_HEALTH = Set.of("info");

	private static RedisServer server;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void reset() throws IOException {
		server.execute("FLUSHALL");
		server.execute(documented());
		server.execute("ACL", "LOG", "RESET");
	}

	@Test
	void documentedPermissionsAreEnough() {
		asUser((fixture, leases) -> {
			try (QueueWork work = new QueueWork(fixture, leases)) {
				work.run();
			}
		});
		// The driver tries to use CLIENT in ways that it can do without.
		assertThat(DENIED.matcher(denied()).results().map((result) -> result.group(1))).allMatch("client"::equals);
	}

	@ParameterizedTest
	@MethodSource("commands")
	void everyDocumentedCommandIsNeeded(String command) {
		server.execute("ACL", "SETUSER", "app", "-" + command);
		asUser(QueuePermissionsTests::tryToWork);
		await(command + ",");
	}

	@ParameterizedTest
	@MethodSource("channels")
	void everyDocumentedChannelIsNeeded(String channel) throws IOException {
		server.execute("ACL", "SETUSER", "app", "resetchannels");
		for (String other : channels().filter((name) -> !name.equals(channel)).toList()) {
			server.execute("ACL", "SETUSER", "app", "&" + other);
		}
		asUser(QueuePermissionsTests::tryToWork);
		await(channel.endsWith("*") ? channel.substring(0, channel.length() - 1) : channel + ",");
	}

	private static void tryToWork(QueueFixture fixture, LeaseService leases) {
		try (QueueWork work = new QueueWork(fixture, leases)) {
			work.run();
		}
		catch (Exception | AssertionError ex) {
			assertThat(ex).as("what a permission that is left out may lead to").isNotNull();
		}
	}

	/**
	 * Some things are done in the background.
	 */
	private static void await(String object) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(5))
			.until(QueuePermissionsTests::denied, (log) -> log.contains("object, " + object));
	}

	private static String denied() {
		return server.execute("ACL", "LOG").toString();
	}

	private static void asUser(Use use) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class))
			.withPropertyValues(server.properties())
			.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret",
					"locket.namespace=locket")
			.run((context) -> {
				RedisConnections connections = context.getBean(RedisConnections.class);
				try (QueueFixture fixture = QueueFixture.create(connections, "locket")) {
					use.with(fixture, context.getBean(LeaseService.class));
				}
			});
	}

	static Stream<String> commands() throws IOException {
		return words('+').filter((name) -> !OF_THE_DRIVER.contains(name) && !OF_HEALTH.contains(name));
	}

	static Stream<String> channels() throws IOException {
		return words('&');
	}

	private static Stream<String> words(char kind) throws IOException {
		return Stream.of(documented()).filter((word) -> word.charAt(0) == kind).map((word) -> word.substring(1));
	}

	private static String[] documented() throws IOException {
		return Files.readAllLines(Path.of("../docs/configuration.md"))
			.stream()
			.filter((line) -> line.startsWith("ACL SETUSER"))
			.findFirst()
			.orElseThrow()
			.split(" ");
	}

	@FunctionalInterface
	private interface Use {

		void with(QueueFixture fixture, LeaseService leases) throws Exception;

	}

}
