package io.locket.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;

/**
 * {@link LocketMeters} in one registry. Values of tags are given in the order of
 * {@link LocketMeters#tags()}.
 */
final class RegistryMeters {

	private final MeterRegistry registry;

	private final TagValues values;

	private final Set<Map.Entry<LocketMeters, List<Tag>>> seen = ConcurrentHashMap.newKeySet();

	RegistryMeters(MeterRegistry registry, TagValues values) {
		this.registry = registry;
		this.values = values;
	}

	Counter counter(LocketMeters meter, String... values) {
		return Counter.builder(meter.meterName())
			.description(meter.description())
			.tags(tags(meter, values))
			.register(this.registry);
	}

	Timer timer(LocketMeters meter, String... values) {
		return Timer.builder(meter.meterName())
			.description(meter.description())
			.tags(tags(meter, values))
			.register(this.registry);
	}

	/**
	 * Register a gauge. The registry does not keep what it looks at.
	 */
	<T> void gauge(LocketMeters meter, T state, ToDoubleFunction<T> value, String... values) {
		Gauge.builder(meter.meterName(), state, value)
			.description(meter.description())
			.tags(tags(meter, values))
			.register(this.registry);
	}

	/**
	 * Return whether this is the first time that this is asked for a meter with these
	 * values: what belongs to it and may never happen, or late, begins at zero then, so
	 * that the first time can be told from the appearance of a meter.
	 */
	boolean isNew(LocketMeters meter, String... values) {
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

}
