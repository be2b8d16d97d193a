package io.locket.dashboard.autoconfigure;

import io.locket.autoconfigure.actuate.LocketEndpointAutoConfiguration;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.dashboard.DashboardPage;
import io.locket.dashboard.InMemoryLocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketDashboardAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocketDashboardAutoConfigurationTests {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=locket";

	private static final AutoConfigurations LOCKET = AutoConfigurations.of(AopAutoConfiguration.class,
			LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
			LocketEndpointAutoConfiguration.class, EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
			LocketDashboardAutoConfiguration.class);

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(LOCKET)
		.withUserConfiguration(InMemoryLocket.class)
		.withPropertyValues("locket.namespace=test", "locket.leader.enabled=false");

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(LOCKET)
		.withUserConfiguration(InMemoryLocket.class)
		.withPropertyValues("locket.namespace=test", "locket.leader.enabled=false");

	/**
	 * An application of another test may have raised the level for the whole JVM.
	 */
	@BeforeEach
	void logWarnings() {
		LoggingSystem.get(getClass().getClassLoader()).setLogLevel("io.locket.dashboard", LogLevel.WARN);
	}

	@Test
	void dashboardIsServedOnTheServletStack() {
		this.servlet.withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(DashboardPage.class)
				.hasSingleBean(org.springframework.web.servlet.function.RouterFunction.class));
	}

	@Test
	void dashboardIsServedOnTheReactiveStack() {
		this.reactive.withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(DashboardPage.class)
				.hasSingleBean(org.springframework.web.reactive.function.server.RouterFunction.class));
	}

	@Test
	void pathOfTheEndpointIsThatOfTheApplication() {
		this.servlet
			.withPropertyValues(EXPOSED, "locket.dashboard.base-path=/ops/jobs/",
					"management.endpoints.web.base-path=/manage",
					"management.endpoints.web.path-mapping.locket=job-control")
			.run((context) -> {
				DashboardPage page = context.getBean(DashboardPage.class);
				assertThat(page.basePath()).isEqualTo("/ops/jobs");
				assertThat(page.render(null)).contains("content=\"../../manage/job-control\"");
			});
	}

	@Test
	void writesAreOfferedWhereTheEndpointAllowsThem() {
		this.servlet.withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context.getBean(DashboardPage.class).isWritable()).isFalse());
		this.servlet.withPropertyValues(EXPOSED, "management.endpoint.locket.access=UNRESTRICTED")
			.run((context) -> assertThat(context.getBean(DashboardPage.class).isWritable()).isTrue());
		this.servlet
			.withPropertyValues(EXPOSED, "management.endpoint.locket.access=UNRESTRICTED",
					"management.endpoints.access.max-permitted=READ_ONLY")
			.run((context) -> assertThat(context.getBean(DashboardPage.class).isWritable()).isFalse());
	}

	@Test
	void dashboardBacksOffAndLogsItIfTheEndpointIsNotExposed(CapturedOutput output) {
		this.servlet.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardPage.class));
		assertThat(output).contains("The dashboard is not served at /locket")
			.contains("management.endpoints.web.exposure.include");
	}

	@Test
	void dashboardBacksOffWhereTheManagementPortIsDisabled(CapturedOutput output) {
		this.servlet.withPropertyValues(EXPOSED, "management.server.port=-1")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardPage.class));
		assertThat(output).containsOnlyOnce("The dashboard is not served at /locket")
			.contains("management.server.port");
	}

	@Test
	void managementPortOfItsOwnHasTheDashboardInItsOwnContext(CapturedOutput output) {
		this.servlet.withPropertyValues(EXPOSED, "management.server.port=8081")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardPage.class));
		assertThat(output).doesNotContain("The dashboard is not served");
	}

	@Test
	void basePathOfTheEndpointStopsTheStart() {
		this.servlet.withPropertyValues(EXPOSED, "management.endpoints.web.base-path=/")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("locket.dashboard.base-path=/locket is served by the endpoint"));
		this.servlet
			.withPropertyValues(EXPOSED, "management.endpoints.web.base-path=/", "locket.dashboard.base-path=/lockets")
			.run((context) -> assertThat(context).hasNotFailed());
		this.servlet.withPropertyValues(EXPOSED, "locket.dashboard.base-path=/actuator/locket/page")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void dashboardBacksOffWhereItIsSwitchedOff(CapturedOutput output) {
		this.servlet.withPropertyValues(EXPOSED, "locket.dashboard.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardPage.class));
		assertThat(output).doesNotContain("The dashboard is not served");
	}

	@Test
	void dashboardBacksOffWithoutTheWeb() {
		new ApplicationContextRunner().withConfiguration(LOCKET)
			.withUserConfiguration(InMemoryLocket.class)
			.withPropertyValues(EXPOSED, "locket.namespace=test", "locket.leader.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardPage.class));
	}

	@Test
	void basePathThatCannotBeStopsTheStart() {
		this.servlet.withPropertyValues(EXPOSED, "locket.dashboard.base-path=jobs")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"locket.dashboard.base-path='jobs' is not a valid path. Write a path that begins with a slash"));
	}

}
