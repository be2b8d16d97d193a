package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;

import io.locket.JobContext;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.heartbeat.RunLeases;
import io.locket.lease.redis.LeaseKeys;
import io.locket.observer.JobObservers;
import io.locket.queue.JobRecord;
import io.locket.queue.redis.QueueSettings;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.redis.RedisConnections;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.run.QueueRunRenewer;
import io.locket.worker.run.RunParts;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.RetrySettings;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerSettings;
import io.locket.worker.settings.WorkerThreads;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Worker in its own process. Its bodies append their start, their end and the loss of
 * their lease to a list in Redis, which keeps the order.
 */
final class WorkerProcess {

	static final int CONCURRENCY = 4;

	private final String instance;

	private final StringRedisTemplate redis;

	private final String records;

	private final WorkerLifecycle worker;

	private WorkerProcess(String host, int port, String namespace, String instance) {
		this.instance = instance;
		this.records = "{" + namespace + "}:records";
		Duration commandTimeout = Duration.ofMillis(600);
		LettuceConnectionFactory connectionFactory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(host, port),
				LettuceClientConfiguration.builder().commandTimeout(Duration.ofSeconds(5)).build());
		connectionFactory.afterPropertiesSet();
		connectionFactory.start();
		this.redis = new StringRedisTemplate(connectionFactory);
		JobEventPublisher events = new JobEventPublisher(List.of());
		LeaseThreads threads = LeaseThreads.create();
		RedisJobQueue queue = new RedisJobQueue(
				new RedisConnections(connectionFactory, connectionFactory, commandTimeout, connectionFactory::destroy),
				LeaseKeys.of(namespace),
				new QueueSettings(commandTimeout, 3, Duration.ofHours(1), 100_000, Duration.ofDays(1), 1000), events);
		LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofMillis(500), threads.heartbeat(), threads.watch(),
				threads.notifier(), events, System::nanoTime);
		RunLeases leases = new RunLeases(new QueueRunRenewer(queue), heartbeat, threads, events, System::nanoTime,
				queue::close);
		GroupSettings group = new GroupSettings("test", List.of(new WeightedQueue("fleet", 1)), QueueOrder.STRICT,
				CONCURRENCY, WorkerThreads.PLATFORM, 1, Duration.ofSeconds(1), Duration.ofMillis(500));
		WorkerSettings settings = new WorkerSettings("test", instance, List.of(group), Map.of(), Duration.ofSeconds(5),
				true, Duration.ofSeconds(5), new RetrySettings(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), 0.1));
		this.worker = new WorkerLifecycle(settings, queue, new RunParts(leases, new JobKeys(),
				(job) -> Optional.of(handler(job)), JobObservers.none(), System::nanoTime),
				List.of(new IdleQueueFilter()), threads.watch());
	}

	private TestHandler handler(String job) {
		return new TestHandler(job, () -> null) {

			@Override
			public Body bind(JobRecord record) {
				return () -> {
					write(record);
					return null;
				};
			}

		};
	}

	private void write(JobRecord record) throws InterruptedException {
		String run = record.id() + " " + record.key().digest() + " " + JobContext.required().fencingToken() + " "
				+ this.instance;
		JobContext.required().onLeaseLost(() -> append("lost " + run));
		append("begin " + run);
		Thread.sleep(3);
		append("end " + run);
	}

	private void append(String record) {
		this.redis.opsForList().rightPush(this.records, record);
	}

	static void main(String[] args) {
		WorkerProcess process = new WorkerProcess(args[0], Integer.parseInt(args[1]), args[2], args[3]);
		System.out.println("ready");
		Scanner lines = new Scanner(System.in);
		lines.nextLine();
		process.worker.start();
		System.out.println("started");
		if (lines.hasNextLine()) {
			lines.nextLine();
		}
		process.worker.stop();
		System.exit(0);
	}

}
