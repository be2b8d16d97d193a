package io.locket.queue.memory;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.locket.event.JobEventPublisher;
import io.locket.event.QueueEvent;
import io.locket.queue.JobQueue.Listening;
import io.locket.queue.WorkListener;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an {@link InMemoryJobQueue}: one at a time, and after each its events and
 * its news are told on the thread that took it.
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
	 * Take a step. A step within a step is a part of it.
	 */
	<T extends @Nullable Object> T take(Supplier<T> step) {
		return this.store.space.atomically(() -> {
			this.store.now = this.store.space.now();
			try {
				return step.get();
			}
			finally {
				tell();
			}
		});
	}

	private void tell() {
		List<QueueEvent> events = List.copyOf(this.store.events);
		Set<String> news = Set.copyOf(this.store.news);
		this.store.events.clear();
		this.store.news.clear();
		if (!events.isEmpty()) {
			this.store.space.afterwards(() -> events.forEach(this.publisher::publish));
		}
		if (!news.isEmpty()) {
			this.store.space.afterwards(() -> news.forEach(this::wake));
		}
	}

	private void wake(@Nullable String queue) {
		this.listeners.forEach((listener) -> listener.onWork(queue));
	}

	Listening listen(WorkListener listener) {
		this.listeners.add(listener);
		return () -> this.listeners.remove(listener);
	}

}
