package io.locket.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;

import io.locket.job.administration.JobAdministration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a write without a CSRF token, with the security that Spring Boot configures.
 */
@Tag("scale")
class WriteWithoutTokenTests {

	@Test
	void writeWithoutATokenIsRefusedWithTheStatusOfAMissingLogin() throws Exception {
		try (ConfigurableApplicationContext application = SpringApplication.run(
				new Class<?>[] { Secured.class, InMemoryLocket.class },
				new String[] { "--server.port=0", "--locket.namespace=test", "--locket.leader.enabled=false",
						"--spring.main.banner-mode=off", "--spring.security.user.name=operator",
						"--spring.security.user.password=secret", "--management.endpoints.web.exposure.include=locket",
						"--management.endpoint.locket.access=unrestricted" })) {
			String queues = "http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port")
					+ "/actuator/locket/queues";
			assertThat(send(HttpRequest.newBuilder(URI.create(queues)))).isEqualTo(200);
			assertThat(send(HttpRequest.newBuilder(URI.create(queues + "/mail/pause"))
				.POST(HttpRequest.BodyPublishers.noBody()))).isEqualTo(401);
			assertThat(application.getBean(JobAdministration.class).counts("mail").paused()).isFalse();
		}
	}

	private static int send(HttpRequest.Builder request) throws IOException, InterruptedException {
		request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString("operator:secret".getBytes()))
			.header("Accept", "application/json");
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Secured {

	}

}
