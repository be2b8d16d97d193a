package io.locket.metrics;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseEvent;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.event.LeaseUnavailable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Counts and times what happens to leases, as {@link LocketMeters} says. What happens
 * before the first registry is bound is remembered, up to a bound, and recorded there;
 * the number of held leases is right in any case. Thread-safe.
 */
public final class LeaseMetrics implements JobEventListener, MeterBinder {

	static final int MAX_EARLY_EVENTS = 1024;

	private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	private final Map<String, AtomicInteger> held = new ConcurrentHashMap<>();

	/**
	 * What happened while no registry was bound. Its monitor orders the binding of a
	 * registry and the first lease of a job, so that each registry gets each gauge.
	 */
	private final Queue<JobEvent> early = new ArrayDeque<>();

	@Override
	public void bindTo(MeterRegistry registry) {
		synchronized (this.early) {
			heartbeatFailures(registry);
			this.held.forEach((job, count) -> registerHeld(registry, job, count));
			this.early.forEach((event) -> record(registry, event));
			this.early.clear();
			this.registries.add(registry);
		}
	}

	@Override
	public void onEvent(JobEvent event) {
		countHeld(event);
		if (this.registries.isEmpty() && remember(event)) {
			return;
		}
		this.registries.forEach((registry) -> record(registry, event));
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

	private void countHeld(JobEvent event) {
		if (event instanceof LeaseAcquired acquired && !acquired.claim()) {
			held(acquired.key().job()).incrementAndGet();
		}
		else if (event instanceof LeaseReleased || event instanceof LeaseLost) {
			held(((LeaseEvent) event).key().job()).decrementAndGet();
		}
	}

	private AtomicInteger held(String job) {
		AtomicInteger count = this.held.get(job);
		if (count != null) {
			return count;
		}
		synchronized (this.early) {
			return this.held.computeIfAbsent(job, this::registerHeld);
		}
	}

	private AtomicInteger registerHeld(String job) {
		AtomicInteger count = new AtomicInteger();
		this.registries.forEach((registry) -> registerHeld(registry, job, count));
		return count;
	}

	private void registerHeld(MeterRegistry registry, String job, AtomicInteger count) {
		LocketMeters meter = LocketMeters.LEASE_HELD;
		Gauge.builder(meter.meterName(), count, AtomicInteger::get)
			.description(meter.description())
			.tag(LocketMeters.Tags.JOB, job)
			.register(registry);
	}

	private void record(MeterRegistry registry, JobEvent event) {
		if (event instanceof LeaseAcquired acquired) {
			acquisition(registry, acquired, "acquired");
		}
		else if (event instanceof LeaseConflicted conflicted) {
			acquisition(registry, conflicted, "conflicted");
		}
		else if (event instanceof LeaseUnavailable unavailable) {
			acquisition(registry, unavailable, "unavailable");
		}
		else if (event instanceof LeaseReleased released) {
			timer(registry, LocketMeters.LEASE_HOLD, LocketMeters.Tags.JOB, released.key().job())
				.record(released.held());
		}
		else if (event instanceof LeaseLost lost) {
			counter(registry, LocketMeters.LEASE_LOST, LocketMeters.Tags.JOB, lost.key().job(), LocketMeters.Tags.CAUSE,
					lost.cause().name().toLowerCase(Locale.ROOT))
				.increment();
		}
		else if (event instanceof HeartbeatCompleted beat) {
			timer(registry, LocketMeters.HEARTBEAT_DURATION).record(beat.duration());
			heartbeatFailures(registry).increment(beat.failures());
		}
	}

	private void acquisition(MeterRegistry registry, LeaseEvent event, String outcome) {
		counter(registry, LocketMeters.LEASE_ACQUISITIONS, LocketMeters.Tags.JOB, event.key().job(),
				LocketMeters.Tags.OUTCOME, outcome)
			.increment();
	}

	private Counter heartbeatFailures(MeterRegistry registry) {
		return counter(registry, LocketMeters.HEARTBEAT_FAILURES);
	}

	private Counter counter(MeterRegistry registry, LocketMeters meter, String... tags) {
		return Counter.builder(meter.meterName()).description(meter.description()).tags(tags).register(registry);
	}

	private Timer timer(MeterRegistry registry, LocketMeters meter, String... tags) {
		return Timer.builder(meter.meterName()).description(meter.description()).tags(tags).register(registry);
	}

}
