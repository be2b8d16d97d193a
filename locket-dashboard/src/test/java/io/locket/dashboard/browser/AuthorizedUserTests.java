package io.locket.dashboard.browser;

import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the dashboard in a browser, where only users with a role see arguments.
 */
@ExtendWith(BrowserCondition.class)
@Tag("scale")
class AuthorizedUserTests {

	private static final int CUSTOMER = 471_147_114;

	@AutoClose
	private static ConfigurableApplicationContext application;

	private static String job;

	@BeforeAll
	static void start() {
		application = DashboardApplication.startWithArgumentsForOperators();
		application.getBean(Jobs.class).enqueue("bill", CUSTOMER);
		job = application.getBean(JobAdministration.class).list(JobFilter.waiting(), 1, null).jobs().get(0).id();
	}

	@Test
	void userWithTheRoleSeesArgumentsAndKeys() {
		try (OpenDashboard dashboard = new OpenDashboard(application, "#/jobs", DashboardLogin.OPERATOR)) {
			dashboard.awaitText("main .job", "[" + CUSTOMER + "]");
			dashboard.open("#/job/" + job);
			dashboard.awaitText("main pre", String.valueOf(CUSTOMER));
			assertThat(dashboard.text("main")).doesNotContain("Hidden.");
		}
	}

	@Test
	void userWithoutTheRoleSeesNeitherArgumentsNorKeys() {
		try (OpenDashboard dashboard = new OpenDashboard(application, "#/jobs", DashboardLogin.READER)) {
			dashboard.awaitText("main .job", "bill", "key ");
			assertThat(dashboard.browser().getPageSource()).doesNotContain(String.valueOf(CUSTOMER));
			dashboard.open("#/jobs?text=" + CUSTOMER);
			dashboard.awaitText("main", "You cannot filter by 'text', because arguments are hidden from you.");
			assertThat(dashboard.text("header")).contains("Live");
			assertThat(dashboard.text(".banner")).isEmpty();
			dashboard.open("#/job/" + job);
			dashboard.awaitText("main", "Hidden. management.endpoint.locket.show-arguments selects the users");
			dashboard.awaitText("main pre", "******");
			assertThat(dashboard.browser().getPageSource()).doesNotContain(String.valueOf(CUSTOMER));
		}
	}

}
