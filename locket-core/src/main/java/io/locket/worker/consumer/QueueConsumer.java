package io.locket.worker.consumer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobQueue;
import io.locket.worker.consumer.ConsumerRequests.Result;
import io.locket.worker.reservation.IdleSlots;
import io.locket.worker.reservation.Wake;
import io.locket.worker.settings.GroupSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * {@link JobConsumer} on a {@link JobQueue}. Each polling thread has its own poller. A
 * poller with an open request is reused first.
 */
final class QueueConsumer implements JobConsumer {

	private static final Log logger = LogFactory.getLog(QueueConsumer.class);

	/**
	 * Maximum number of requests of {@link #poll()} while the store cuts reservations
	 * short.
	 */
	private static final int REQUESTS = 100;

	/**
	 * Time for which an open request is repeated when this is closed, because it may hold
	 * a job.
	 */
	static final Duration LAST_RESERVATION = Duration.ofSeconds(5);

	private final GroupSettings settings;

	private final ConsumerParts parts;

	private final ConsumerRequests requests;

	private final IdleSlots idleSlots;

	private final JobQueue.Listening listening;

	private final JobConsumers owner;

	private final BackOff backOff;

	private final TakenJobs taken;

	private final ConsumerPollers pollers;

	private final CountDownLatch closing = new CountDownLatch(1);

	/**
	 * Creates a consumer.
	 * @param settings the queues to take jobs from
	 * @param parts the collaborators
	 * @param owner the factory, which closes this consumer
	 * @param backOff the back-off of a waiting poll while its requests get no reply
	 */
	QueueConsumer(GroupSettings settings, ConsumerParts parts, JobConsumers owner, BackOff backOff) {
		this.settings = settings;
		this.parts = parts;
		this.owner = owner;
		this.backOff = backOff;
		this.pollers = new ConsumerPollers(parts.pollers());
		this.idleSlots = new IdleSlots(settings.pollInterval(), parts.nanoTime(),
				() -> ThreadLocalRandom.current().nextDouble());
		this.taken = new TakenJobs(parts.nanoTime());
		this.requests = new ConsumerRequests(settings, parts, this.idleSlots, this.taken, this::onEnd);
		this.listening = parts.queue().listen(this::onWork);
	}

	private void onWork(@Nullable String queue) {
		if (queue == null) {
			this.parts.duties().onNotification();
		}
		if (queue == null || queues().contains(queue)) {
			this.idleSlots.onNotification();
		}
	}

	/**
	 * Lets the waiting threads request jobs.
	 */
	void wake() {
		this.idleSlots.onNotification();
	}

	@Override
	public String name() {
		return this.settings.name();
	}

	@Override
	public List<String> queues() {
		return this.settings.queueNames();
	}

	@Override
	public Optional<ConsumedJob> poll() {
		ConsumerPoller poller = borrow();
		UninterruptedCalls calls = new UninterruptedCalls();
		calls.prepare();
		try {
			for (int i = 0; i < REQUESTS && !isClosed(); i++) {
				Result result = this.requests.send(poller);
				if (result.job() != null || !result.again()) {
					return Optional.ofNullable(result.job());
				}
			}
			return Optional.empty();
		}
		finally {
			release(poller);
			calls.end();
		}
	}

	@Override
	public Optional<ConsumedJob> poll(Duration wait) throws InterruptedException {
		Assert.isTrue(!wait.isNegative(), "'wait' must not be negative");
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		long deadline = now() + TimeUnit.NANOSECONDS.convert(wait);
		ConsumerPoller poller = borrow();
		try {
			BackOffExecution pauses = this.backOff.start();
			while (!isClosed()) {
				poller = exchange(poller);
				try {
					Result result = this.requests.send(poller);
					pauses = this.backOff.start();
					if (result.job() != null) {
						return Optional.of(result.job());
					}
					boolean again = result.again() && now() - deadline < 0;
					if (!again && !isWorkPossible(this.idleSlots.await(poller, deadline))) {
						return Optional.empty();
					}
				}
				catch (QueueUnavailableException ex) {
					pause(ex, pauses, deadline);
				}
			}
			return Optional.empty();
		}
		finally {
			release(poller);
		}
	}

	private long now() {
		return this.parts.nanoTime().getAsLong();
	}

