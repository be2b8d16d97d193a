package io.locket.autoconfigure.queue;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.sun.management.ThreadMXBean;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.metrics.LocketMetricsAutoConfiguration;
import io.locket.autoconfigure.observation.LocketObservationAutoConfiguration;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.testing.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory that a worker allocates for a job with an empty body, with meters
 * and observations.
 */
class RunAllocationTests {

	private static final int JOBS = 2_000;

	private static final int ROUNDS = 5;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final LoggingSystem LOGGING = LoggingSystem.get(RunAllocationTests.class.getClassLoader());

	private final ApplicationContextRunner worker = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				WorkerAutoConfiguration.class, LocketMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, ObservationAutoConfiguration.class,
				LocketObservationAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(), "locket.worker.queues=default",
				"locket.worker.concurrency=1")
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean("empty", EmptyJob.class);

	@BeforeEach
	void silence() {
		LOGGING.setLogLevel("io.locket", LogLevel.WARN);
		LOGGING.setLogLevel("io.lettuce", LogLevel.WARN);
		LOGGING.setLogLevel("org.springframework", LogLevel.WARN);
	}

	@AfterEach
	void speak() {
		LOGGING.setLogLevel("io.locket", null);
		LOGGING.setLogLevel("io.lettuce", null);
		LOGGING.setLogLevel("org.springframework", null);
	}

	@Test
	void runOfAJobInABatchAllocatesAtMost13Kilobytes() {
		assertThat(allocated()).isLessThan(13_000);
	}

	@Test
	void runOfAJobWithACallOfItsOwnAllocatesAtMost18Kilobytes() {
		assertThat(allocated("locket.worker.batch=1")).isLessThan(18_000);
	}

	/**
	 * Returns the bytes that the worker allocates for a job, after as many other jobs:
	 * the least of several rounds, because a busy machine makes batches smaller.
	 */
	private long allocated(String... properties) {
		long[] bytes = { Long.MAX_VALUE };
		this.worker.withPropertyValues(properties).run((context) -> {
			JobAdministration administration = context.getBean(JobAdministration.class);
			EmptyJob body = context.getBean(EmptyJob.class);
			context.getBean(Jobs.class).enqueue("empty.run", -1);
			for (int round = 0; round < ROUNDS; round++) {
				administration.pause("default");
				EmptyJob.Count count = new EmptyJob.Count();
				body.countIn(count);
				context.getBean(Jobs.class).enqueueAll(requests(round));
				administration.resume("default");
				assertThat(count.ended.await(30, TimeUnit.SECONDS)).isTrue();
				bytes[0] = Math.min(bytes[0], count.bytes() / JOBS);
			}
		});
		return bytes[0];
	}

	private static List<JobRequest> requests(int round) {
		return IntStream.range(0, JOBS).mapToObj((i) -> JobRequest.of("empty.run", round * JOBS + i)).toList();
	}

	static class EmptyJob {

		private volatile Count count = new Count();

		void countIn(Count count) {
			this.count = count;
		}

		@UniqueJob(name = "empty.run")
		public void run(long number) {
			this.count.add();
		}

		/**
		 * The bytes that the threads of bodies have allocated since their first bodies.
		 */
		static class Count {

			final CountDownLatch ended = new CountDownLatch(JOBS);

			private final Map<Long, Long> first = new ConcurrentHashMap<>();

			private final Map<Long, Long> last = new ConcurrentHashMap<>();

			void add() {
				long thread = Thread.currentThread().getId();
				long allocated = THREADS.getThreadAllocatedBytes(thread);
				this.first.putIfAbsent(thread, allocated);
				this.last.put(thread, allocated);
				this.ended.countDown();
			}

			long bytes() {
				return this.last.keySet()
					.stream()
					.mapToLong((thread) -> this.last.get(thread) - this.first.get(thread))
					.sum();
			}

		}

	}

}
