package io.locket.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeadershipGained;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Gauges of the leadership of this process, as described in {@link LocketMeters}. The
 * current term is read on each access. Events only record terms that ended before an
 * access. Thread-safe.
 */
public final class LeaderMetrics implements JobEventListener, MeterBinder, AutoCloseable {

	private final LongSupplier term;

	private final BooleanSupplier idle;

	private final List<RegistryMeters> registries = new CopyOnWriteArrayList<>();

	private volatile long lastTerm;

	private volatile boolean closed;

	/**
	 * Creates the gauges.
	 * @param term supplies the term in which this process leads, or {@code 0} if it does
	 * not; sends no command to the store
	 * @param idle whether there are no schedules, so that the gauge of the leader is
	 * {@code NaN}
	 */
	public LeaderMetrics(LongSupplier term, BooleanSupplier idle) {
		this.term = term;
		this.idle = idle;
	}

	/**
	 * Registers the gauges, unless this object is closed.
	 */
	@Override
	public void bindTo(MeterRegistry registry) {
		RegistryMeters meters = new RegistryMeters(registry, new TagValues());
		meters.gauge(LocketMeters.LEADER, this, LeaderMetrics::leads);
		meters.gauge(LocketMeters.LEADER_TERM, this, LeaderMetrics::lastTerm);
		this.registries.add(meters);
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
		this.registries.forEach(RegistryMeters::removeGauges);
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof LeadershipGained gained) {
			this.lastTerm = gained.term();
		}
	}

	private double leads() {
		if (this.term.getAsLong() != 0) {
			return 1;
		}
		return this.idle.getAsBoolean() ? Double.NaN : 0;
	}

	private long lastTerm() {
		long current = this.term.getAsLong();
		if (current != 0) {
			this.lastTerm = current;
		}
		return this.lastTerm;
	}

}
