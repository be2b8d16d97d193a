package io.locket.dashboard.browser;

import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the dashboard in a browser, on a management port of its own.
 */
@ExtendWith(BrowserCondition.class)
@Tag("scale")
class ManagementPortBrowserTests {

	@Test
	void operatorLogsInAndActsOnTheManagementPort() {
		try (ConfigurableApplicationContext application = DashboardApplication.startWithManagementPort()) {
			assertThat(application.getEnvironment().getProperty("local.management.port"))
				.isNotEqualTo(application.getEnvironment().getProperty("local.server.port"));
			application.getBean(Jobs.class).enqueue("bill", 1);
			try (OpenDashboard dashboard = new OpenDashboard(application, "#/queues")) {
				dashboard.awaitText("main", "invoices");
				dashboard.click("main button", "Pause");
				dashboard.click("dialog button", "Pause");
				dashboard.awaitText(".said", "invoices: paused");
				assertThat(application.getBean(JobAdministration.class).counts("invoices").paused()).isTrue();
			}
		}
	}

}
