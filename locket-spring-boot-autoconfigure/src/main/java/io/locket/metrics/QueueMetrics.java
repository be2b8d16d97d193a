package io.locket.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Gauges of all queues of the namespace, as {@link LocketMeters} says. One overview of
 * the store answers for all of them, in every registry, until it is too old; so does the
 * failure to get one, and they are {@code NaN} then. Queues that are new get gauges, and
 * those of queues that are gone are removed, whenever there is a new overview. The store
 * is asked when a gauge is read, by the thread that reads it, and not when a registry is
 * bound. Thread-safe.
 */
public final class QueueMetrics implements MeterBinder {

	private final Supplier<StoreOverview> overviews;

	private final SharedAnswer<Map<String, QueueOverview>> queues;

	private final List<QueueGauges> registries = new CopyOnWriteArrayList<>();

	/**
	 * Create gauges.
	 * @param overviews gives an overview, or throws if the store gives no answer
	 * @param maxAge how long an overview serves
	 * @param ticker the monotonic time, in nanoseconds
	 */
	public QueueMetrics(Supplier<StoreOverview> overviews, Duration maxAge, LongSupplier ticker) {
		this.overviews = overviews;
		this.queues = new SharedAnswer<>(this::look, maxAge, ticker);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		LocketMeters meter = LocketMeters.QUEUE_KNOWN;
		Gauge.builder(meter.meterName(), this, QueueMetrics::known).description(meter.description()).register(registry);
		this.registries.add(new QueueGauges(registry, this));
	}

	/**
	 * Return what is to be said of a queue.
	 * @param queue the name of the queue
	 * @param value what is said of one that is there
	 * @return the value, or {@code NaN} if the queue, or its state, is not known
	 */
	double value(String queue, ToDoubleFunction<QueueOverview> value) {
		Map<String, QueueOverview> known = this.queues.get();
		QueueOverview overview = (known != null) ? known.get(queue) : null;
		return (overview != null) ? value.applyAsDouble(overview) : Double.NaN;
	}

	private double known() {
		Map<String, QueueOverview> known = this.queues.get();
		return (known != null) ? known.size() : Double.NaN;
	}

	private Map<String, QueueOverview> look() {
		Map<String, QueueOverview> byName = this.overviews.get()
			.queues()
			.stream()
			.collect(Collectors.toUnmodifiableMap((queue) -> queue.counts().queue(), (queue) -> queue));
		this.registries.forEach((gauges) -> gauges.update(byName.keySet()));
		return byName;
	}

}
