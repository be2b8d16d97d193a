package io.locket.dashboard.browser;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;

import io.locket.job.Jobs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import redis.embedded.RedisServer;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the dashboard in a browser while Redis stops and starts.
 */
@ExtendWith(BrowserCondition.class)
@Tag("scale")
class RedisOutageTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@Test
	void pageShowsTheOutageKeepsItsDataAndRecovers() throws IOException {
		int port = freePort();
		RedisServer redis = redis(port);
		redis.start();
		try (ConfigurableApplicationContext application = DashboardApplication.startOnRedis(port)) {
			application.getBean(Jobs.class).enqueue("bill", 1);
			try (OpenDashboard dashboard = new OpenDashboard(application, "#/queues")) {
				dashboard.awaitText("main", "invoices");
				redis.stop();
				dashboard.awaitText(".banner", "This data is from");
				assertThat(dashboard.text("main")).contains("invoices");
				assertThat(dashboard.text(".banner p")).doesNotContain("This data is from");
				assertThat(dashboard.browser().findElements(By.cssSelector("main .empty"))).isEmpty();
				redis = redis(port);
				redis.start();
				await().atMost(PATIENCE)
					.untilAsserted(
							() -> assertThat(dashboard.browser().findElements(By.cssSelector(".banner"))).isEmpty());
				application.getBean(Jobs.class).enqueue("bill", 2);
				dashboard.awaitText("main", "invoices");
			}
		}
		finally {
			redis.stop();
		}
	}

	private static RedisServer redis(int port) throws IOException {
		return RedisServer.newRedisServer().port(port).setting("save \"\"").setting("appendonly no").build();
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
