package io.locket.dashboard.browser;

import java.util.Map;

import io.locket.job.Jobs;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the dashboard in a browser, where the endpoint allows no writes.
 */
@ExtendWith(BrowserCondition.class)
@Tag("browser")
class ReadOnlyDashboardTests {

	@Test
	void readOnlyDashboardOffersNoActions() {
		try (ConfigurableApplicationContext application = DashboardApplication.start("read-only")) {
			application.getBean(Jobs.class).enqueue("bill", 1);
			try (OpenDashboard dashboard = new OpenDashboard(application, "#/jobs")) {
				dashboard.awaitText("main", "bill", "ready");
				assertThat(dashboard.browser().findElements(By.cssSelector("main button, main td input"))).isEmpty();
				assertThat(dashboard.text("header")).contains("Read-only");
				application.getBean(LeaseService.class).tryAcquire("report", "may").orElseThrow();
				Map.of("#/queues", "Ready", "#/leases", "Kind", "#/workers", "Last seen").forEach((view, column) -> {
					dashboard.open(view);
					dashboard.awaitText("main thead", column);
					assertThat(dashboard.text("main thead")).as(view).doesNotContain("Actions");
				});
			}
		}
	}

}
