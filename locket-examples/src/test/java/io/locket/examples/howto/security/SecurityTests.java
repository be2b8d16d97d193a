package io.locket.examples.howto.security;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/how-to/secure-endpoint-and-dashboard.md.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ContextConfiguration(initializers = SecurityTests.PageConfiguration.class)
@AutoConfigureLocketTest
class SecurityTests {

	private static final String LOCKET = "/actuator/locket";

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private Environment environment;

	@Autowired
	private Jobs jobs;

	@Autowired
	private JobAdministration administration;

	@BeforeEach
	void enqueue() {
		this.jobs.enqueue("invoices.write", "DE02120300000000202051");
		this.jobs.enqueue("invoices.archive", 471_100_815);
	}

	@Test
	void healthIsPublicAndNothingElse() throws Exception {
		assertThat(get("/actuator/health", null).statusCode()).isNotIn(401, 403);
		assertThat(get(LOCKET, null).statusCode()).isEqualTo(401);
		assertThat(get("/locket/", null).statusCode()).isEqualTo(401);
		assertThat(get("/orders", null).statusCode()).isEqualTo(401);
	}

	@Test
	void viewerReadsWithoutArguments() throws Exception {
		HttpResponse<String> response = get(LOCKET + "/jobs", "viewer");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).contains("invoices.archive").doesNotContain("471100815", "DE02");
		assertThat(get("/locket/", "viewer").statusCode()).isEqualTo(404);
		assertThat(pause("viewer").statusCode()).isEqualTo(403);
	}

	@Test
	void operatorReadsArgumentsAndWrites() throws Exception {
		HttpResponse<String> response = get(LOCKET + "/jobs", "operator");
		assertThat(response.body()).contains("471100815").doesNotContain("DE02");
		assertThat(pause("operator").statusCode()).isEqualTo(200);
		assertThat(this.administration.counts("invoices").paused()).isTrue();
	}

	@Test
	void userWithoutARoleIsRefused() throws Exception {
		assertThat(get(LOCKET, "customer").statusCode()).isEqualTo(403);
		assertThat(get("/locket/", "customer").statusCode()).isEqualTo(403);
		assertThat(get("/orders", "customer").statusCode()).isEqualTo(404);
	}

	private HttpResponse<String> get(String path, @Nullable String user) throws IOException, InterruptedException {
		return send(request(path, user).GET());
	}

	private HttpResponse<String> pause(String user) throws IOException, InterruptedException {
		return send(request(LOCKET + "/queues/invoices/pause", user).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.noBody()));
	}

	private HttpRequest.Builder request(String path, @Nullable String user) {
		String port = this.environment.getRequiredProperty("local.server.port");
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
		if (user != null) {
			byte[] credentials = (user + ":secret").getBytes(StandardCharsets.UTF_8);
			request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
		}
		return request;
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Invoices.class, OperatorSecurity.class })
	static class Application {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(user("operator", "OPERATOR"), user("viewer", "VIEWER"),
					user("customer", "CUSTOMER"));
		}

		private static UserDetails user(String name, String role) {
			return User.withUsername(name).password("{noop}secret").roles(role).build();
		}

	}

	static class PageConfiguration implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			Examples.configurationOf("docs/how-to/secure-endpoint-and-dashboard.md").initialize(context);
		}

	}

}
