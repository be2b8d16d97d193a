package io.locket.job;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.queue.spi.NewJob;

/**
 * Queue that records the steps in which jobs were sent, and does not reply from a given
 * step on.
 */
public class FailingQueue extends InMemoryJobQueue {

	public final List<List<NewJob>> steps = new ArrayList<>();

	public int replies = Integer.MAX_VALUE;

	public boolean sendsBeforeItFails;

	public Runnable onEnqueue = () -> {
	};

	public FailingQueue() {
		super(new LockSpace(Clock.systemUTC()), 3, new JobEventPublisher(List.of()));
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		this.steps.add(List.copyOf(jobs));
		this.onEnqueue.run();
		if (this.replies-- > 0) {
			return super.enqueue(jobs);
		}
		if (this.sendsBeforeItFails) {
			super.enqueue(jobs);
		}
		throw new QueueUnavailableException("The store gave no reply", null);
	}

	public List<String> sent() {
		return this.steps.stream().flatMap(List::stream).map(NewJob::arguments).toList();
	}

}
