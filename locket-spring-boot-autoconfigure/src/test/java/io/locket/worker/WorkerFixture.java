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
import java.util.function.Consumer;

import io.locket.event.JobEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.heartbeat.RunLeases;
import io.locket.observer.JobObserver;
import io.locket.observer.JobObservers;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.worker.consumer.ConsumerSettings;
import io.locket.worker.consumer.JobConsumers;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.reservation.QueueReservationFilter;
import io.locket.worker.run.JobHandler;
import io.locket.worker.run.QueueRunRenewer;
import io.locket.worker.run.RunParts;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.RetrySettings;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerSettings;
import io.locket.worker.settings.WorkerThreads;

/**
 * Worker on a {@link FakeJobQueue}, with leases that are kept alive.
 */
public final class WorkerFixture implements AutoCloseable {

	public final FakeJobQueue queue = new FakeJobQueue();

	public final List<JobEvent> events = new CopyOnWriteArrayList<>();

	public final Map<String, TestHandler> handlers = new ConcurrentHashMap<>();

	public final List<QueueReservationFilter> filters = new ArrayList<>(List.of(new IdleQueueFilter()));

	public final List<JobObserver> observers = new ArrayList<>();

	public final LeaseThreads threads = LeaseThreads.create();

	/**
	 * Offset of the monotonic clock.
	 */
	public final AtomicLong ahead = new AtomicLong();

	/**
	 * Action to run at each read of the clock.
	 */
	public volatile Runnable onTime = () -> {
	};

	/**
	 * Consumer of each event, on the thread that publishes it.
	 */
	public volatile Consumer<JobEvent> onEvent = (event) -> this.events.size();

	public final LeaseHeartbeat heartbeat;

	public final RunLeases leases;

	public Duration grace = Duration.ofSeconds(5);

	public Duration pollInterval = Duration.ofSeconds(30);

	public int concurrency = 1;

	public int batch = 1;

	public Duration batchHold = Duration.ofMinutes(1);

	public WorkerThreads kind = WorkerThreads.PLATFORM;

	public boolean interruptOnLost = true;

	private volatile WorkerLifecycle lifecycle;

	public WorkerFixture() {
		JobEventPublisher publisher = new JobEventPublisher(
				List.of(this.events::add, (event) -> this.onEvent.accept(event)));
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

	public TestHandler handle(String job, JobHandler.Body body) {
		TestHandler handler = new TestHandler(job, body);
		this.handlers.put(job, handler);
		return handler;
	}

	public WorkerFixture start(String... queues) {
		GroupSettings group = new GroupSettings("test",
				Arrays.stream(queues).map((queue) -> new WeightedQueue(queue, 1)).toList(), QueueOrder.STRICT,
				this.concurrency, this.kind, this.batch, this.batchHold, this.pollInterval);
		WorkerSettings settings = new WorkerSettings("test", "instance", List.of(group), Map.of("limited", 3),
				this.grace, this.interruptOnLost, Duration.ofSeconds(10),
				new RetrySettings(Duration.ofSeconds(15), 2, Duration.ofMinutes(10), 0));
		this.lifecycle = new WorkerLifecycle(settings, this.queue, parts(), this.filters, this.threads.watch());
		this.lifecycle.start();
		return this;
	}

	public JobConsumers consumers() {
		ConsumerSettings settings = new ConsumerSettings("instance", Map.of("limited", 3), this.pollInterval,
				this.grace, Duration.ofSeconds(10),
				new RetrySettings(Duration.ofSeconds(15), 2, Duration.ofMinutes(10), 0), false);
		return new JobConsumers(settings, this.queue, parts(), this.filters, new ArgumentCodec());
	}

	private RunParts parts() {
		return new RunParts(this.leases, new JobKeys(), (job) -> Optional.ofNullable(this.handlers.get(job)),
				new JobObservers(() -> this.observers), this::nanoTime);
	}

	public WorkerLifecycle lifecycle() {
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
