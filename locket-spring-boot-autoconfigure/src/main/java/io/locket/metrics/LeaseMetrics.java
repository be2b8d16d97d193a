package io.locket.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.LeaseLossCause;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseEvent;
import io.locket.event.LeaseForced;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.event.LeaseUnavailable;
import io.micrometer.core.instrument.Counter;

/**
 * Counts and times what happens to leases, as {@link LocketMeters} says. What happens
 * before the first registry is bound is remembered, up to a bound, and recorded there;
 * the number of held leases is right in any case. Thread-safe.
 */
public final class LeaseMetrics extends EventMetrics {

	private static final String UNAVAILABLE = "unavailable";

	private final Map<String, AtomicInteger> held = new ConcurrentHashMap<>();

	public LeaseMetrics() {
		on(LeaseAcquired.class, (meters, event) -> acquisition(meters, event, "acquired"));
		on(LeaseConflicted.class, (meters, event) -> acquisition(meters, event, "conflicted"));
		on(LeaseUnavailable.class, (meters, event) -> acquisition(meters, event, UNAVAILABLE));
		on(LeaseReleased.class,
				(meters, event) -> meters.timer(LocketMeters.LEASE_HOLD, event.key().job()).record(event.held()));
		on(LeaseLost.class, (meters, event) -> lost(meters, event.key().job(), event.cause()).increment());
		on(LeaseForced.class,
				(meters, event) -> meters.counter(LocketMeters.LEASE_FORCED, event.key().job()).increment());
		on(HeartbeatCompleted.class, LeaseMetrics::beat);
	}

	@Override
	void begin(RegistryMeters meters) {
		heartbeatFailures(meters);
		this.held.forEach((job, count) -> registerHeld(meters, job, count));
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof LeaseAcquired acquired && !acquired.claim()) {
			held(acquired).incrementAndGet();
		}
		else if (event instanceof LeaseReleased || event instanceof LeaseLost) {
			held((LeaseEvent) event).decrementAndGet();
		}
		super.onEvent(event);
	}

	private AtomicInteger held(LeaseEvent event) {
		String job = bounded(LocketMeters.Tags.JOB, event.key().job());
		AtomicInteger count = this.held.get(job);
		return (count != null) ? count : registerHeld(job);
	}

	private AtomicInteger registerHeld(String job) {
		return withRegistries((registries) -> this.held.computeIfAbsent(job, (name) -> {
			AtomicInteger count = new AtomicInteger();
			registries.forEach((meters) -> registerHeld(meters, name, count));
			return count;
		}));
	}

	/**
	 * What may go wrong with a lease that is held begins at zero.
	 */
	private static void registerHeld(RegistryMeters meters, String job, AtomicInteger count) {
		meters.gauge(LocketMeters.LEASE_HELD, count, AtomicInteger::get, job);
		meters.counter(LocketMeters.LEASE_FORCED, job);
		for (LeaseLossCause cause : LeaseLossCause.values()) {
			lost(meters, job, cause);
		}
	}

	private static Counter lost(RegistryMeters meters, String job, LeaseLossCause cause) {
		return meters.counter(LocketMeters.LEASE_LOST, job, cause.name().toLowerCase(Locale.ROOT));
	}

	private static void acquisition(RegistryMeters meters, LeaseEvent event, String outcome) {
		if (meters.isNew(LocketMeters.LEASE_ACQUISITIONS, event.key().job(), UNAVAILABLE)) {
			meters.counter(LocketMeters.LEASE_ACQUISITIONS, event.key().job(), UNAVAILABLE);
		}
		meters.counter(LocketMeters.LEASE_ACQUISITIONS, event.key().job(), outcome).increment();
	}

	private static void beat(RegistryMeters meters, HeartbeatCompleted beat) {
		meters.timer(LocketMeters.HEARTBEAT_DURATION).record(beat.duration());
		meters.timer(LocketMeters.HEARTBEAT_DELAY).record(beat.delay());
		heartbeatFailures(meters).increment(beat.failures());
	}

	private static Counter heartbeatFailures(RegistryMeters meters) {
		return meters.counter(LocketMeters.HEARTBEAT_FAILURES);
	}

}
