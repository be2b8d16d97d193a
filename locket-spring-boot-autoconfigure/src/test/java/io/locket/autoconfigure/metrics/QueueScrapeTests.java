package io.locket.autoconfigure.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.administration.JobAdministration;
import io.locket.metrics.QueueMetrics;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the cost and the content of a scrape of the queue gauges, in a fleet on
 * Redis.
 */
class QueueScrapeTests {

	private static final int QUEUES = 30;

	private final ApplicationContextRunner replica = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				LocketMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class))
		.withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));

	@Test
	void scrapeCostsOneScriptAndIsTheSameOnEachReplica() {
		RedisServer server = RedisServer.shared();
		String namespace = RedisServer.newNamespace();
		ApplicationContextRunner runner = this.replica.withPropertyValues(server.properties())
			.withPropertyValues("locket.namespace=" + namespace, "locket.metrics.max-age=1h");
		runner.run((context) -> runner.run((other) -> {
			enqueue(context);
			context.getBean(JobAdministration.class).pause("queue-7");
			try (CommandCounter counter = CommandCounter.on(server)) {
				scrape(context);
				assertThat(counter.commandsMentioning(namespace)).hasSize(1);
				Set<String> said = scrape(context);
				assertThat(counter.commandsMentioning(namespace)).hasSize(1);
				scrape(other);
				// The waiting time of a job refers to the time of the overview.
				assertThat(withoutOldest(scrape(other))).isEqualTo(withoutOldest(said));
				assertThat(counter.commandsMentioning(namespace)).hasSize(2);
				assertThat(said).hasSize(1 + QUEUES * 9)
					.contains("locket_queue_known 30.0", "locket_queue_jobs{queue=\"queue-7\",state=\"ready\"} 7.0",
							"locket_queue_paused{queue=\"queue-7\"} 1.0", "locket_queue_paused{queue=\"queue-8\"} 0.0");
			}
		}));
	}

	@Test
	void scrapeWaitsForOneCommandAtTheMostWhileRedisDoesNotReply() {
		AtomicLong now = new AtomicLong();
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		try (RedisServer server = RedisServer.start()) {
			this.replica.withPropertyValues(server.properties())
				.withPropertyValues("locket.redis.command-timeout=1s")
				.run((context) -> {
					enqueue(context);
					QueueMetrics metrics = new QueueMetrics(context.getBean(JobAdministration.class)::overview,
							Duration.ofSeconds(5), now::get);
					metrics.bindTo(registry);
					scrape(registry);
					now.addAndGet(Duration.ofSeconds(5).toNanos());
					server.freeze();
					long start = System.nanoTime();
					Set<String> said = scrape(registry);
					Duration took = Duration.ofNanos(System.nanoTime() - start);
					server.resume();
					assertThat(said).hasSize(1 + QUEUES * 9).allMatch((line) -> line.endsWith(" NaN"));
					assertThat(took).isLessThan(Duration.ofSeconds(4));
				});
		}
	}

	/**
	 * Enqueues the number of jobs in the name of each queue.
	 */
	private static void enqueue(ApplicationContext context) {
		List<NewJob> jobs = new ArrayList<>();
		for (int queue = 0; queue < QUEUES; queue++) {
			for (int i = 0; i < Math.max(queue, 1); i++) {
				jobs.add(job("queue-" + queue, i));
			}
		}
		context.getBean(JobQueue.class).enqueue(jobs);
		context.getBean(JobAdministration.class).overview();
	}

	private static NewJob job(String queue, int number) {
		return NewJob.builder(UUID.randomUUID().toString(), "billing.bill", queue)
			.arguments("[" + number + "]")
			.retries(3)
			.build();
	}

	private static List<String> withoutOldest(Set<String> said) {
		return said.stream().filter((line) -> !line.startsWith("locket_queue_oldest_seconds{")).toList();
	}

	private static Set<String> scrape(ApplicationContext context) {
		return scrape(context.getBean(PrometheusMeterRegistry.class));
	}

	private static Set<String> scrape(PrometheusMeterRegistry registry) {
		return registry.scrape()
			.lines()
			.filter((line) -> line.startsWith("locket_queue_"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
