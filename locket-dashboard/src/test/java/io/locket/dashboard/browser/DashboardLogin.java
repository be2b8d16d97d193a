package io.locket.dashboard.browser;

import java.time.Duration;

import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A login at the form of Spring Security.
 */
final class DashboardLogin {

	/**
	 * User with the role {@code OPERATOR}.
	 */
	static final String OPERATOR = "operator";

	/**
	 * User with another role.
	 */
	static final String READER = "reader";

	static final String PASSWORD = "secret";

	private DashboardLogin() {
	}

	static String address(ConfigurableApplicationContext application) {
		return "http://localhost:" + application.getEnvironment().getRequiredProperty("local.management.port")
				+ "/locket/";
	}

	/**
	 * Open a view, with a login where the browser has none.
	 */
	static void logIn(ChromeDriver browser, ConfigurableApplicationContext application, String view) {
		logIn(browser, application, view, OPERATOR);
	}

	static void logIn(ChromeDriver browser, ConfigurableApplicationContext application, String view, String user) {
		browser.get("about:blank");
		browser.get(address(application) + view);
		if (browser.getCurrentUrl().contains("/login")) {
			browser.findElement(By.name("username")).sendKeys(user);
			browser.findElement(By.name("password")).sendKeys(PASSWORD);
			browser.findElement(By.cssSelector("button[type=submit]")).click();
		}
		await().atMost(Duration.ofSeconds(20))
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(browser.findElement(By.cssSelector("header")).getText()).contains("Live"));
	}

}
