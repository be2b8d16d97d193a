package io.locket.aop;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import io.locket.event.JobEventPublisher;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.NewJob;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.memory.InMemoryJobQueue;

/**
 * A queue that tells what was sent to it in which steps, and gives no answer from a given
 * step on.
 */
class FailingQueue extends InMemoryJobQueue {

	final List<List<NewJob>> steps = new ArrayList<>();

	int answers = Integer.MAX_VALUE;

	boolean sendsBeforeItFails;

	FailingQueue() {
		super(new LockSpace(Clock.systemUTC()), 3, new JobEventPublisher(List.of()));
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		this.steps.add(List.copyOf(jobs));
		if (this.answers-- > 0) {
			return super.enqueue(jobs);
		}
		if (this.sendsBeforeItFails) {
			super.enqueue(jobs);
		}
		throw new QueueUnavailableException("The store gave no answer", null);
	}

	List<String> sent() {
		return this.steps.stream().flatMap(List::stream).map(NewJob::arguments).toList();
	}

}
