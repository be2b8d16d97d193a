package io.locket.metrics;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Records events of some types in every registry that is bound. What happens before the
 * first one is bound is remembered, up to a bound, and recorded there.
 */
abstract class EventMetrics implements JobEventListener, MeterBinder {

	static final int MAX_EARLY_EVENTS = 1024;

	private final Map<Class<? extends JobEvent>, BiConsumer<RegistryMeters, JobEvent>> recordings = new HashMap<>();

	private final TagValues values = new TagValues();

	private final List<RegistryMeters> registries = new CopyOnWriteArrayList<>();

	/**
	 * What happened while no registry was bound. Its monitor orders the binding of a
	 * registry and {@link #withRegistries}, so that each registry gets everything.
	 */
	private final Queue<JobEvent> early = new ArrayDeque<>();

	/**
	 * Say how events of a type are recorded. For constructors.
	 */
	final <E extends JobEvent> void on(Class<E> type, BiConsumer<RegistryMeters, E> recording) {
		this.recordings.put(type, (meters, event) -> recording.accept(meters, type.cast(event)));
	}

	/**
	 * Register what is there from the beginning in a registry that is being bound.
	 */
	void begin(RegistryMeters meters) {
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		RegistryMeters meters = new RegistryMeters(registry, this.values);
		synchronized (this.early) {
			begin(meters);
			this.early.forEach((event) -> record(meters, event));
			this.early.clear();
			this.registries.add(meters);
		}
	}

	@Override
	public void onEvent(JobEvent event) {
		if (!this.recordings.containsKey(event.getClass()) || (this.registries.isEmpty() && remember(event))) {
			return;
		}
		this.registries.forEach((meters) -> record(meters, event));
	}

	/**
	 * Do something with all registries, while none is bound: what is done here to those
	 * that are, {@link #begin} does to those that follow.
	 */
	final <T> T withRegistries(Function<List<RegistryMeters>, T> action) {
		synchronized (this.early) {
			return action.apply(this.registries);
		}
	}

	/**
	 * Return the value of a tag, bounded as it is in all meters of this class.
	 */
	final String bounded(String tag, String value) {
		return this.values.bounded(tag, value);
	}

	private boolean remember(JobEvent event) {
		synchronized (this.early) {
			if (!this.registries.isEmpty()) {
				return false;
			}
			if (this.early.size() < MAX_EARLY_EVENTS) {
				this.early.add(event);
			}
			return true;
		}
	}

	private void record(RegistryMeters meters, JobEvent event) {
		BiConsumer<RegistryMeters, JobEvent> recording = this.recordings.get(event.getClass());
		if (recording != null) {
			recording.accept(meters, event);
		}
	}

}
