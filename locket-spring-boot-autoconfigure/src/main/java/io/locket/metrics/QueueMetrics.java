package io.locket.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * bound. A namespace without queues is told of as one whose queue {@code default} is
 * empty. Thread-safe.
 */
public final class QueueMetrics implements MeterBinder, AutoCloseable {

	private final Supplier<StoreOverview> overviews;

	private final SharedAnswer<Map<String, QueueOverview>> queues;

	private final List<QueueGauges> registries = new CopyOnWriteArrayList<>();

	private final List<Runnable> removals = new CopyOnWriteArrayList<>();

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
		Gauge known = Gauge.builder(meter.meterName(), this, QueueMetrics::known)
			.description(meter.description())
			.register(registry);
		this.removals.add(() -> registry.remove(known));
		QueueGauges gauges = new QueueGauges(registry, this);
		this.registries.add(gauges);
		gauges.update(Set.of());
	}

	/**
	 * Remove the gauges from all registries, which may be used by others for longer.
	 */
	@Override
	public void close() {
		this.removals.forEach(Runnable::run);
		this.registries.forEach(QueueGauges::close);
	}

	/**
	 * Return what is to be said of a queue.
	 * @param queue the name of the queue
	 * @param value what is said of one that is there
	 * @return the value, {@code 0} if there are no queues, or {@code NaN} if the queue,
	 * or its state, is not known
	 */
	double value(String queue, ToDoubleFunction<QueueOverview> value) {
		Map<String, QueueOverview> known = this.queues.get();
		if (known != null && known.isEmpty()) {
			return 0;
		}
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
