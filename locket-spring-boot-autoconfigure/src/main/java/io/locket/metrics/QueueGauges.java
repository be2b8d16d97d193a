package io.locket.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.locket.JobState;
import io.locket.queue.QueueOverview;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;

/**
 * The gauges of the queues in one registry. Used by one thread at a time.
 */
final class QueueGauges {

	private final MeterRegistry registry;

	private final QueueMetrics queues;

	private final Map<String, List<Meter>> meters = new HashMap<>();

	QueueGauges(MeterRegistry registry, QueueMetrics queues) {
		this.registry = registry;
		this.queues = queues;
	}

	/**
	 * Register gauges of queues that are new, and remove those of queues that are gone.
	 * @param names the names of the queues that are there
	 */
	void update(Set<String> names) {
		this.meters.entrySet().removeIf((gone) -> {
			if (names.contains(gone.getKey())) {
				return false;
			}
			gone.getValue().forEach(this.registry::remove);
			return true;
		});
		names.forEach((name) -> this.meters.computeIfAbsent(name, this::register));
	}

	private List<Meter> register(String queue) {
		List<Meter> registered = new ArrayList<>();
		for (JobState state : JobState.values()) {
			if (!state.isEnded()) {
				registered.add(jobs(queue, state, (overview) -> overview.counts().in(state)));
			}
		}
		registered.add(jobs(queue, JobState.DEAD, (overview) -> overview.counts().deadLetters()));
		registered.add(paused(queue));
		registered.add(oldest(queue));
		return registered;
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
