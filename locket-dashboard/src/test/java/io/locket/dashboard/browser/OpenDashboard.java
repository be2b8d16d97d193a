package io.locket.dashboard.browser;

import java.time.Duration;
import java.util.List;

import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A browser of its own on the dashboard of an application, after the login.
 */
final class OpenDashboard implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ChromeDriver browser = Browser.start();

	private final ConfigurableApplicationContext application;

	OpenDashboard(ConfigurableApplicationContext application, String view) {
		this(application, view, DashboardLogin.OPERATOR);
	}

	OpenDashboard(ConfigurableApplicationContext application, String view, String user) {
		this.application = application;
		try {
			DashboardLogin.logIn(this.browser, application, view, user);
			// The login keeps no fragment.
			open(view);
		}
		catch (Throwable ex) {
			this.browser.quit();
			throw ex;
		}
	}

	ChromeDriver browser() {
		return this.browser;
	}

	void open(String view) {
		this.browser.get(DashboardLogin.address(this.application) + view);
	}

	String text(String selector) {
		List<WebElement> found = this.browser.findElements(By.cssSelector(selector));
		return found.isEmpty() ? "" : found.get(0).getText();
	}

	void awaitText(String selector, String... texts) {
		await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> assertThat(text(selector)).contains(texts));
	}

	void click(String selector, String label) {
		Browser.click(this.browser, selector, label);
	}

	/**
	 * Returns the element that has the focus.
	 */
	WebElement focused() {
		return this.browser.switchTo().activeElement();
	}

	@Override
	public void close() {
		this.browser.quit();
	}

}
