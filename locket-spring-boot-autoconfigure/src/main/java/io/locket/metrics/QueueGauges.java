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
 * The gauges of the queues in one registry. There always is one of each kind, whose
 * reading leads to the first look at the queues, and to the next: those of the queue
 * {@value #DEFAULT} where no queue is known. Thread-safe.
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
	 * Register gauges of queues that are new, and remove those of queues that are gone. A
	 * gauge that the registry refuses is left out.
	 * @param names the names of the queues that are there
	 */
	synchronized void update(Set<String> names) {
		if (this.closed) {
			return;
		}
		Set<String> shown = names.isEmpty() ? Set.of(DEFAULT) : names;
		// First those that are new, so that there always is one.
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
	 * Remove all gauges, for good.
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
						+ "': it is missing there. Others that are refused are not told of", ex);
			}
		}
	}

	private Meter jobs(String queue, JobState state, ToDoubleFunction<QueueOverview> number) {
		return Gauge
			.builder(LocketMeters.QUEUE_JOBS.meterName(), this.queues, (metrics) -> metrics.value(queue, number))
			.description(LocketMeters.QUEUE_JOBS.description())
			.tags(LocketMeters.Tags.QUEUE, queue, LocketMeters.Tags.STATE, state.name().toLowerCase(Locale.ROOT))
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
