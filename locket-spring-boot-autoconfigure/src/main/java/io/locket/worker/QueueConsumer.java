package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.locket.queue.JobQueue;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.worker.ConsumerLane.Taking;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A {@link JobConsumer} on a {@link JobQueue}. Each thread that polls has a lane of its
 * own meanwhile; a lane whose request was not answered is the first to be used again.
 */
final class QueueConsumer implements JobConsumer {

	private static final Log logger = LogFactory.getLog(QueueConsumer.class);

	/**
	 * How often {@link #poll()} looks on while the store cuts its looks short.
	 */
	private static final int LOOKS = 100;

	/**
	 * How long a request that was not answered is repeated when this is closed: it may
	 * hold a job.
	 */
	private static final Duration LAST_RESERVATION = Duration.ofSeconds(5);

	private final GroupSettings settings;

	private final ConsumerParts parts;

	private final RequestPlanner planner;

	private final WaitingRoom room;

	private final JobQueue.Listening listening;

	private final Consumer<QueueConsumer> onClose;

	private final Set<ConsumedJob> taken = ConcurrentHashMap.newKeySet();

	private final ConsumerLanes lanes;

	private final CountDownLatch closing = new CountDownLatch(1);

	private final Object monitor = new Object();

	private boolean closed;

	QueueConsumer(GroupSettings settings, ConsumerParts parts, Consumer<QueueConsumer> onClose) {
		this.settings = settings;
		this.parts = parts;
		this.onClose = onClose;
		this.lanes = new ConsumerLanes(parts.lanes());
		this.planner = new RequestPlanner(settings, parts.settings().instance(), parts.settings().maxRunning(),
				parts.filters(), new IdleQueueFilter());
		this.room = new WaitingRoom(settings.pollInterval(), parts.nanoTime(),
				() -> ThreadLocalRandom.current().nextDouble());
		this.listening = parts.queue().listen(this::onWork);
	}