	/**
	 * Pauses before a request is repeated, unless the time has passed.
	 */
	private void pause(QueueUnavailableException failure, BackOffExecution pauses, long deadline)
			throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		long left = deadline - now();
		if (left <= 0) {
			throw failure;
		}
		logger.debug("A request for jobs got no reply and is repeated", failure);
		long pause = TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff());
		boolean ended = this.closing.await(Math.min(pause, left), TimeUnit.NANOSECONDS);
		logger.trace(ended ? "Closed meanwhile" : "Repeating");
	}

	private static boolean isWorkPossible(Wake wake) {
		return wake == Wake.NOTIFIED || wake == Wake.POLL_DUE;
	}

	private void onEnd(DefaultConsumedJob job) {
		if (this.taken.remove(job)) {
			this.owner.forget(this);
		}
	}

	/**
	 * Returns whether this consumer is closed, and all jobs that it took have been ended.
	 */
	boolean hasEnded() {
		return this.taken.hasEnded();
	}

	private ConsumerPoller borrow() {
		ConsumerPoller poller = this.pollers.borrow();
		if (poller == null) {
			throw new IllegalStateException("Consumer '" + name() + "' is closed");
		}
		return poller;
	}

	/**
	 * Takes over the open request of another thread, if there is any.
	 */
	private ConsumerPoller exchange(ConsumerPoller poller) {
		ConsumerPoller other = this.pollers.exchange(poller);
		if (other != poller) {
			this.idleSlots.leave(poller);
		}
		return other;
	}

	private void release(ConsumerPoller poller) {
		this.idleSlots.leave(poller);
		boolean open = poller.hasOpenRequest();
		if (!this.pollers.release(poller)) {
			leave(poller, now() + LAST_RESERVATION.toNanos());
		}
		else if (open) {
			this.idleSlots.onNotification();
		}
	}

	/**
	 * Repeats an open request, so that the jobs it has taken are returned.
	 * @param deadline the end of the repetitions, by the monotonic clock
	 */
	private void leave(ConsumerPoller poller, long deadline) {
		UninterruptedCalls calls = new UninterruptedCalls();
		while (poller.hasOpenRequest() && now() - deadline < 0) {
			calls.prepare();
			try {
				this.requests.send(poller);
			}
			catch (RuntimeException | Error ex) {
				logger.debug("A request for jobs got no reply; jobs it took return when their leases expire", ex);
				calls.pause();
			}
		}
		calls.end();
		this.pollers.leave(poller);
	}

	@Override
	public List<ConsumedJob> taken() {
		return List.copyOf(this.taken.all());
	}

	@Override
	public boolean isClosed() {
		return this.taken.isClosed();
	}

	/**
	 * Stops taking jobs. Does not wait for replies.
	 */
	void stopTaking() {
		this.taken.close();
		this.pollers.close();
		this.closing.countDown();
		this.idleSlots.close();
		try {
			this.listening.close();
		}
		catch (RuntimeException ex) {
			logger.debug("Could not end the subscription for new jobs", ex);
		}
	}

	/**
	 * Repeats the open requests of the unused pollers, after the last job was taken.
	 * @param deadline the end of the repetitions, by the monotonic clock
	 */
	void leavePollers(long deadline) {
		this.pollers.takeUnused().forEach((poller) -> leave(poller, deadline));
	}

	/**
	 * Waits until all taken jobs have been ended.
	 * @param deadline the end of the wait, by the monotonic clock
	 */
	void awaitEnds(long deadline) throws InterruptedException {
		this.taken.awaitEnds(deadline);
	}

	@Override
	public void close() {
		this.owner.close(List.of(this));
	}

	/**
	 * Takes the jobs away that have not been ended and whose bodies do not run.
	 * @return these jobs, to be returned to their queues
	 */
	List<DefaultConsumedJob> recall() {
		Map<Boolean, List<DefaultConsumedJob>> jobs = this.taken.all()
			.stream()
			.collect(Collectors.partitioningBy(DefaultConsumedJob::recall));
		List<DefaultConsumedJob> recalled = jobs.getOrDefault(true, List.of());
		List<DefaultConsumedJob> running = jobs.getOrDefault(false, List.of());
		if (!recalled.isEmpty()) {
			logger.info("Consumer " + name() + " was closed and returns " + recalled);
		}
		if (!running.isEmpty()) {
			logger.info("Consumer " + name() + " was closed while these jobs run; they keep their leases: " + running);
		}
		return recalled;
	}

	@Override
	public String toString() {
		return "Consumer " + name() + " of " + queues();
	}

}
