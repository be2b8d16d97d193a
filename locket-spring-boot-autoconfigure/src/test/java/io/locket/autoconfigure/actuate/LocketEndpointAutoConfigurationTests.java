package io.locket.autoconfigure.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.management.MBeanException;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

import io.locket.UniqueJob;
import io.locket.actuate.EndpointParts;
import io.locket.actuate.LocketEndpoint;
import io.locket.actuate.LocketEndpointJmxExtension;
import io.locket.actuate.LocketEndpointWebExtension;
import io.locket.actuate.descriptor.ProblemDescriptor;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseSettings;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.leader.LeaderLeases;
import io.locket.schedule.memory.InMemoryScheduleStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LocketEndpointAutoConfiguration} and the JMX endpoint, with queues and
 * leases in memory.
 */
class LocketEndpointAutoConfigurationTests {

	private static final String MASK = "******";

	private final ApplicationContextRunner locket = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
				UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class, LocketEndpointAutoConfiguration.class,
				EndpointAutoConfiguration.class))
		.withPropertyValues("locket.namespace=test", "locket.leader.enabled=false");

	private final ApplicationContextRunner runner = this.locket.withUserConfiguration(InMemory.class)
		.withPropertyValues("management.endpoints.web.exposure.include=locket");

	private final MBeanServer server = MBeanServerFactory.newMBeanServer();

	private final ApplicationContextRunner jmx = this.locket.withUserConfiguration(InMemory.class)
		.withBean(Billing.class)
		.withConfiguration(AutoConfigurations.of(LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class,
				JmxAutoConfiguration.class, JmxEndpointAutoConfiguration.class, JacksonAutoConfiguration.class,
				JacksonEndpointAutoConfiguration.class))
		.withBean("mbeanServer", MBeanServer.class, () -> this.server)
		.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=locket");

	@Test
	void endpointIsThereWhereItIsExposedOnTheWeb() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(LocketEndpoint.class)
			.hasSingleBean(LocketEndpointWebExtension.class)
			.doesNotHaveBean(LocketEndpointJmxExtension.class));
	}

	@Test
	void endpointOfTheApplicationReplacesLockets() {
		this.runner.withUserConfiguration(OwnEndpoint.class)
			.run((context) -> assertThat(context).hasSingleBean(LocketEndpoint.class)
				.hasBean("ownEndpoint")
				.hasSingleBean(LocketEndpointWebExtension.class));
	}

	@Test
	void endpointBacksOffWhereItIsNotExposed() {
		this.locket.withUserConfiguration(InMemory.class)
			.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LocketEndpoint.class));
	}

	@Test
	void endpointBacksOffWithoutAccess() {
		this.runner.withPropertyValues("management.endpoint.locket.access=NONE")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LocketEndpoint.class));
	}

	@Test
	void endpointBacksOffWithoutActuator() {
		for (Class<?> missing : List.of(Endpoint.class, ConditionalOnAvailableEndpoint.class)) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class,
						QueueAutoConfiguration.class, LocketEndpointAutoConfiguration.class))
				.withUserConfiguration(InMemory.class)
				.withClassLoader(new FilteredClassLoader(missing))
				.withPropertyValues("locket.namespace=test", "management.endpoints.web.exposure.include=locket")
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean("locketEndpoint")
					.doesNotHaveBean("locketEndpointWebExtension"));
		}
	}

	@Test
	void endpointBacksOffWhenLocketIsDisabled() {
		this.locket.withPropertyValues("management.endpoints.web.exposure.include=locket", "locket.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LocketEndpoint.class));
	}

	@Test
	void endpointBacksOffWithoutQueues() {
		this.locket.withPropertyValues("management.endpoints.web.exposure.include=locket")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LocketEndpoint.class));
	}

	@Test
	void whatIsNotThereHasNoSection() {
		this.runner.run((context) -> {
			assertThat(context.getBean(LocketEndpoint.class).overview().sections()).containsExactly("queues", "jobs",
					"leases", "workers", "violations", "throughput", "summary");
			assertThat(context.getBean(LocketEndpoint.class).overview().leader()).isNull();
			LocketEndpointWebExtension web = context.getBean(LocketEndpointWebExtension.class);
			WebEndpointResponse<Object> response = list(web, "schedules");
			assertThat(response.getStatus()).isEqualTo(404);
			assertThat(response.getBody()).isEqualTo(
					new ProblemDescriptor("There is no section 'schedules'. There are queues, jobs, leases, workers, "
							+ "violations, throughput, summary"));
			assertThat(list(web, "workers").getStatus()).isEqualTo(200);
		});
	}

	private static WebEndpointResponse<Object> list(LocketEndpointWebExtension web, String section) {
		return web.list(SecurityContext.NONE, section, null, null, null, "dead", null, null, null, null, null);
	}

	@Test
	void argumentsAreNotShownByDefault() {
		ApplicationContextRunner billing = this.runner.withBean(Billing.class);
		billing.run((context) -> {
			String id = enqueue(context.getBean(Jobs.class), 987654321);
			assertThat(entry(context.getBean(LocketEndpointWebExtension.class), id)).contains("arguments=" + MASK)
				.doesNotContain("987654321");
		});
		billing.withPropertyValues("management.endpoint.locket.show-arguments=always").run((context) -> {
			String id = enqueue(context.getBean(Jobs.class), 987654321);
			assertThat(entry(context.getBean(LocketEndpointWebExtension.class), id)).contains("arguments=[987654321]");
		});
		billing.withPropertyValues("management.endpoint.locket.show-arguments=always", "locket.mask-arguments=true")
			.run((context) -> {
				String id = enqueue(context.getBean(Jobs.class), 987654321);
				assertThat(entry(context.getBean(LocketEndpointWebExtension.class), id)).contains("arguments=" + MASK)
					.doesNotContain("987654321");
			});
	}

	private static String entry(LocketEndpointWebExtension web, String id) {
		Object body = web.entry(SecurityContext.NONE, "jobs", id, null, null, null, null, null, null, null, null, null)
			.getBody();
		return String.valueOf(body);
	}

	private static String enqueue(Jobs jobs, int customer) {
		return ((EnqueueResult.Accepted) jobs.enqueue("bill", customer)).id();
	}

	@Test
	void beanInJmxIsReadOnlyByDefault() {
		this.jmx.run((context) -> {
			assertThat(context).hasSingleBean(LocketEndpointJmxExtension.class)
				.doesNotHaveBean(LocketEndpointWebExtension.class);
			assertThat(operations()).containsExactlyInAnyOrder("overview", "queues", "queue", "jobs", "job", "leases",
					"lease", "schedules", "schedule", "workers", "leader", "settings");
		});
	}

	@Test
	void webIsReadOnlyByDefault() {
		WebApplicationContextRunner web = new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
					UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
					LocketEndpointAutoConfiguration.class, EndpointAutoConfiguration.class,
					WebEndpointAutoConfiguration.class))
			.withUserConfiguration(InMemory.class)
			.withPropertyValues("locket.namespace=test", "management.endpoints.web.exposure.include=locket");
		List<String> reads = List.of("GET locket", "GET locket/{section}", "GET locket/{section}/{name}");
		web.run((context) -> assertThat(operations(context)).containsExactlyInAnyOrderElementsOf(reads));
		web.withPropertyValues("management.endpoint.locket.access=UNRESTRICTED")
			.run((context) -> assertThat(operations(context)).containsAll(reads)
				.hasSize(6)
				.contains("POST locket/{section}/{name}/{action}", "POST locket/{section}/{action}",
						"DELETE locket/{section}/{name}"));
	}

	private static List<String> operations(AssertableWebApplicationContext context) {
		return context.getBean(WebEndpointsSupplier.class)
			.getEndpoints()
			.stream()
			.flatMap((endpoint) -> endpoint.getOperations().stream())
			.map(WebOperation::getRequestPredicate)
			.map((predicate) -> predicate.getHttpMethod() + " " + predicate.getPath())
			.toList();
	}

	@Test
	void scheduleWhoseArgumentsDoNotFitDoesNotTellThem() {
		this.jmx.withPropertyValues("management.endpoint.locket.access=UNRESTRICTED").run((context) -> {
			context.getBean(ScheduleStore.class)
				.put(List
					.of(new ScheduleDefinition("stale", "test", "bill", "[\"hush\"]", null, null, Duration.ofHours(1),
							ZoneOffset.UTC, Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT)),
						null);
			assertThat(map("schedule", "stale")).containsEntry("arguments", MASK);
			assertThatExceptionOfType(MBeanException.class).isThrownBy(() -> invoke("triggerSchedule", "stale"))
				.withMessage("The arguments of schedule 'stale' do not fit the parameters of its job."
						+ " Put the schedule again with other arguments")
				.havingRootCause()
				.isExactlyInstanceOf(IllegalArgumentException.class);
		});
	}

	@Test
	void beanInJmxReadsAndUpdates() {
		List<AuditApplicationEvent> audits = new ArrayList<>();
		ApplicationListener<AuditApplicationEvent> listener = audits::add;
		this.jmx
			.withPropertyValues("management.endpoint.locket.access=UNRESTRICTED",
					"management.endpoint.locket.show-arguments=when-authorized")
			.withBean("audits", ApplicationListener.class, () -> listener)
			.run((context) -> {
				String id = enqueue(context.getBean(Jobs.class), 987654321);
				assertThat(map("overview")).containsEntry("instance", context.getBean(LeaseSettings.class).instance());
				assertThat(map("queue", "default", null, null, null)).containsKeys("queue", "jobs");
				assertThat(map("jobs", null, "bill", null, "ready", 10, null)).extractingByKey("jobs")
					.asInstanceOf(InstanceOfAssertFactories.LIST)
					.hasSize(1);
				assertThat(map("job", id)).containsEntry("state", "READY")
					.containsEntry("arguments", List.of(987654321))
					.extractingByKey("enqueuedAt")
					.asString()
					.endsWith("Z");
				for (String list : List.of("queues", "schedules", "workers", "leader")) {
					assertThat(map(list)).isNotNull();
				}
				assertThat(map("leases", (Object) null)).containsEntry("leases", List.of());
				assertThat(map("pauseQueue", "default")).containsEntry("result", "PAUSED");
				assertThat(map("resumeQueue", "default")).containsEntry("result", "RESUMED");
				assertThat(map("moveJob", id, "slow")).containsEntry("result", "DONE");
				assertThat(map("rescheduleJob", id, "2130-01-31T08:00:00Z")).containsEntry("result", "DONE");
				assertThat(map("cancelJob", id)).containsEntry("result", "CANCELLED");
				assertThat(map("runJobNow", id)).containsEntry("result", "REFUSED");
				assertThat(map("dismissJob", id)).containsEntry("result", "REFUSED");
				assertThat(map("requeueJob", id)).containsEntry("result", "REFUSED");
				assertThat(map("removeQueue", "default")).containsEntry("result", "REMOVED");
				assertThat(audits).extracting((audit) -> audit.getAuditEvent().getType())
					.containsExactly("LOCKET_QUEUE_PAUSED", "LOCKET_QUEUE_RESUMED", "LOCKET_JOB_MOVED",
							"LOCKET_JOB_RESCHEDULED", "LOCKET_JOB_CANCELLED", "LOCKET_JOB_RUN_NOW",
							"LOCKET_JOB_DISMISSED", "LOCKET_JOB_REQUEUED", "LOCKET_QUEUE_REMOVED");
				assertThat(audits).allMatch((audit) -> audit.getAuditEvent().getPrincipal().equals("jmx"));
				for (String operation : List.of("pauseSchedule", "resumeSchedule", "triggerSchedule", "removeSchedule",
						"schedule")) {
					assertThatExceptionOfType(MBeanException.class).isThrownBy(() -> invoke(operation, "never"))
						.withMessage("There is no schedule 'never'");
				}
				assertThatExceptionOfType(MBeanException.class).isThrownBy(() -> invoke("releaseLease", "0a"))
					.withMessageContaining("No lease or claim is held");
				assertThatExceptionOfType(MBeanException.class).isThrownBy(() -> invoke("lease", "0a"))
					.withMessageContaining("No lease or claim is held");
			});
	}

	private List<String> operations() throws Exception {
		return List.of(this.server.getMBeanInfo(name()).getOperations())
			.stream()
			.map(MBeanOperationInfo::getName)
			.toList();
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> map(String operation, @Nullable Object... arguments) throws Exception {
		return (Map<String, Object>) invoke(operation, arguments);
	}

	private Object invoke(String operation, @Nullable Object... arguments) throws Exception {
		return this.server.invoke(name(), operation, arguments, new String[arguments.length]);
	}

	private ObjectName name() {
		return this.server.queryNames(null, null)
			.stream()
			.filter((name) -> "Locket".equals(name.getKeyProperty("name")))
			.findFirst()
			.orElseThrow();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnEndpoint {

		@Bean
		LocketEndpoint ownEndpoint(JobAdministration administration, UniqueJobs jobs) {
			return new LocketEndpoint(
					new EndpointParts("test", null, true, administration, jobs, null, null, null, null, null, null));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InMemory {

		@Bean
		LockSpace space() {
			return new LockSpace(Clock.systemUTC());
		}

		@Bean
		InMemoryLeaseService leases(LockSpace space, LeaseSettings settings, JobKeys keys, JobEventPublisher events) {
			return new InMemoryLeaseService(space, settings, keys, events, System::nanoTime);
		}

		@Bean
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events);
		}

		@Bean
		LeaderLeases leaderLeases(InMemoryLeaseService leases) {
			return LeaderLeases.shared(leases);
		}

		@Bean
		InMemoryScheduleStore schedules(LockSpace space, InMemoryJobQueue queue) {
			return new InMemoryScheduleStore(space, queue);
		}

	}

	static class Billing {

		@UniqueJob(name = "bill")
		public void bill(int customer) {
			throw new AssertionError("Job of a queue without a worker: " + customer);
		}

	}

}
