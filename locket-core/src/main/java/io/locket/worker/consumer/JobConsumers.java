package io.locket.worker.consumer;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.queue.QueueNames;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;
import io.locket.worker.WorkerLifecycle;
import io.locket.worker.reservation.PollerNames;
import io.locket.worker.reservation.QueueReservationFilter;
import io.locket.worker.reservation.ReservationFilters;
import io.locket.worker.run.HeldRuns;
import io.locket.worker.run.RunParts;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * Factory and lifecycle of {@link JobConsumer}s, for applications with their own workers.
 * They poll jobs, run them on their own threads, and end them. Leases, reclaims and
 * guarantees are those of Locket's workers. Thread-safe.
 * <p>
 * When the context is closed, no more jobs are taken. Running jobs have
 * {@code locket.worker.shutdown-grace} to be ended before heartbeat and connections stop.
 */
public final class JobConsumers implements SmartLifecycle, DisposableBean {

	private static final Log logger = LogFactory.getLog(JobConsumers.class);

	/**
	 * Batch hold of a group, which a consumer does not use.
	 */
	private static final Duration NOT_HELD = Duration.ofSeconds(1);

	private final ConsumerParts parts;

	/**
	 * Consumers that are open, or whose jobs have not all been ended.
	 */
	private final Set<QueueConsumer> open = ConcurrentHashMap.newKeySet();

	private boolean running = true;

	/**
	 * Whether no more jobs are taken. This begins before the stop.
	 */
	private boolean stopping;

	private volatile long deadline;

	/**
	 * Creates the factory, without any consumer yet.
	 * @param settings the settings
	 * @param queue the queue
	 * @param runs the collaborators of the runs; its handlers determine the ends of
	 * failed attempts
	 * @param filters the reservation filters, in this order
	 * @param codec the codec of arguments
	 */
	public JobConsumers(ConsumerSettings settings, JobQueue queue, RunParts runs,
			List<? extends QueueReservationFilter> filters, ArgumentCodec codec) {
		Assert.notNull(queue, "'queue' must not be null");
		HeldRuns held = runs.heldRuns(settings.maskArguments());
		ConsumerDuties duties = new ConsumerDuties(queue, settings.instance(), runs.nanoTime(),
				() -> this.open.forEach(QueueConsumer::wake));
		this.parts = new ConsumerParts(settings, queue, held,
				new ConsumerEnds(queue, held, runs.handlers(), settings, runs.nanoTime()),
				new ReservationFilters(filters).with(duties.quiet()), duties, codec,
				new PollerNames(settings.instance() + "/consumer-"), runs.observers(), runs.nanoTime());
	}

	/**
	 * Opens a consumer. It takes no job before it is polled.
	 * @param name its name, for logs: 1 to 50 letters, digits, '.', '_' and '-'
	 * @param queues the queues to take jobs from; the first one is always requested first
	 * @return a consumer, to be closed by the caller or with the context
	 * @throws IllegalArgumentException if the name or a queue is invalid, or if there is
	 * no queue
	 * @throws IllegalStateException if the context is being closed
	 */
	public JobConsumer open(String name, String... queues) {
		Assert.isTrue(name.matches("[A-Za-z0-9._-]{1,50}"),
				"The name of a consumer has 1 to 50 letters, digits, '.', '_' and '-'");
		List<WeightedQueue> served = Arrays.stream(queues)
			.map((queue) -> new WeightedQueue(QueueNames.require(queue), 1))
			.toList();
		Assert.notEmpty(served, () -> "Consumer '" + name + "' needs a queue to take jobs from");
		GroupSettings group = new GroupSettings(name, served, QueueOrder.STRICT, 1, WorkerThreads.PLATFORM, 1, NOT_HELD,
				this.parts.settings().pollInterval());
		synchronized (this) {
			if (this.stopping) {
				throw new IllegalStateException("The context is closed: no more jobs are taken");
			}
			QueueConsumer consumer = new QueueConsumer(group, this.parts, this, UninterruptedCalls.BACKOFF);
			this.open.add(consumer);
			return consumer;
		}
	}

	@Override
	public synchronized void start() {
		// No consumer was notified since the stop.
		this.parts.duties().holdUntilMarkIsRead();
		this.stopping = false;
		this.running = true;
	}

	/**
	 * Takes no more jobs, until a stop and a start. The grace time of the taken jobs
	 * begins now. Does not wait for them, but up to five seconds for requests that had no
	 * reply, because these may have taken jobs.
	 */
	void stopTaking() {
		synchronized (this) {
			if (!this.stopping) {
				this.stopping = true;
				this.deadline = now() + this.parts.settings().shutdownGrace().toNanos();
			}
		}
		stopTaking(List.copyOf(this.open));
	}

	private void stopTaking(List<QueueConsumer> consumers) {
		consumers.forEach(QueueConsumer::stopTaking);
		long until = now() + QueueConsumer.LAST_RESERVATION.toNanos();
		consumers.forEach((consumer) -> consumer.leavePollers(until));
	}

	@Override
	public void stop() {
		stopTaking();
		List<QueueConsumer> closing = List.copyOf(this.open);
		try {
			for (QueueConsumer consumer : closing) {
				consumer.awaitEnds(this.deadline);
			}
		}
		catch (InterruptedException ex) {
			logger.debug("Not waiting any longer for taken jobs to be ended", ex);
			Thread.currentThread().interrupt();
		}
		close(closing);
		synchronized (this) {
			this.running = false;
		}
	}

	/**
	 * Closes consumers. Their jobs are returned together, because each call may take long
	 * during an outage.
	 */
	void close(List<QueueConsumer> closing) {
		stopTaking(closing);
		List<DefaultConsumedJob> recalled = closing.stream().flatMap((consumer) -> consumer.recall().stream()).toList();
		if (!recalled.isEmpty()) {
			this.parts.ends().returnAll(recalled.stream().map(DefaultConsumedJob::run).toList());
			recalled.forEach(DefaultConsumedJob::leaveConsumer);
		}
		closing.stream().filter(QueueConsumer::hasEnded).forEach(this::forget);
	}

	/**
	 * Forgets a consumer that has ended.
	 */
	void forget(QueueConsumer ended) {
		this.open.remove(ended);
	}

	private long now() {
		return this.parts.nanoTime().getAsLong();
	}

	@Override
	public void destroy() {
		stop();
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	/**
	 * Returns a phase after the stop of Locket's workers, whose bodies are interrupted
	 * when the same grace time has passed.
	 */
	@Override
	public int getPhase() {
		return WorkerLifecycle.PHASE - 1;
	}

}
