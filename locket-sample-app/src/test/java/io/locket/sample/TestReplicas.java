package io.locket.sample;

import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Replicas of the sample in this JVM, with a Redis of their own.
 */
final class TestReplicas implements AutoCloseable {

	private final int redisPort = TestPorts.free();

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private final Path directory;

	TestReplicas(Path directory) {
		this.directory = directory;
	}

	/**
	 * Starts a replica. It inventories the test directory, unless the arguments name
	 * another one.
	 */
	RestTestClient start(String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		all.add("--server.port=0");
		all.add("--inventory.redis-port=" + this.redisPort);
		if (all.stream().noneMatch((argument) -> argument.startsWith("--inventory.examples="))) {
			all.add("--inventory.examples=false");
		}
		if (all.stream().noneMatch((argument) -> argument.startsWith("--inventory.dir="))) {
			all.add("--inventory.dir=" + this.directory);
		}
		ConfigurableApplicationContext replica = InventoryApplication.create().run(all.toArray(String[]::new));
		this.contexts.add(replica);
		return RestTestClient.bindToServer()
			.baseUrl("http://localhost:" + replica.getEnvironment().getProperty("local.server.port"))
			.build();
	}

	/**
	 * Starts a replica without a schedule, which would interfere with the scans.
	 */
	RestTestClient startWithoutSchedule(String... arguments) {
		return start(StringUtils.addStringToArray(arguments, "--locket.schedules.inventory.enabled=false"));
	}

	/**
	 * Waits until the last scan is in a state.
	 */
	static void awaitScan(RestTestClient client, String state) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> client.get()
				.uri("/scans/last")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.state")
				.isEqualTo(state));
	}

	ConfigurableApplicationContext context(int replica) {
		return this.contexts.get(replica);
	}

	/**
	 * Stops the replicas. The last one stops Redis.
	 */
	@Override
	public void close() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		assertThatException().isThrownBy(() -> new Socket("127.0.0.1", this.redisPort).close());
	}

}
