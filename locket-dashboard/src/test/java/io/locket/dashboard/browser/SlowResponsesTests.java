package io.locket.dashboard.browser;

import java.time.Duration;

import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the dashboard in a browser, while responses are slow or do not come.
 */
@ExtendWith(BrowserCondition.class)
class SlowResponsesTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static ConfigurableApplicationContext application;

	private static OpenDashboard dashboard;

	private static JobAdministration administration;

	private static HeldRequests requests;

	@BeforeAll
	static void start() {
		application = DashboardApplication.start("unrestricted");
		administration = application.getBean(JobAdministration.class);
		requests = application.getBean(HeldRequests.class);
		dashboard = new OpenDashboard(application, "#/");
	}

	@AfterEach
	void reset() {
		requests.passAll();
		dashboard.browser().get("about:blank");
		administration.queues().forEach(administration::remove);
	}

	@AfterAll
	static void stop() {
		if (dashboard != null) {
			dashboard.close();
		}
		if (application != null) {
			application.close();
		}
	}

	@Test
	void readWithoutAResponseFailsAndHoldsUpNoOtherView() {
		jobs().enqueue("bill", 1);
		dashboard.open("#/");
		dashboard.awaitText("main", "invoices");
		dashboard.browser().executeScript("""
				window.expire = [];
				AbortSignal.timeout = (ms) => {
					const controller = new AbortController();
					window.expire.push(() => controller.abort());
					return controller.signal;
				};
				""");
		requests.hold("GET /actuator/locket/summary/queues");
		dashboard.open("#/queues");
		awaitHeld(1);
		dashboard.open("#/workers");
		dashboard.awaitText("main", "serves this page");
		dashboard.open("#/queues");
		awaitHeld(2);
		dashboard.browser().executeScript("window.expire.forEach((expire) => expire())");
		dashboard.awaitText(".banner", "The application does not respond.");
		assertThat(dashboard.text("header")).doesNotContain("Live");
		requests.passAll();
		dashboard.click(".banner button", "Try again");
		dashboard.awaitText("main", "invoices");
		dashboard.awaitText("header", "Live");
	}

	@Test
	void viewIsLoadedWhileUpdatesAreOnHold() {
		jobs().enqueue("bill", 1);
		dashboard.open("#/");
		dashboard.awaitText("main", "invoices");
		dashboard.click("header button", "Hold");
		dashboard.awaitText("header", "As of");
		dashboard.open("#/workers");
		dashboard.awaitText("main", "serves this page");
		dashboard.open("#/jobs?state=ready");
		dashboard.awaitText("main", "bill");
		dashboard.awaitText("header", "As of");
	}

	private static void awaitHeld(int times) {
		await().atMost(PATIENCE).until(() -> requests.arrived().size() >= times);
	}

	private static Jobs jobs() {
		return application.getBean(Jobs.class);
	}

}
