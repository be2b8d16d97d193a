package io.locket.dashboard.browser;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the dashboards of two replicas on one Redis, and of a replica that is killed.
 */
@ExtendWith(BrowserCondition.class)
@Tag("scale")
class TwoReplicasTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	@TempDir
	private Path directory;

	@Test
	void actionsInOnePageShowInTheOther() throws IOException {
		RedisServer redis = redis();
		redis.start();
		try (ConfigurableApplicationContext first = DashboardApplication.startOnRedis(redis.ports().get(0));
				ConfigurableApplicationContext second = DashboardApplication.startOnRedis(redis.ports().get(0));
				OpenDashboard one = new OpenDashboard(first, "#/queues/invoices");
				OpenDashboard other = new OpenDashboard(second, "#/queues")) {
			first.getBean(Jobs.class).enqueue("bill", 1);
			other.awaitText("main", "invoices");
			other.click("main button", "Pause");
			other.click("dialog button", "Pause");
			other.awaitText(".said", "invoices: paused");
			one.awaitText("main", "Resume");
			one.click("main button", "Resume");
			one.click("dialog button", "Resume");
			one.awaitText(".said", "invoices: resumed");
			other.awaitText("main", "Pause");
			assertThat(second.getBean(JobAdministration.class).counts("invoices").paused()).isFalse();
		}
		finally {
			redis.stop();
		}
	}

	/**
	 * Heavy, because a worker is silent only after a minute without a poll.
	 */
	@Test
	void killedReplicaIsShownAsSilent() throws Exception {
		RedisServer redis = redis();
		redis.start();
		int port = redis.ports().get(0);
		Process replica = replica(port);
		try (ConfigurableApplicationContext application = DashboardApplication.startOnRedis(port)) {
			await().atMost(PATIENCE).until(() -> workers(application) == 2);
			try (OpenDashboard dashboard = new OpenDashboard(application, "#/workers")) {
				dashboard.awaitText("main", "serves this page", "/" + replica.pid());
				assertThat(dashboard.text("main")).doesNotContain("silent");
				replica.destroyForcibly().waitFor();
				await().atMost(PATIENCE.multipliedBy(2))
					.untilAsserted(
							() -> assertThat(dashboard.text("main")).containsOnlyOnce("silent: stopped or dead"));
				assertThat(dashboard.text("main")).contains("serves this page");
			}
		}
		finally {
			replica.destroyForcibly();
			redis.stop();
		}
	}

	private static int workers(ConfigurableApplicationContext application) {
		return application.getBean(JobAdministration.class).workers().size();
	}

	private Process replica(int port) throws IOException {
		List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), DashboardApplication.class.getName(), String.valueOf(port));
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("replica.log").toFile())
			.start();
	}

	private static RedisServer redis() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return RedisServer.newRedisServer()
				.port(socket.getLocalPort())
				.setting("save \"\"")
				.setting("appendonly no")
				.build();
		}
	}

}
