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
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Process with a worker that prints how many bytes it allocates for a job with an empty
 * body, with meters and observations. In the JVM of the tests, classes that were mocked
 * allocate more.
 */
final class RunAllocation {

	/**
	 * Beginning of the line that has the number of bytes.
	 */
	static final String BYTES = "bytes of a job: ";

	private static final int JOBS = 2_000;

	private static final int ROUNDS = 5;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final LoggingSystem LOGGING = LoggingSystem.get(RunAllocation.class.getClassLoader());

	private RunAllocation() {
	}

	/**
	 * Measures the worker.
	 * @param properties properties of the application, as {@code name=value}
	 */
	static void main(String[] properties) {
		for (String logger : List.of("io.locket", "io.lettuce", "org.springframework")) {
			LOGGING.setLogLevel(logger, LogLevel.WARN);
		}
		System.out.println(BYTES + allocated(properties));
	}

	/**
	 * Returns the bytes that the worker allocates for a job: the least of several rounds,
	 * because the first ones load classes. The hold is long, so that batches have their
	 * full size on a busy machine too.
	 */
	private static long allocated(String... properties) {
		long[] bytes = { Long.MAX_VALUE };
		worker().withPropertyValues(properties).run((context) -> {
			JobAdministration administration = context.getBean(JobAdministration.class);
			EmptyJob body = context.getBean(EmptyJob.class);
			context.getBean(Jobs.class).enqueue("empty.run", -1);
			for (int round = 0; round < ROUNDS; round++) {
				administration.pause("default");
				EmptyJob.Count count = new EmptyJob.Count();
				body.countIn(count);
				context.getBean(Jobs.class).enqueueAll(requests(round));
				administration.resume("default");
				if (!count.ended.await(30, TimeUnit.SECONDS)) {
					throw new IllegalStateException(count.ended.getCount() + " jobs have not run");
				}
				bytes[0] = Math.min(bytes[0], count.bytes() / JOBS);
			}
		});
		return bytes[0];
	}

	private static ApplicationContextRunner worker() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
					WorkerAutoConfiguration.class, LocketMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, ObservationAutoConfiguration.class,
					LocketObservationAutoConfiguration.class))
			.withPropertyValues("locket.worker.queues=default", "locket.worker.concurrency=1",
					"locket.worker.batch-hold=1m")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("empty", EmptyJob.class);
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
