package io.locket.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.event.JobEvent;
import io.locket.event.JobEventPublisher;
import io.locket.event.JobObserver;
import io.locket.event.JobObservers;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseHeartbeat;
import io.locket.lease.LeaseThreads;
import io.locket.lease.RunLeases;
import io.locket.queue.ArgumentCodec;

/**
 * A worker on a {@link FakeJobQueue}, with leases that are kept alive.
 */
final class WorkerFixture implements AutoCloseable {

	final FakeJobQueue queue = new FakeJobQueue();

	final List<JobEvent> events = new CopyOnWriteArrayList<>();

	final Map<String, TestHandler> handlers = new ConcurrentHashMap<>();

	final List<QueueReservationFilter> filters = new ArrayList<>(List.of(new IdleQueueFilter()));

	final List<JobObserver> observers = new ArrayList<>();

	final LeaseThreads threads = LeaseThreads.create();

	/**
	 * Moves the monotonic clock.
	 */
	final AtomicLong ahead = new AtomicLong();

	/**
	 * Is run by whoever asks for the time.
	 */
	volatile Runnable onTime = () -> {
	};

	final LeaseHeartbeat heartbeat;

	final RunLeases leases;

	Duration grace = Duration.ofSeconds(5);

	Duration pollInterval = Duration.ofSeconds(30);

	int concurrency = 1;

	int batch = 1;

	WorkerThreads kind = WorkerThreads.PLATFORM;

	boolean interruptOnLost = true;

	private volatile WorkerLifecycle lifecycle;

	WorkerFixture() {
		JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));
		this.heartbeat = new LeaseHeartbeat(Duration.ofMillis(20), this.threads.heartbeat(), this.threads.watch(),
				this.threads.notifier(), publisher, this::nanoTime);
		this.leases = new RunLeases(new QueueRunRenewer(this.queue), this.heartbeat, this.threads, publisher,
				this::nanoTime, () -> {
				});
	}

	private long nanoTime() {
		this.onTime.run();
		return System.nanoTime() + this.ahead.get();
	}

	TestHandler handle(String job, JobHandler.Body body) {
		TestHandler handler = new TestHandler(job, body);
		this.handlers.put(job, handler);
		return handler;
	}

	WorkerFixture start(String... queues) {
		GroupSettings group = new GroupSettings("test", Arrays.stream(queues).map(WeightedQueue::of).toList(),
				QueueOrder.STRICT, this.concurrency, this.kind, this.batch, this.pollInterval);
		WorkerSettings settings = new WorkerSettings("test", "instance", List.of(group), Map.of("limited", 3),
				this.grace, this.interruptOnLost, Duration.ofSeconds(10),
				new RetrySettings(Duration.ofSeconds(15), 2, Duration.ofMinutes(10), 0));
		this.lifecycle = new WorkerLifecycle(settings, this.queue, this.leases,
				(job) -> Optional.ofNullable(this.handlers.get(job)), this.filters, new JobKeys(), this.threads.watch(),
				new JobObservers(() -> this.observers), this::nanoTime);
		this.lifecycle.start();
		return this;
	}

	JobConsumers consumers() {
		ConsumerSettings settings = new ConsumerSettings("instance", Map.of("limited", 3), this.pollInterval,
				this.grace, Duration.ofSeconds(10),
				new RetrySettings(Duration.ofSeconds(15), 2, Duration.ofMinutes(10), 0), false);
		return new JobConsumers(settings, this.queue, this.leases, (job) -> Optional.ofNullable(this.handlers.get(job)),
				this.filters, new JobKeys(), new ArgumentCodec(), new JobObservers(() -> this.observers),
				this::nanoTime);
	}

	WorkerLifecycle lifecycle() {
		return this.lifecycle;
	}

	@Override
	public void close() {
		if (this.lifecycle != null) {
			this.lifecycle.stop();
		}
		this.leases.close();
	}

}
