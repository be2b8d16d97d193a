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
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Gauges of all queues of the namespace, as described in {@link LocketMeters}.
 * <p>
 * One overview of the store serves all gauges in all registries until it is too old. If
 * the overview cannot be read, the gauges are {@code NaN} for the same time. Each new
 * overview adds gauges for new queues and removes those of queues that no longer exist.
 * <p>
 * The store is queried when a gauge is read, by the reading thread, and not when a
 * registry is bound. A namespace without queues is shown as an empty queue
 * {@code default}. Thread-safe.
 */
public final class QueueMetrics implements MeterBinder, AutoCloseable {

	private final Supplier<StoreOverview> overviews;

	private final CachedResult<Map<String, QueueOverview>> queues;

	private final List<QueueGauges> registries = new CopyOnWriteArrayList<>();

	private final List<RegistryMeters> totals = new CopyOnWriteArrayList<>();

	private volatile boolean closed;

	/**
	 * Creates the gauges.
	 * @param overviews supplies an overview, or throws if the store does not respond
	 * @param maxAge the maximum age of an overview
	 * @param ticker the monotonic time, in nanoseconds
	 */
	public QueueMetrics(Supplier<StoreOverview> overviews, Duration maxAge, LongSupplier ticker) {
		this.overviews = overviews;
		this.queues = new CachedResult<>(this::load, maxAge, ticker);
	}

	/**
	 * Registers the gauges, unless this object is closed.
	 */
	@Override
	public void bindTo(MeterRegistry registry) {
		// The gauges of the next context in this registry would be equal to these.
		if (this.closed) {
			return;
		}
		RegistryMeters total = new RegistryMeters(registry, new TagValues());
		total.gauge(LocketMeters.QUEUE_KNOWN, this, QueueMetrics::known);
		this.totals.add(total);
		QueueGauges gauges = new QueueGauges(registry, this);
		this.registries.add(gauges);
		gauges.update(Set.of());
		if (this.closed) {
			close();
		}
	}

	/**
	 * Removes the gauges from all registries, because these may outlive this object.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.totals.forEach(RegistryMeters::removeGauges);
		this.registries.forEach(QueueGauges::close);
	}

	/**
	 * Returns a value of a queue.
	 * @param queue the name of the queue
	 * @param value extracts the value of an existing queue
	 * @return the value, {@code 0} if there are no queues, or {@code NaN} if the queue or
	 * its state is unknown
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

	private Map<String, QueueOverview> load() {
		Map<String, QueueOverview> byName = this.overviews.get()
			.queues()
			.stream()
			.collect(Collectors.toUnmodifiableMap((queue) -> queue.counts().queue(), (queue) -> queue));
		this.registries.forEach((gauges) -> gauges.update(byName.keySet()));
		return byName;
	}

}
