package io.locket.dashboard.browser;

import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of writes in a browser with some configurations of Spring Security, each on a
 * host of its own.
 */
@Tag("scale")
@ExtendWith(BrowserCondition.class)
class SecurityBrowserTests {

	private static final AtomicInteger writes = new AtomicInteger();

	@AutoClose
	private static ConfigurableApplicationContext application;

	@AutoClose
	private static OpenDashboard dashboard;

	@BeforeAll
	static void start() {
		application = DashboardApplication.startWith(Hosts.class);
		application.addApplicationListener((event) -> {
			if (event instanceof AuditApplicationEvent audit && audit.getAuditEvent().getType().startsWith("LOCKET_")) {
				writes.incrementAndGet();
			}
		});
		application.getBean(Jobs.class).enqueue("bill", 1);
		dashboard = new OpenDashboard(application, "#/");
		dashboard.browser().executeCdpCommand("Network.enable", Map.of());
	}

	@BeforeEach
	void reset() {
		application.getBean(JobAdministration.class).resume("invoices");
		writes.set(0);
	}

	@Test
	void writeHasTheValueOfTheCookieWhereTheTokenOfThePageIsRefused() {
		open("spa");
		assertThat(requestsOf("Pause", "invoices: paused")).isEqualTo(3);
		assertThat(requestsOf("Resume", "invoices: resumed")).isEqualTo(1);
		dashboard.browser().manage().deleteAllCookies();
		assertThat(requestsOf("Pause", "invoices: paused")).isEqualTo(2);
		perform("Resume", "invoices: resumed");
		assertThat(writes).hasValue(4);
	}

	@Test
	void writeHasTheTokenOfThePageWhereTheValueOfTheCookieIsRefused() {
		open("cookie");
		assertThat(requestsOf("Pause", "invoices: paused")).isEqualTo(1);
		dashboard.browser().manage().deleteAllCookies();
		assertThat(requestsOf("Resume", "invoices: resumed")).isEqualTo(2);
		assertThat(writes).hasValue(2);
	}

	@Test
	void writeRenewsItsTokenWhereARefusalHasTheStatusOfAMissingLogin() {
		open("basic");
		perform("Pause", "invoices: paused");
		dashboard.browser().manage().deleteAllCookies();
		perform("Resume", "invoices: resumed");
		assertThat(writes).hasValue(2);
	}

	@Test
	void expiredSessionIsShownWhereTheLoginIsOnAnotherOrigin() {
		open("provider");
		dashboard.click("main button", "Pause");
		logOut();
		dashboard.awaitText(".banner", "session has expired");
		assertThat(dashboard.browser().findElement(By.cssSelector(".banner a")).getText()).isEqualTo("Sign in");
		dashboard.click("dialog button", "Pause");
		dashboard.awaitText("dialog", "session has expired");
		logIn();
		dashboard.click("dialog button", "Pause");
		dashboard.awaitText(".said", "invoices: paused");
		perform("Resume", "invoices: resumed");
		assertThat(writes).hasValue(2);
	}

	private static void open(String host) {
		logIn();
		dashboard.browser()
			.get(DashboardLogin.address(application).replace("localhost", host + ".localhost") + "#/queues/invoices");
		dashboard.awaitText("header", "Live");
	}

	private static void logIn() {
		String user = DashboardLogin.OPERATOR + ":" + DashboardLogin.PASSWORD;
		send(Map.of("Authorization", "Basic " + Base64.getEncoder().encodeToString(user.getBytes())));
	}

	private static void logOut() {
		send(Map.of());
	}

	private static void send(Map<String, String> headers) {
		dashboard.browser().executeCdpCommand("Network.setExtraHTTPHeaders", Map.of("headers", headers));
	}

	private static void perform(String action, String result) {
		dashboard.click("main button", action);
		dashboard.click("dialog button", action);
		dashboard.awaitText(".said", result);
	}

	/**
	 * Performs an action and returns the number of its requests.
	 */
	private static long requestsOf(String action, String result) {
		dashboard.browser().executeScript("performance.clearResourceTimings()");
		perform(action, result);
		return (long) dashboard.browser()
			.executeScript("return performance.getEntriesByType('resource')"
					+ ".filter((entry) => entry.name.includes('/queues/invoices/')).length");
	}

	/**
	 * Security of hosts whose names end in {@code .localhost}.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Hosts {

		@Bean
		PasswordEncoder passwords() {
			return new PlainPasswords();
		}

		@Bean
		@Order(1)
		SecurityFilterChain spa(HttpSecurity http) throws Exception {
			return host(http, "spa").csrf((csrf) -> csrf.spa()).httpBasic(Customizer.withDefaults()).build();
		}

		@Bean
		@Order(2)
		SecurityFilterChain cookie(HttpSecurity http) throws Exception {
			return host(http, "cookie")
				.csrf((csrf) -> csrf.csrfTokenRepository(CookieCsrfTokenRepository.withHttpOnlyFalse()))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		@Order(3)
		SecurityFilterChain basic(HttpSecurity http) throws Exception {
			return host(http, "basic").httpBasic(Customizer.withDefaults()).build();
		}

		@Bean
		@Order(4)
		SecurityFilterChain provider(HttpSecurity http) throws Exception {
			return host(http, "provider").httpBasic((basic) -> basic.authenticationEntryPoint((request, response,
					ex) -> response.sendRedirect("http://login.localhost:" + request.getLocalPort() + "/authorize")))
				.build();
		}

		private static HttpSecurity host(HttpSecurity http, String name) throws Exception {
			return http.securityMatcher((request) -> request.getServerName().equals(name + ".localhost"))
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated());
		}

	}

	/**
	 * Passwords without a hash, which would slow down each request with HTTP Basic.
	 */
	static class PlainPasswords implements PasswordEncoder {

		@Override
		public String encode(CharSequence password) {
			return "{noop}" + password;
		}

		@Override
		public boolean matches(CharSequence password, String encoded) {
			return encoded.equals(encode(password));
		}

	}

}
