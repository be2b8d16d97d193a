package io.locket.metrics;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * {@link LocketMeters} in one registry. Tag values are passed in the order of
 * {@link LocketMeters#tags()}.
 */
final class RegistryMeters {

	private final MeterRegistry registry;

	private final TagValues values;

	private final Set<Map.Entry<LocketMeters, List<Tag>>> seen = ConcurrentHashMap.newKeySet();

	/**
	 * Meters by their tag values, so that an event finds its meter without building it.
	 * Only values within the bound are cached.
	 */
	private final Map<LocketMeters, Map<Values, Meter>> known = new EnumMap<>(LocketMeters.class);

	/**
	 * The registered gauges, which are removed with their state. Guarded by itself.
	 */
	private final List<Gauge> gauges = new ArrayList<>();

	private boolean closed;

	RegistryMeters(MeterRegistry registry, TagValues values) {
		this.registry = registry;
		this.values = values;
		for (LocketMeters meter : LocketMeters.values()) {
			this.known.put(meter, new ConcurrentHashMap<>());
		}
		// The registry may outlive this object, and its listeners cannot be removed.
		WeakReference<RegistryMeters> listening = new WeakReference<>(this);
		registry.config().onMeterRemoved((removed) -> forget(listening.get(), removed));
	}

	private static void forget(@Nullable RegistryMeters meters, Meter removed) {
		if (meters != null) {
			meters.known.values().forEach((known) -> known.values().remove(removed));
		}
	}

	Counter counter(LocketMeters meter, String... values) {
		Counter known = knownCounter(meter, values);
		if (known != null) {
			return known;
		}
		List<Tag> tags = tags(meter, values);
		Counter counter = Counter.builder(meter.meterName())
			.description(meter.description())
			.tags(tags)
			.register(this.registry);
		keep(meter, values, tags, counter);
		return counter;
	}

	/**
	 * Returns a counter that was used before, or {@code null}.
	 */
	@Nullable Counter knownCounter(LocketMeters meter, String... values) {
		return (Counter) known(meter).get(new Values(values));
	}

	/**
	 * Returns a timer that was used before, or {@code null}.
	 */
	@Nullable Timer knownTimer(LocketMeters meter, String... values) {
		return (Timer) known(meter).get(new Values(values));
	}

	Timer timer(LocketMeters meter, String... values) {
		Timer known = knownTimer(meter, values);
		if (known != null) {
			return known;
		}
		List<Tag> tags = tags(meter, values);
		Timer timer = Timer.builder(meter.meterName())
			.description(meter.description())
			.tags(tags)
			.register(this.registry);
		keep(meter, values, tags, timer);
		return timer;
	}

	private Map<Values, Meter> known(LocketMeters meter) {
		return Objects.requireNonNull(this.known.get(meter));
	}

	private void keep(LocketMeters type, String[] values, List<Tag> tags, Meter meter) {
		if (tags.stream().map(Tag::getValue).toList().equals(List.of(values))) {
			known(type).put(new Values(values), meter);
		}
	}

	/**
	 * Registers a gauge, unless the gauges have been removed or there is an equal one.
	 * The registry holds only a weak reference to its state.
	 */
	<T> void gauge(LocketMeters meter, T state, ToDoubleFunction<T> value, String... values) {
		synchronized (this.gauges) {
			List<Tag> tags = tags(meter, values);
			// The registry would return an equal gauge, which may be of another context.
			if (!this.closed && this.registry.find(meter.meterName()).tags(tags).gauge() == null) {
				this.gauges.add(Gauge.builder(meter.meterName(), state, value)
					.description(meter.description())
					.tags(tags)
					.register(this.registry));
			}
		}
	}

	/**
	 * Removes all gauges permanently. Otherwise the registry, which may outlive their
	 * state, would keep them and ignore equal gauges of another application context.
	 */
	void removeGauges() {
		synchronized (this.gauges) {
			this.closed = true;
			this.gauges.forEach(this.registry::remove);
			this.gauges.clear();
		}
	}

	/**
	 * Marks a meter as requested with these values. At the first time, counters of rare
	 * events that belong to it are registered, so that they start at zero and their first
	 * increase is visible.
	 * @return whether it is requested with these values for the first time
	 */
	boolean markRequested(LocketMeters meter, String... values) {
		return this.seen.add(Map.entry(meter, tags(meter, values)));
	}

	private List<Tag> tags(LocketMeters meter, String[] values) {
		List<String> keys = meter.tags();
		if (keys.size() != values.length) {
			throw new IllegalArgumentException(meter + " has the tags " + keys + ", not " + values.length);
		}
		List<Tag> tags = new ArrayList<>(values.length);
		for (int i = 0; i < values.length; i++) {
			String key = keys.get(i);
			tags.add(Tag.of(key, this.values.bounded(key, values[i])));
		}
		return tags;
	}

	/**
	 * Tag values as a key. A list would be compared by its iterators, in each event.
	 */
	private record Values(String... values) {

		@Override
		public boolean equals(Object other) {
			return other instanceof Values that && Arrays.equals(this.values, that.values);
		}

		@Override
		public int hashCode() {
			return Arrays.hashCode(this.values);
		}

	}

}
