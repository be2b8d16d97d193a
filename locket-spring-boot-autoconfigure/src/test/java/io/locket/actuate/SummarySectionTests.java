package io.locket.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LeaseKind;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.actuate.descriptor.JobDescriptor;
import io.locket.actuate.descriptor.LeaseDescriptor;
import io.locket.autoconfigure.actuate.LocketEndpointAutoConfiguration;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.lease.LockRegistryLeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ValueOperations;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SummarySection} on Redis.
 */
class SummarySectionTests {

	private static final int VIEWERS = 10;

	/**
	 * Number of jobs of one page, each with a key of its own.
	 */
	private static final int MANY = 50;

	private final AtomicLong now = new AtomicLong();

	private final RedisServer server = RedisServer.shared();

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class))
		.withBean(Billing.class)
		.withPropertyValues(this.server.properties())
		.withPropertyValues("locket.namespace=" + this.namespace);

	@Test
	void viewersCostNoMoreThanOneOfThem() {
		this.runner.run((context) -> {
			context.getBean(Jobs.class).enqueue("bill", 1);
			EndpointSections sections = endpoint(context).sections();
			assertThat(costOfOne(() -> look(sections))).isBetween(1, 8);
		});
	}

	@Test
	void viewersOfManyParkedJobsCostNoMoreThanOneOfThem() {
		this.runner.run((context) -> {
			park(context, MANY);
			EndpointSections sections = endpoint(context).sections();
			assertThat(costOfOne(() -> lookAtParked(sections))).isBetween(1, 9);
		});
	}

	@Test
	void leasesOfQueuedRunsAreShownIfDirectCallsUseALockRegistry() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, LockRegistryLeaseAutoConfiguration.class,
					UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class, LeaderAutoConfiguration.class,
					LocketEndpointAutoConfiguration.class))
			.withPropertyValues(this.server.properties())
			.withPropertyValues("locket.namespace=" + this.namespace, "locket.lease.store=lock-registry",
					"locket.leader.enabled=false", "management.endpoints.web.exposure.include=locket")
			.withBean(LockRegistry.class, DefaultLockRegistry::new)
			.withBean(Mail.class)
			.run((context) -> {
				park(context, "mail", 2);
				EndpointSections sections = context.getBean(LocketEndpoint.class).sections();
				SummarySection summary = (SummarySection) sections.section(SummarySection.PATH);
				SummaryDescriptor view = summary.list(ListQuery.all(), sections.mask(false));
				assertThat(view.parked()).hasSize(2);
				assertThat(view.leases()).hasSize(2);
				SummaryDescriptor job = summary.entry(view.parked().get(0).id(), ListQuery.all(), sections.mask(false));
				assertThat(job.leases()).extracting(LeaseDescriptor::kind).containsExactly(LeaseKind.FOREIGN);
			});
	}

	@Test
	void claimIsShownWithItsJob() {
		this.runner.run((context) -> {
			EnqueueResult result = context.getBean(Jobs.class).enqueue("report", 1);
			EndpointSections sections = endpoint(context).sections();
			SummaryDescriptor view = (SummaryDescriptor) sections.section(SummarySection.PATH)
				.entry(((EnqueueResult.Accepted) result).id(), ListQuery.all(), sections.mask(false));
			assertThat(view.leases()).extracting(LeaseDescriptor::kind).containsExactly(LeaseKind.CLAIM);
		});
	}

	@Test
	void parkedJobIsShownWhenManyQueuesAreBeforeItsOwn() {
		this.runner.run((context) -> {
			for (int i = 0; i < MANY; i++) {
				context.getBean(JobAdministration.class).pause("a" + i);
			}
			park(context, 1);
			EndpointSections sections = endpoint(context).sections();
			SummaryDescriptor view = (SummaryDescriptor) sections.section(SummarySection.PATH)
				.list(ListQuery.all(), sections.mask(false));
			assertThat(view.overview().totals().parked()).isOne();
			assertThat(view.parked()).extracting(JobDescriptor::queue).containsExactly("bills");
			assertThat(view.leases()).hasSize(1);
		});
	}

	@Test
	void viewAfterAWriteOfAnyKindShowsTheWrite() {
		this.runner.run((context) -> {
			context.getBean(Jobs.class).enqueue("bill", 1);
			context.getBean(Jobs.class).enqueue("bill", 2);
			LocketEndpoint endpoint = endpoint(context);
			LocketEndpointJmxExtension jmx = new LocketEndpointJmxExtension(endpoint, Show.NEVER, (event) -> {
			});
			LocketEndpointWebExtension web = new LocketEndpointWebExtension(endpoint, Show.NEVER, Set.of(), (event) -> {
			});
			assertThat(totals(endpoint).paused()).isZero();
			jmx.pauseQueue("bills");
			assertThat(totals(endpoint).paused()).isOne();
			web.write(SecurityContext.NONE, "queues", "bills", "resume", null, null, null);
			assertThat(totals(endpoint).paused()).isZero();
			assertThat(totals(endpoint).ready()).isEqualTo(2);
			web.writeBatch(SecurityContext.NONE, "jobs", "cancel", null, null, null, "ready", "1", null, null, null,
					null, null, null);
			assertThat(totals(endpoint).ready()).isOne();
			web.delete(SecurityContext.NONE, "queues", "bills");
			assertThat(totals(endpoint).ready()).isZero();
		});
	}

	private static OverviewDescriptor.TotalsDescriptor totals(LocketEndpoint endpoint) {
		EndpointSections sections = endpoint.sections();
		Object view = sections.section(SummarySection.PATH).list(ListQuery.all(), sections.mask(false));
		return ((SummaryDescriptor) view).overview().totals();
	}

	/**
	 * Returns the number of commands for one viewer, after a comparison with those for
	 * many.
	 */
	private int costOfOne(Runnable look) {
		// The first calls load the scripts.
		look.run();
		this.now.addAndGet(SharedReads.MAX_AGE.toNanos());
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			look.run();
			int once = counter.commandsMentioning(this.namespace).size();
			lookTogether(look);
			assertThat(counter.commandsMentioning(this.namespace)).hasSize(once);
			this.now.addAndGet(SharedReads.MAX_AGE.toNanos());
			lookTogether(look);
			assertThat(counter.commandsMentioning(this.namespace)).hasSize(2 * once);
			return once;
		}
	}

	private static void lookTogether(Runnable look) {
		List<CompletableFuture<Void>> viewers = Stream.generate(() -> look)
			.limit(VIEWERS)
			.map(CompletableFuture::runAsync)
			.toList();
		viewers.forEach(CompletableFuture::join);
	}

	private static void look(EndpointSections sections) {
		Object view = sections.section(SummarySection.PATH).list(ListQuery.all(), sections.mask(false));
		assertThat(((SummaryDescriptor) view).overview().totals().ready()).isEqualTo(1);
	}

	private static void lookAtParked(EndpointSections sections) {
		Object view = sections.section(SummarySection.PATH)
			.entry(JobsSection.PATH, ListQuery.all(), sections.mask(false));
		assertThat(((SummaryDescriptor) view).leases()).hasSize(MANY);
	}

	/**
	 * Parks jobs on the keys of a plain registry, whose locks need no renewals.
	 */
	private void park(ApplicationContext context, int jobs) {
		park(context, "bill", jobs);
	}

	private void park(ApplicationContext context, String job, int jobs) {
		ValueOperations<String, String> locks = context.getBean(StringRedisTemplate.class).opsForValue();
		for (int customer = 0; customer < jobs; customer++) {
			String digest = context.getBean(UniqueJobs.class).keyOf(job, customer).digest();
			locks.set("{" + this.namespace + "}:lease:" + digest, "foreign", Duration.ofHours(1));
			context.getBean(Jobs.class).enqueue(job, customer);
		}
		JobAdministration administration = context.getBean(JobAdministration.class);
		while (administration.counts("bills").in(JobState.PARKED) < jobs) {
			Reservation reservation = context.getBean(JobQueue.class).reserve(request());
			assertThat(reservation.jobs()).isEmpty();
		}
	}

	private static ReservationRequest request() {
		return new ReservationRequest(UUID.randomUUID().toString(), "poller", "instance", "thread",
				List.of(new ReservationRequest.QueueLimit("bills", 0)), 1);
	}

	private LocketEndpoint endpoint(ApplicationContext context) {
		return new LocketEndpoint(new EndpointParts("test", "me", false, context.getBean(JobAdministration.class),
				context.getBean(UniqueJobs.class), context.getBean(LeaseService.class),
				context.getBean(LeaseService.class), null, null, null, null), this.now::get);
	}

	static class Mail {

		@UniqueJob(name = "mail", queue = "bills")
		public void mail(int customer) {
			throw new AssertionError("Job of a queue without a worker: " + customer);
		}

	}

	static class Billing {

		@UniqueJob(name = "bill", queue = "bills")
		public void bill(int customer) {
			throw new AssertionError("Job of a queue without a worker: " + customer);
		}

		@UniqueJob(name = "report", queue = "reports", lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1d")
		public void report(int month) {
			throw new AssertionError("Job of a queue without a worker: " + month);
		}

	}

}
