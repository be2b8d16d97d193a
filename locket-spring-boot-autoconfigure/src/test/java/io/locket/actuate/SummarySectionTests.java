package io.locket.actuate;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.lease.LeaseService;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the cost of {@link SummarySection} on Redis.
 */
class SummarySectionTests {

	private static final int VIEWERS = 10;

	private final AtomicLong now = new AtomicLong();

	@Test
	void viewersCostNoMoreThanOneOfThem() {
		RedisServer server = RedisServer.shared();
		String namespace = RedisServer.newNamespace();
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class))
			.withBean(Billing.class)
			.withPropertyValues(server.properties())
			.withPropertyValues("locket.namespace=" + namespace)
			.run((context) -> {
				context.getBean(Jobs.class).enqueue("bill", 1);
				EndpointSections sections = endpoint(context).sections();
				// The first calls load the scripts.
				look(sections);
				this.now.addAndGet(SharedReads.MAX_AGE.toNanos());
				try (CommandCounter counter = CommandCounter.on(server)) {
					look(sections);
					int once = counter.commandsMentioning(namespace).size();
					assertThat(once).isBetween(1, 8);
					List<CompletableFuture<Void>> viewers = Stream.generate(() -> sections)
						.limit(VIEWERS)
						.map((each) -> CompletableFuture.runAsync(() -> look(each)))
						.toList();
					viewers.forEach(CompletableFuture::join);
					assertThat(counter.commandsMentioning(namespace)).hasSize(once);
					this.now.addAndGet(SharedReads.MAX_AGE.toNanos());
					viewers = Stream.generate(() -> sections)
						.limit(VIEWERS)
						.map((each) -> CompletableFuture.runAsync(() -> look(each)))
						.toList();
					viewers.forEach(CompletableFuture::join);
					assertThat(counter.commandsMentioning(namespace)).hasSize(2 * once);
				}
			});
	}

	private static void look(EndpointSections sections) {
		Object view = sections.section(SummarySection.PATH).list(ListQuery.all(), sections.mask(false));
		assertThat(((SummaryDescriptor) view).overview().totals().ready()).isEqualTo(1);
	}

	private LocketEndpoint endpoint(ApplicationContext context) {
		return new LocketEndpoint(
				new EndpointParts("test", "me", false, context.getBean(JobAdministration.class),
						context.getBean(UniqueJobs.class), context.getBean(LeaseService.class), null, null, null, null),
				this.now::get);
	}

	static class Billing {

		@UniqueJob(name = "bill", queue = "bills")
		public void bill(int customer) {
			throw new AssertionError("Job of a queue without a worker: " + customer);
		}

	}

}
