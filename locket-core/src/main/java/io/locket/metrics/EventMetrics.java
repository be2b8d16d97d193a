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
 * Base class for meters that record events in every bound registry. Events before the
 * first registry is bound are buffered, up to a bound, and recorded in it.
 */
abstract class EventMetrics implements JobEventListener, MeterBinder {

	static final int MAX_EARLY_EVENTS = 1024;

	private final Map<Class<? extends JobEvent>, BiConsumer<RegistryMeters, JobEvent>> recordings = new HashMap<>();

	private final TagValues values = new TagValues();

	private final List<RegistryMeters> registries = new CopyOnWriteArrayList<>();

	/**
	 * Events before the first registry is bound. The monitor orders the binding of a
	 * registry and {@link #withRegistries}, so that each registry is complete.
	 */
	private final Queue<JobEvent> early = new ArrayDeque<>();

	private volatile boolean withoutGauges;

	/**
	 * Defines the recording of events of a type. Called by constructors.
	 */
	final <E extends JobEvent> void on(Class<E> type, BiConsumer<RegistryMeters, E> recording) {
		this.recordings.put(type, (meters, event) -> recording.accept(meters, type.cast(event)));
	}

	/**
	 * Registers the initial meters in a registry that is being bound.
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
		if (this.withoutGauges) {
			meters.removeGauges();
		}
	}

	@Override
	public void onEvent(JobEvent event) {
		BiConsumer<RegistryMeters, JobEvent> recording = this.recordings.get(event.getClass());
		if (recording == null || (this.registries.isEmpty() && remember(event))) {
			return;
		}
		for (RegistryMeters meters : this.registries) {
			recording.accept(meters, event);
		}
	}

	/**
	 * Applies an action to all registries while no registry can be bound. The action
	 * covers the bound registries, and {@link #begin} covers later ones.
	 */
	final <T> T withRegistries(Function<List<RegistryMeters>, T> action) {
		synchronized (this.early) {
			return action.apply(this.registries);
		}
	}

	/**
	 * Removes the gauges of all registries permanently, also of those that are bound
	 * later. Counters and timers stay, because the next application context continues
	 * them.
	 */
	final void removeGauges() {
		this.withoutGauges = true;
		this.registries.forEach(RegistryMeters::removeGauges);
	}

	/**
	 * Returns the value of a tag within the bound of this class.
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
