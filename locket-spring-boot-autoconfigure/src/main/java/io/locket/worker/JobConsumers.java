package io.locket.worker;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.locket.event.JobObservers;
import io.locket.key.JobKeys;
import io.locket.lease.RunLeases;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobQueue;
import io.locket.queue.QueueNames;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * Takes jobs from queues for those who bring their own workers: they poll, run what they
 * get on threads of their own, and end it. Leases, reclaims and what is promised are
 * those of Locket's workers. Thread-safe.
 * <p>
 * When the context is closed no more jobs are taken, and those who run some have
 * {@code locket.worker.shutdown-grace} to end them, before heartbeat and connections end.
 */
public final class JobConsumers implements SmartLifecycle, DisposableBean {

	private static final Log logger = LogFactory.getLog(JobConsumers.class);

	private final ConsumerParts parts;

	private final Set<QueueConsumer> open = ConcurrentHashMap.newKeySet();

	private boolean stopped;

	/**
	 * Create the consumers of a process; there are none yet.
	 * @param settings how they work
	 * @param queue where the jobs come from
	 * @param leases keeps the leases of their runs alive
	 * @param handlers knows how jobs fail
	 * @param filters decides from which queues they may take, in this order
	 * @param keys makes keys for runs that have none
	 * @param codec reads arguments
	 * @param observers are told of each body that is called
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public JobConsumers(ConsumerSettings settings, JobQueue queue, RunLeases leases, JobHandlers handlers,
			List<? extends QueueReservationFilter> filters, JobKeys keys, ArgumentCodec codec, JobObservers observers,
			LongSupplier nanoTime) {
		Assert.notNull(queue, "'queue' must not be null");
		Assert.notNull(handlers, "'handlers' must not be null");
		HeldRuns runs = new HeldRuns(leases, keys);
		this.parts = new ConsumerParts(settings, queue, runs, new ConsumerEnds(queue, runs, handlers, settings),
				new ReservationFilters(filters), codec, new LaneNames(settings.instance() + "/consumer-"), observers,
				nanoTime);
	}

	/**
	 * Open a consumer. It takes nothing before it is asked to.
	 * @param name its name, for logs: 1 to 50 letters, digits, '.', '_' and '-'
	 * @param queues the queues to take jobs from; the first one is always asked first
	 * @return a consumer, to be closed by whoever opened it or with the context
	 * @throws IllegalArgumentException if the name or a queue is ill-formed, or if there
	 * is no queue
	 * @throws IllegalStateException if the context is being closed
	 */
	public JobConsumer open(String name, String... queues) {
		Assert.isTrue(name.matches("[A-Za-z0-9._-]{1,50}"),
				"The name of a consumer has 1 to 50 letters, digits, '.', '_' and '-'");
		List<WeightedQueue> served = Arrays.stream(queues)
			.map((queue) -> new WeightedQueue(QueueNames.require(queue), 1))
			.toList();
		Assert.notEmpty(served, () -> "Consumer '" + name + "' needs a queue to take jobs from");
		GroupSettings group = new GroupSettings(name, served, QueueOrder.STRICT, 1, WorkerThreads.PLATFORM, 1,
				this.parts.settings().pollInterval());
		synchronized (this) {
			if (this.stopped) {
				throw new IllegalStateException("The context is closed: no jobs are taken any more");
			}
			QueueConsumer consumer = new QueueConsumer(group, this.parts, this.open::remove);
			this.open.add(consumer);
			return consumer;
		}
	}

	@Override
	public synchronized void start() {
		this.stopped = false;
	}

	@Override
	public void stop() {
		synchronized (this) {
			this.stopped = true;
		}
		long deadline = this.parts.nanoTime().getAsLong() + this.parts.settings().shutdownGrace().toNanos();
		List<QueueConsumer> closing = List.copyOf(this.open);
		closing.forEach(QueueConsumer::stopTaking);
		try {
			for (QueueConsumer consumer : closing) {
				consumer.awaitEnds(deadline);
			}
		}
		catch (InterruptedException ex) {
			logger.debug("Not waiting any longer for taken jobs to be ended", ex);
			Thread.currentThread().interrupt();
		}
		closing.forEach(QueueConsumer::close);
	}

	@Override
	public void destroy() {
		stop();
	}

	@Override
	public synchronized boolean isRunning() {
		return !this.stopped;
	}

	@Override
	public int getPhase() {
		return WorkerLifecycle.PHASE;
	}

}
