package io.locket.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.LeaseKind;
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
 * Meters of leases, as described in {@link LocketMeters}. Events before the first
 * registry is bound are buffered, up to a bound, and recorded in it. The number of held
 * leases counts all events. It stays too high if a lost lease is not reported, because
 * listeners block all threads that report losses. Thread-safe.
 */
public final class LeaseMetrics extends EventMetrics implements AutoCloseable {

	private static final String UNAVAILABLE = "unavailable";

	private final Map<String, AtomicInteger> held = new ConcurrentHashMap<>();

	public LeaseMetrics() {
		on(LeaseAcquired.class, (meters, event) -> acquisition(meters, event, "acquired"));
		on(LeaseConflicted.class, (meters, event) -> acquisition(meters, event, "conflicted"));
		on(LeaseUnavailable.class, (meters, event) -> acquisition(meters, event, UNAVAILABLE));
		on(LeaseReleased.class,
				(meters, event) -> meters.timer(LocketMeters.LEASE_HOLD, event.key().job(), event.kind().tag())
					.record(event.held()));
		on(LeaseLost.class,
				(meters, event) -> lost(meters, event.key().job(), event.kind(), event.cause()).increment());
		on(LeaseForced.class, (meters,
				event) -> meters.counter(LocketMeters.LEASE_FORCED, event.key().job(), event.kind().tag()).increment());
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
		else if (event instanceof LeaseReleased || (event instanceof LeaseLost lost && lost.kind() != LeaseKind.RUN)) {
			held((LeaseEvent) event).decrementAndGet();
		}
		super.onEvent(event);
	}

	/**
	 * Removes the gauges from all registries, because these may outlive this object.
	 */
	@Override
	public void close() {
		removeGauges();
	}

	private AtomicInteger held(LeaseEvent event) {
		String name = event.key().job();
		AtomicInteger known = this.held.get(name);
		if (known != null) {
			return known;
		}
		String job = bounded(LocketMeters.Tags.JOB, name);
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
	 * Registers the gauge of a job, and the counters of its rare events so that they
	 * start at zero.
	 */
	private static void registerHeld(RegistryMeters meters, String job, AtomicInteger count) {
		LeaseKind kind = LeaseKind.ofJob(job);
		meters.gauge(LocketMeters.LEASE_HELD, count, AtomicInteger::get, job, kind.tag());
		meters.counter(LocketMeters.LEASE_FORCED, job, kind.tag());
		for (LeaseLossCause cause : LeaseLossCause.values()) {
			lost(meters, job, kind, cause);
		}
	}

	private static Counter lost(RegistryMeters meters, String job, LeaseKind kind, LeaseLossCause cause) {
		return meters.counter(LocketMeters.LEASE_LOST, job, kind.tag(), cause.name().toLowerCase(Locale.ROOT));
	}

	private static void acquisition(RegistryMeters meters, LeaseEvent event, String outcome) {
		String kind = event.kind().tag();
		Counter known = meters.knownCounter(LocketMeters.LEASE_ACQUISITIONS, event.key().job(), kind, outcome);
		if (known != null) {
			known.increment();
			return;
		}
		if (meters.markRequested(LocketMeters.LEASE_ACQUISITIONS, event.key().job(), kind, UNAVAILABLE)) {
			meters.counter(LocketMeters.LEASE_ACQUISITIONS, event.key().job(), kind, UNAVAILABLE);
		}
		meters.counter(LocketMeters.LEASE_ACQUISITIONS, event.key().job(), kind, outcome).increment();
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