	private void onWork(@Nullable String queue) {
		if (queue == null || queues().contains(queue)) {
			this.room.onNews();
		}
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
	public Optional<TakenJob> poll() {
		ConsumerLane lane = borrow();
		// A store gives up at once on a thread that is flagged.
		boolean interrupted = Thread.interrupted();
		try {
			for (int i = 0; i < LOOKS && !isClosed(); i++) {
				Look look = look(lane);
				if (look.job() != null || !look.again()) {
					return Optional.ofNullable(look.job());
				}
			}
			return Optional.empty();
		}
		finally {
			giveBack(lane);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public Optional<TakenJob> poll(Duration wait) throws InterruptedException {
		Assert.isTrue(!wait.isNegative(), "'wait' must not be negative");
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		long deadline = now() + TimeUnit.NANOSECONDS.convert(wait);
		ConsumerLane lane = borrow();
		try {
			int failures = 0;
			while (!isClosed()) {
				lane = exchange(lane);
				try {
					Look look = look(lane);
					failures = 0;
					if (look.job() != null) {
						return Optional.of(look.job());
					}
					if (!(look.again() && now() - deadline < 0) && !this.room.await(lane, deadline)) {
						return Optional.empty();
					}
				}
				catch (QueueUnavailableException ex) {
					pause(ex, failures, deadline);
					failures++;
				}
			}
			return Optional.empty();
		}
		finally {
			giveBack(lane);
		}
	}

	private long now() {
		return this.parts.nanoTime().getAsLong();
	}

	/**
	 * Pause before a request is repeated, unless the time is over.
	 */
	private void pause(QueueUnavailableException failure, int failures, long deadline) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		long left = deadline - now();
		if (left <= 0) {
			throw failure;
		}
		logger.debug("A request for jobs got no answer and is repeated", failure);
		boolean ended = this.closing.await(Math.min(ConsumerEnds.delay(failures).toNanos(), left),
				TimeUnit.NANOSECONDS);
		logger.trace(ended ? "Closed meanwhile" : "Repeating");
	}

	private Look look(ConsumerLane lane) {
		Taking taking = lane.take(this.parts.queue(), this.planner, this.parts.nanoTime());
		this.room.onLooked(true, taking.reservation().next(), taking.sentAt());
		if (taking.reservation().jobs().isEmpty()) {
			return new Look(null, taking.reservation().cutShort());
		}
		this.room.onWork(lane, taking.more());
		ConsumedJob first = null;
		for (ReservedJob job : taking.reservation().jobs()) {
			ConsumedJob accepted = accept(this.parts.runs().begin(job, taking.sentAt()));
			first = (first != null) ? first : accepted;
		}
		return new Look(first, true);
	}

	/**
	 * Accept a job, or end it at once if nobody is to run it here.
	 */
	private @Nullable ConsumedJob accept(HeldRun run) {
		RunEnd end;
		try {
			end = this.parts.ends().instead(run);
			if (end == null) {
				ConsumedJob job = new ConsumedJob(run, this.parts, this::onEnd);
				if (isKept(job)) {
					return job;
				}
				end = RunEnd.returned(run.job());
			}
		}
		catch (RuntimeException | Error ex) {
			end = this.parts.ends().unforeseen(run.job(), ex);
		}
		this.parts.ends().endQuietly(run, end);
		return null;
	}

	private boolean isKept(ConsumedJob job) {
		synchronized (this.monitor) {
			return !this.closed && this.taken.add(job);
		}
	}

	private void onEnd(ConsumedJob job) {
		synchronized (this.monitor) {
			this.taken.remove(job);
			this.monitor.notifyAll();
		}
	}

	private ConsumerLane borrow() {
		ConsumerLane lane = this.lanes.borrow();
		if (lane == null) {
			throw new IllegalStateException("Consumer '" + name() + "' is closed");
		}
		return lane;
	}

	/**
	 * Take over what another thread has asked for and got no answer to.
	 */
	private ConsumerLane exchange(ConsumerLane lane) {
		ConsumerLane other = this.lanes.exchange(lane);
		if (other != lane) {
			this.room.leave(lane);
		}
		return other;
	}

	private void giveBack(ConsumerLane lane) {
		this.room.leave(lane);
		boolean unanswered = lane.isUnanswered();
		if (!this.lanes.giveBack(lane)) {
			leave(lane, now() + LAST_RESERVATION.toNanos());
		}
		else if (unanswered) {
			this.room.onNews();
		}
	}

	/**
	 * Repeat a request that was not answered, so that what it has taken goes back.
	 * @param deadline until when, by the monotonic clock
	 */
	private void leave(ConsumerLane lane, long deadline) {
		boolean interrupted = false;
		for (int failures = 0; lane.isUnanswered() && now() - deadline < 0; failures++) {
			interrupted = Thread.interrupted() || interrupted;
			try {
				look(lane);
			}
			catch (RuntimeException ex) {
				logger.debug("A request for jobs got no answer; what it took comes back when its leases expire", ex);
				interrupted = ConsumerEnds.pause(failures) || interrupted;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		this.lanes.leave(lane);
	}

	@Override
	public List<TakenJob> taken() {
		return List.copyOf(this.taken);
	}

	@Override
	public boolean isClosed() {
		synchronized (this.monitor) {
			return this.closed;
		}
	}

	/**
	 * Take no more jobs.
	 */
	void stopTaking() {
		synchronized (this.monitor) {
			this.closed = true;
		}
		List<ConsumerLane> left = this.lanes.close();
		this.closing.countDown();
		this.room.close();
		this.listening.close();
		long deadline = now() + LAST_RESERVATION.toNanos();
		left.forEach((lane) -> leave(lane, deadline));
	}

	/**
	 * Wait until every job that was taken has been ended.
	 * @param deadline until when at the latest, by the monotonic clock
	 */
	void awaitEnds(long deadline) throws InterruptedException {
		synchronized (this.monitor) {
			long left = deadline - now();
			while (!this.taken.isEmpty() && left > 0) {
				TimeUnit.NANOSECONDS.timedWait(this.monitor, left);
				left = deadline - now();
			}
		}
	}

	@Override
	public void close() {
		stopTaking();
		this.onClose.accept(this);
		List<ConsumedJob> recalled = List.copyOf(this.taken).stream().filter(ConsumedJob::recall).toList();
		if (!recalled.isEmpty()) {
			logger.info("Consumer " + name() + " was closed and gives back " + recalled);
			this.parts.ends().giveBack(recalled.stream().map(ConsumedJob::run).toList());
			recalled.forEach(this::onEnd);
		}
		if (!this.taken.isEmpty()) {
			logger
				.info("Consumer " + name() + " was closed while these jobs run; they keep their leases: " + this.taken);
		}
	}

	@Override
	public String toString() {
		return "Consumer " + name() + " of " + queues();
	}

	/**
	 * What a look has brought.
	 *
	 * @param job a job, or {@code null} if there is none
	 * @param again whether to look again at once
	 */
	private record Look(@Nullable TakenJob job, boolean again) {

	}

}
