package io.locket.worker.reservation;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.locket.event.ReservationCompleted;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.WorkListener;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Decorator of a queue that publishes each reservation, with or without a reply, as a
 * {@link ReservationCompleted} event. Thread-safe if the queue is.
 */
public final class ReservationReporter implements JobQueue {

	private final JobQueue queue;

	private final JobEventPublisher events;

	private final LongSupplier nanoTime;

	/**
	 * Creates a reporter.
	 * @param queue the queue
	 * @param events the publisher of the events
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public ReservationReporter(JobQueue queue, JobEventPublisher events, LongSupplier nanoTime) {
		Assert.notNull(queue, "'queue' must not be null");
		Assert.notNull(events, "'events' must not be null");
		Assert.notNull(nanoTime, "'nanoTime' must not be null");
		this.queue = queue;
		this.events = events;
		this.nanoTime = nanoTime;
	}

	@Override
	public Reservation reserve(ReservationRequest request) {
		return report(() -> this.queue.reserve(request), ReservationReporter::jobs);
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		Supplier<Settlement> call = () -> this.queue.settle(ends, next);
		return (next != null) ? report(call, (settlement) -> jobs(settlement.next())) : call.get();
	}

	private static int jobs(@Nullable Reservation reservation) {
		return (reservation != null) ? reservation.jobs().size() : 0;
	}

	private <T> T report(Supplier<T> call, ToIntFunction<T> jobs) {
		long begun = this.nanoTime.getAsLong();
		T result;
		try {
			result = call.get();
		}
		catch (RuntimeException | Error ex) {
			publish(0, begun, ex.toString());
			throw ex;
		}
		publish(jobs.applyAsInt(result), begun, null);
		return result;
	}

	private void publish(int jobs, long begun, @Nullable String error) {
		Duration duration = Duration.ofNanos(this.nanoTime.getAsLong() - begun);
		this.events.publish(new ReservationCompleted(jobs, duration, error));
	}

	@Override
	public EnqueueResult enqueue(NewJob job) {
		return this.queue.enqueue(job);
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		return this.queue.enqueue(jobs);
	}

	@Override
	public List<RunRenewal> renew(List<RunToken> runs) {
		return this.queue.renew(runs);
	}

	@Override
	public void progress(List<RunProgress> runs) {
		this.queue.progress(runs);
	}

	@Override
	public Duration countMinute() {
		return this.queue.countMinute();
	}

	@Override
	public boolean refreshQuiet(String instance, boolean quiet) {
		return this.queue.refreshQuiet(instance, quiet);
	}

	@Override
	public Listening listen(WorkListener listener) {
		return this.queue.listen(listener);
	}

}
