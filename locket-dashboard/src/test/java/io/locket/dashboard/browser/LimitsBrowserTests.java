package io.locket.dashboard.browser;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the dashboard in a browser, with more queues and leases than a response has.
 */
@ExtendWith(BrowserCondition.class)
@Tag("scale")
class LimitsBrowserTests {

	private static final int MANY = 1001;

	@Test
	void pageShowsWhatIsLeftOut() {
		try (ConfigurableApplicationContext application = DashboardApplication.start("unrestricted")) {
			for (int i = 0; i < MANY; i++) {
				application.getBean(LeaseService.class).tryAcquire("report", i).orElseThrow();
				application.getBean(Jobs.class).enqueue(EnqueueOptions.now().queue("q" + (MANY + i)), "bill", i);
			}
			try (OpenDashboard dashboard = new OpenDashboard(application, "#/queues/q2001")) {
				dashboard.awaitText("main .empty", "This queue is not among them.");
				dashboard.awaitText("main .job", "bill");
				dashboard.click("main .below button", "Pause");
				dashboard.click("dialog button", "Pause");
				dashboard.awaitText(".said", "q2001: paused");
				assertThat(application.getBean(JobAdministration.class).counts("q2001").paused()).isTrue();
				dashboard.open("#/queues/missing");
				dashboard.awaitText("main .empty", "This queue is not among them.");
				dashboard.open("#/");
				dashboard.awaitText(".verdict", "wait in the first thousand queues by name.");
				dashboard.open("#/leases");
				dashboard.awaitText("main .aside", "These are the first thousand leases by expiry.");
			}
		}
	}

}
