package io.locket.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * An observation whose scope is open on the thread on which it started. If a handler
 * fails, no scope remains open on the thread.
 */
final class ScopedObservation {

	private final ObservationRegistry registry;

	private final Observation observation;

	private final Observation.@Nullable Scope previous;

	private final Observation.Scope scope;

	private ScopedObservation(ObservationRegistry registry, Observation observation,
			Observation.@Nullable Scope previous, Observation.Scope scope) {
		this.registry = registry;
		this.observation = observation;
		this.previous = previous;
		this.scope = scope;
	}

	static ScopedObservation start(ObservationRegistry registry, Observation observation) {
		Observation.Scope previous = registry.getCurrentObservationScope();
		observation.start();
		try {
			return new ScopedObservation(registry, observation, previous, observation.openScope());
		}
		catch (RuntimeException | Error ex) {
			try {
				takeBack(registry, previous);
			}
			finally {
				observation.stop();
			}
			throw ex;
		}
	}

	/**
	 * Closes a scope that was opened although a handler failed.
	 */
	private static void takeBack(ObservationRegistry registry, Observation.@Nullable Scope previous) {
		Observation.Scope opened = registry.getCurrentObservationScope();
		try {
			if (opened != null && opened != previous) {
				opened.close();
			}
		}
		finally {
			registry.setCurrentObservationScope(previous);
		}
	}

	void leave() {
		try {
			this.scope.close();
		}
		catch (RuntimeException | Error ex) {
			this.registry.setCurrentObservationScope(this.previous);
			throw ex;
		}
	}

	void stop(@Nullable Throwable failure) {
		try {
			if (failure != null) {
				this.observation.error(failure);
			}
		}
		finally {
			this.observation.stop();
		}
	}

}
