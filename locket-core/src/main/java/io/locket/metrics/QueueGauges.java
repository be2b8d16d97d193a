package io.locket.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.locket.JobState;
import io.locket.queue.QueueOverview;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The gauges of all queues in one registry. There is always at least one queue, whose
 * gauges trigger the next query: {@value #DEFAULT} if no queue is known. Thread-safe.
 */
final class QueueGauges {

	static final String DEFAULT = "default";

	private static final Log logger = LogFactory.getLog(QueueGauges.class);

	private final MeterRegistry registry;

	private final QueueMetrics queues;

	private final Map<String, List<Meter>> meters = new HashMap<>();

	private boolean warned;

	private boolean closed;

	QueueGauges(MeterRegistry registry, QueueMetrics queues) {
		this.registry = registry;
		this.queues = queues;
	}

	/**
	 * Registers gauges of new queues, and removes those of queues that no longer exist.
	 * Gauges that the registry refuses are skipped.
	 * @param names the names of the existing queues
	 */
	synchronized void update(Set<String> names) {
		if (this.closed) {
			return;
		}
		Set<String> shown = names.isEmpty() ? Set.of(DEFAULT) : names;
		// New queues come first, so that there is always at least one.
		shown.forEach((name) -> this.meters.computeIfAbsent(name, this::register));
		this.meters.entrySet().removeIf((entry) -> {
			if (shown.contains(entry.getKey())) {
				return false;
			}
			entry.getValue().forEach(this.registry::remove);
			return true;
		});
	}

	/**
	 * Removes all gauges permanently.
	 */
	synchronized void close() {
		this.closed = true;
		this.meters.values().forEach((gauges) -> gauges.forEach(this.registry::remove));
		this.meters.clear();
	}

	private List<Meter> register(String queue) {
		List<Meter> registered = new ArrayList<>();
		for (JobState state : JobState.values()) {
			if (!state.isEnded()) {
				add(registered, queue, () -> jobs(queue, state, (overview) -> overview.counts().in(state)));
			}
		}
		add(registered, queue, () -> jobs(queue, JobState.DEAD, (overview) -> overview.counts().deadLetters()));
		add(registered, queue, () -> jobs(queue, "unreadable", (overview) -> overview.counts().unreadable()));
		add(registered, queue, () -> paused(queue));
		add(registered, queue, () -> oldest(queue));
		return registered;
	}

	private void add(List<Meter> registered, String queue, Supplier<Meter> registration) {
		try {
			registered.add(registration.get());
		}
		catch (RuntimeException ex) {
			if (!this.warned) {
				this.warned = true;
				logger.warn("A MeterRegistry refused a gauge of the queue '" + queue
						+ "'. The gauge is missing in this registry. Further refusals are not logged", ex);
			}
		}
	}

	private Meter jobs(String queue, JobState state, ToDoubleFunction<QueueOverview> number) {
		return jobs(queue, state.name().toLowerCase(Locale.ROOT), number);
	}

	private Meter jobs(String queue, String state, ToDoubleFunction<QueueOverview> number) {
		return Gauge
			.builder(LocketMeters.QUEUE_JOBS.meterName(), this.queues, (metrics) -> metrics.value(queue, number))
			.description(LocketMeters.QUEUE_JOBS.description())
			.tags(LocketMeters.Tags.QUEUE, queue, LocketMeters.Tags.STATE, state)
			.register(this.registry);
	}

	private Meter paused(String queue) {
		return Gauge
			.builder(LocketMeters.QUEUE_PAUSED.meterName(), this.queues,
					(metrics) -> metrics.value(queue, (overview) -> overview.counts().paused() ? 1 : 0))
			.description(LocketMeters.QUEUE_PAUSED.description())
			.tags(LocketMeters.Tags.QUEUE, queue)
			.register(this.registry);
	}

	private Meter oldest(String queue) {
		return TimeGauge
			.builder(LocketMeters.QUEUE_OLDEST.meterName(), this.queues, TimeUnit.SECONDS,
					(metrics) -> metrics.value(queue, QueueGauges::oldest))
			.description(LocketMeters.QUEUE_OLDEST.description())
			.tags(LocketMeters.Tags.QUEUE, queue)
			.register(this.registry);
	}

	private static double oldest(QueueOverview queue) {
		Duration waited = queue.oldestWaiting();
		return (waited != null) ? waited.toMillis() / 1000.0 : 0;
	}

}
