package io.locket.queue.memory;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.locket.event.JobEvent;
import io.locket.event.QueueEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.spi.JobQueue.Listening;
import io.locket.queue.spi.JobStore.PollRequest;
import io.locket.queue.spi.WorkListener;
import org.jspecify.annotations.Nullable;

/**
 * Serializer of the steps of an {@link InMemoryJobQueue}. After each step, its thread
 * publishes the events and notifies the listeners of new work.
 */
final class MemorySteps {

	private final MemoryStore store;

	private final JobEventPublisher publisher;

	private final List<WorkListener> listeners = new CopyOnWriteArrayList<>();

	MemorySteps(MemoryStore store, JobEventPublisher publisher) {
		this.store = store;
		this.publisher = publisher;
		store.space.onFree(() -> wake(null));
	}

	/**
	 * Executes a step. A nested step is part of the outer one.
	 */
	<T extends @Nullable Object> T take(Supplier<T> step) {
		return this.store.space.atomically(() -> {
			this.store.now = this.store.space.now();
			try {
				return step.get();
			}
			finally {
				publish();
			}
		});
	}

	/**
	 * Executes a step without a result.
	 */
	void run(Runnable step) {
		take(() -> {
			step.run();
			return null;
		});
	}

	private void publish() {
		List<QueueEvent> events = List.copyOf(this.store.events);
		List<String> notified = this.store.notified.stream().filter((queue) -> !this.store.isPaused(queue)).toList();
		this.store.events.clear();
		this.store.notified.clear();
		if (!events.isEmpty()) {
			this.store.space.afterwards(() -> events.forEach(this.publisher::publish));
		}
		if (!notified.isEmpty()) {
			this.store.space.afterwards(() -> notified.forEach(this::wake));
		}
	}

	/**
	 * Notifies the listeners for any queue after the step, and publishes an event if
	 * something has changed.
	 * @return whether it has
	 */
	boolean announce(boolean changed, JobEvent event) {
		if (changed) {
			this.store.space.afterwards(() -> this.publisher.publish(event));
		}
		this.store.space.afterwards(() -> wake(null));
		return changed;
	}

	/**
	 * Notifies the listeners for any queue after the step if there is a request.
	 * @return the request
	 */
	Optional<PollRequest> wakeFor(Optional<PollRequest> request) {
		request.ifPresent((polls) -> this.store.space.afterwards(() -> wake(null)));
		return request;
	}

	private void wake(@Nullable String queue) {
		this.listeners.forEach((listener) -> listener.onWork(queue));
	}

	Listening listen(WorkListener listener) {
		this.listeners.add(listener);
		return () -> this.listeners.remove(listener);
	}

}
