package io.locket.dashboard.autoconfigure;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.locket.dashboard.InMemoryLocket;
import io.locket.job.administration.JobAdministration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the dashboard on a management port of its own, below a base path and with
 * Spring Boot's own security, on either stack.
 */
@ParameterizedClass
@EnumSource(names = { "SERVLET", "REACTIVE" })
@Tag("scale")
class ManagementPortTests {

	/**
	 * The class path of these tests has two reactive servers, of which Netty is used.
	 */
	static final String SECOND_SERVER = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	private static ConfigurableApplicationContext application;

	@SuppressWarnings("UnusedVariable")
	@Parameter
	private WebApplicationType type;

	private final HttpClient client = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.cookieHandler(new CookieManager())
		.build();

	@BeforeParameterizedClassInvocation
	static void start(WebApplicationType type) {
		application = new SpringApplicationBuilder(Application.class, InMemoryLocket.class).web(type)
			.run("--server.port=0", "--management.server.port=0", "--management.server.base-path=/ops",
					"--locket.dashboard.base-path=/jobs/page", "--locket.namespace=test",
					"--spring.main.banner-mode=off", "--locket.leader.enabled=false", "--locket.worker.enabled=false",
					"--management.endpoints.web.exposure.include=locket",
					"--management.endpoint.locket.access=unrestricted", "--spring.security.user.name=operator",
					"--spring.security.user.password=secret");
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		application.close();
	}

	@Test
	void pageIsServedWithItsHeaders() throws Exception {
		HttpResponse<String> page = get(managed("/ops/jobs/page/"));
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.headers().firstValue("Content-Type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("text/html"));
		assertThat(page.headers().allValues("Content-Security-Policy")).singleElement()
			.asString()
			.contains("default-src 'none'", "frame-ancestors 'none'");
		assertThat(page.headers().allValues("X-Frame-Options")).containsExactly("DENY");
		assertThat(page.headers().allValues("Cache-Control")).containsExactly("no-store");
	}

	@Test
	void pathWithoutASlashRedirectsRelatively() throws Exception {
		HttpResponse<String> response = get(managed("/ops/jobs/page"));
		assertThat(response.statusCode()).isEqualTo(302);
		assertThat(response.headers().firstValue("Location")).contains("page/");
	}

	@Test
	void fileIsRevalidatedByItsTag() throws Exception {
		URI script = managed("/ops/jobs/page/").resolve("app.js");
		HttpResponse<String> response = get(script);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).contains("import");
		String tag = response.headers().firstValue("ETag").orElseThrow();
		HttpRequest again = request(script).header("If-None-Match", tag).build();
		assertThat(this.client.send(again, BodyHandlers.ofString()).statusCode()).isEqualTo(304);
	}

	@Test
	void pageUsesTheEndpointOfItsPort() throws Exception {
		URI page = managed("/ops/jobs/page/");
		HttpResponse<String> summary = get(page.resolve(meta(get(page), "locket-endpoint") + "/summary"));
		assertThat(summary.statusCode()).isEqualTo(200);
		assertThat(summary.body()).contains("\"overview\"");
	}

	@Test
	void writesNeedTheTokenOfThePage() throws Exception {
		URI page = managed("/ops/jobs/page/");
		HttpResponse<String> html = get(page);
		URI queue = page.resolve(meta(html, "locket-endpoint") + "/queues/invoices/pause?create=true");
		assertThat(pause(queue).statusCode()).isIn(401, 403);
		assertThat(application.getBean(JobAdministration.class).queues()).doesNotContain("invoices");
		assertThat(pause(queue, meta(html, "csrf-header"), meta(html, "csrf-token")).statusCode()).isBetween(200, 204);
		assertThat(application.getBean(JobAdministration.class).counts("invoices").paused()).isTrue();
	}

	@Test
	void pageNeedsALogin() throws Exception {
		HttpRequest anonymous = HttpRequest.newBuilder(managed("/ops/jobs/page/")).build();
		assertThat(this.client.send(anonymous, BodyHandlers.ofString()).statusCode()).isIn(302, 401);
	}

	@Test
	void portOfTheApplicationHasNoPage() throws Exception {
		URI address = URI.create("http://localhost:" + port("local.server.port"));
		assertThat(get(address.resolve("/jobs/page/")).statusCode()).isEqualTo(404);
		assertThat(get(address.resolve("/jobs/page/app.js")).statusCode()).isEqualTo(404);
	}

	private HttpResponse<String> pause(URI queue, String... headers) throws IOException, InterruptedException {
		HttpRequest.Builder request = request(queue).header("Content-Type", "application/json")
			.POST(BodyPublishers.noBody());
		if (headers.length > 0) {
			request.headers(headers);
		}
		return this.client.send(request.build(), BodyHandlers.ofString());
	}

	private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
		return this.client.send(request(uri).build(), BodyHandlers.ofString());
	}

	private static HttpRequest.Builder request(URI uri) {
		String credentials = Base64.getEncoder().encodeToString("operator:secret".getBytes(StandardCharsets.UTF_8));
		return HttpRequest.newBuilder(uri)
			.timeout(Duration.ofSeconds(30))
			.header("Authorization", "Basic " + credentials);
	}

	private static URI managed(String path) {
		return URI.create("http://localhost:" + port("local.management.port") + path);
	}

	private static String port(String name) {
		return application.getEnvironment().getRequiredProperty(name);
	}

	private static String meta(HttpResponse<String> page, String name) {
		Matcher matcher = Pattern.compile("name=\"" + name + "\" content=\"([^\"]+)\"").matcher(page.body());
		assertThat(matcher.find()).as(name).isTrue();
		return matcher.group(1);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = ManagementPortTests.SECOND_SERVER)
	static class Application {

	}

}
