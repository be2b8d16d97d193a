package io.locket.dashboard.browser;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.locket.UniqueJob;
import io.locket.dashboard.InMemoryLocket;
import io.locket.job.EnqueueGuard;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * A secured application with jobs in memory or in Redis, which serves the dashboard on a
 * free port.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class DashboardApplication {

	static final String HOSTILE = "<img src=x onerror=\"document.title='owned'\">";

	/**
	 * Starts a replica in a process of its own.
	 * @param arguments the port of Redis
	 */
	public static void main(String[] arguments) {
		startOnRedis(Integer.parseInt(arguments[0]));
	}

	static ConfigurableApplicationContext start(String access) {
		return start(access, List.of(DashboardApplication.class, InMemoryLocket.class));
	}

	static ConfigurableApplicationContext startWithManagementPort() {
		return start("unrestricted", List.of(DashboardApplication.class, InMemoryLocket.class),
				"--management.server.port=0");
	}

	static ConfigurableApplicationContext startWithArgumentsForOperators() {
		return start("unrestricted", List.of(DashboardApplication.class, InMemoryLocket.class),
				"--management.endpoint.locket.show-arguments=when-authorized",
				"--management.endpoint.locket.roles=OPERATOR");
	}

	/**
	 * Starts an application that has other security on some of its hosts.
	 */
	static ConfigurableApplicationContext startWith(Class<?> security) {
		return start("unrestricted", List.of(DashboardApplication.class, InMemoryLocket.class, security));
	}

	static ConfigurableApplicationContext startOnRedis(int port) {
		return start("unrestricted", List.of(DashboardApplication.class), "--spring.data.redis.port=" + port,
				"--locket.redis.command-timeout=500ms");
	}

	private static ConfigurableApplicationContext start(String access, List<Class<?>> sources, String... more) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--locket.namespace=test",
				"--spring.main.banner-mode=off", "--locket.leader.enabled=false", "--locket.worker.queues=mail",
				"--management.endpoints.web.exposure.include=locket", "--management.endpoint.locket.access=" + access,
				"--logging.level.io.locket=error"));
		arguments.addAll(List.of(more));
		SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
		application.setDefaultProperties(Map.of("management.endpoint.locket.show-arguments", "always"));
		return application.run(arguments.toArray(String[]::new));
	}

	@Bean
	Billing billing() {
		return new Billing();
	}

	/**
	 * Refuses jobs of a suspended tenant.
	 */
	@Bean
	EnqueueGuard guard() {
		return (job) -> Optional.of("tenant is suspended").filter((reason) -> job.arguments().contains("suspended"));
	}

	@Bean
	InMemoryUserDetailsManager users() {
		return new InMemoryUserDetailsManager(user(DashboardLogin.OPERATOR, "OPERATOR"),
				user(DashboardLogin.READER, "READER"));
	}

	@Bean
	HeldRequests heldRequests() {
		return new HeldRequests();
	}

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("{noop}" + DashboardLogin.PASSWORD).roles(role).build();
	}

	@Bean
	SecurityFilterChain security(HttpSecurity http) throws Exception {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.formLogin(Customizer.withDefaults())
			.build();
	}

	static class Billing {

		/**
		 * Waits, because no worker serves its queue.
		 */
		@UniqueJob(name = "bill", queue = "invoices")
		public void bill(int customer) {
			throw new AssertionError("No worker serves the queue of " + customer);
		}

		@UniqueJob(name = "archive", queue = "invoices")
		public void archive(long invoice, BigDecimal amount) {
			throw new AssertionError("No worker serves the queue of " + invoice + ": " + amount);
		}

		@UniqueJob(name = "mail", queue = "mail", retries = "0")
		public void mail(String text) {
			throw new IllegalStateException("Refused: " + text);
		}

		@UniqueJob(name = "remind", queue = "mail", retries = "1", backoff = "1h", leaseFor = "90s")
		public void remind(String text) {
			throw new IllegalStateException("Refused: " + text);
		}

	}

}
