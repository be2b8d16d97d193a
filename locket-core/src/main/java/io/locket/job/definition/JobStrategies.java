package io.locket.job.definition;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Strategies of one job: those of its annotation, else those of its queue, else those of
 * all jobs, else Locket's defaults.
 *
 * @param chosenLock the lock strategy, never {@code DEFAULT}
 * @param chosenDuplicate the duplicate strategy, never {@code DEFAULT}
 * @param chosenConflict the conflict strategy, {@code DEFAULT} if none is stated
 * @param uniqueFor the period of {@code UNTIL_EXPIRED} or the cap on the ticket, or
 * {@code null} if none is stated that has an effect
 */
public record JobStrategies(Chosen<LockStrategy> chosenLock, Chosen<DuplicateStrategy> chosenDuplicate,
		Chosen<ConflictStrategy> chosenConflict, @Nullable Duration uniqueFor) {

	/**
	 * Returns the strategies that an annotation states.
	 * @param annotation the annotation
	 * @param uniqueFor the period that it states, or {@code null} for none
	 * @return its strategies, {@code DEFAULT} for those that it does not state
	 */
	static StrategySettings declared(MergedAnnotation<UniqueJob> annotation, @Nullable Duration uniqueFor) {
		return new StrategySettings(annotation.getEnum("lock", LockStrategy.class),
				annotation.getEnum("onDuplicate", DuplicateStrategy.class),
				annotation.getEnum("onConflict", ConflictStrategy.class), uniqueFor);
	}

	/**
	 * Returns the strategies of jobs of a queue whose annotations state none.
	 * @param queue the name of the queue
	 * @param settings the configuration
	 * @return their strategies
	 */
	public static JobStrategies ofQueue(String queue, JobSettings settings) {
		return of(StrategySettings.NONE, queue, settings);
	}

	static JobStrategies of(StrategySettings own, String queue, JobSettings settings) {
		Chosen<LockStrategy> lock = choose(own, queue, settings, StrategySettings::lock, "lock", LockStrategy.DEFAULT,
				LockStrategy.WHILE_EXECUTING);
		return new JobStrategies(lock,
				choose(own, queue, settings, StrategySettings::onDuplicate, "on-duplicate", DuplicateStrategy.DEFAULT,
						DuplicateStrategy.REJECT),
				choose(own, queue, settings, StrategySettings::onConflict, "on-conflict", ConflictStrategy.DEFAULT,
						ConflictStrategy.DEFAULT),
				uniqueFor(lock.strategy(), own, queue, settings));
	}

	/**
	 * Returns the period. A configured period applies only to jobs with a ticket or a
	 * claim, because the configuration covers many jobs.
	 */
	private static @Nullable Duration uniqueFor(LockStrategy lock, StrategySettings own, String queue,
			JobSettings settings) {
		if (own.uniqueFor() != null || !refusesDuplicates(lock)) {
			return own.uniqueFor();
		}
		Duration ofQueue = settings.ofQueue(queue).uniqueFor();
		return (ofQueue != null) ? ofQueue : settings.strategies().uniqueFor();
	}

	/**
	 * Returns whether a strategy refuses jobs when they are enqueued, and so uses a
	 * period, as its length or as a cap.
	 */
	static boolean refusesDuplicates(LockStrategy lock) {
		return lock.isUniqueWhileWaiting() || lock == LockStrategy.UNTIL_EXPIRED;
	}

	private static <T> Chosen<T> choose(StrategySettings own, String queue, JobSettings settings,
			Function<StrategySettings, T> strategy, String property, T unset, T fallback) {
		T declared = strategy.apply(own);
		if (declared != unset) {
			return new Chosen<>(declared, true, null);
		}
		T ofQueue = strategy.apply(settings.ofQueue(queue));
		if (ofQueue != unset) {
			return new Chosen<>(ofQueue, false, "locket.queues." + queue + "." + property);
		}
		T ofAll = strategy.apply(settings.strategies());
		return (ofAll != unset) ? new Chosen<>(ofAll, false, "locket.job." + property)
				: new Chosen<>(fallback, false, null);
	}

	/**
	 * Returns the lock strategy.
	 * @return the strategy, never {@code DEFAULT}
	 */
	public LockStrategy lock() {
		return this.chosenLock.strategy();
	}

	/**
	 * Returns the duplicate strategy.
	 * @return the strategy, never {@code DEFAULT}
	 */
	public DuplicateStrategy onDuplicate() {
		return this.chosenDuplicate.strategy();
	}

	boolean lockDeclared() {
		return this.chosenLock.declared();
	}

	boolean duplicateDeclared() {
		return this.chosenDuplicate.declared();
	}

	ConflictStrategy onConflict() {
		return this.chosenConflict.strategy();
	}

	boolean conflictDeclared() {
		return this.chosenConflict.declared();
	}

	/**
	 * Returns the conflict strategy of a direct call. The configuration covers many jobs.
	 * If it states a strategy that needs a queue, a call of an {@code UNTIL_EXPIRED} job
	 * is rejected instead, because its period supports no such strategy.
	 * @return the strategy, never {@code DEFAULT}
	 */
	public ConflictStrategy direct() {
		boolean notForPeriods = onConflict().enqueuesDirectCalls() && !conflictDeclared()
				&& lock() == LockStrategy.UNTIL_EXPIRED;
		return (onConflict() == ConflictStrategy.DEFAULT || notForPeriods) ? ConflictStrategy.REJECT : onConflict();
	}

	/**
	 * Returns the conflict strategy of a queued run.
	 * @return the strategy, neither {@code DEFAULT} nor {@code WAIT}
	 */
	public ConflictStrategy queued() {
		return (onConflict() == ConflictStrategy.DEFAULT || onConflict() == ConflictStrategy.WAIT)
				? ConflictStrategy.PARK : onConflict();
	}

	/**
	 * Returns the conflict strategy of a direct call, with the property that states it,
	 * if any.
	 * @return the text
	 */
	String directText() {
		return (direct() == onConflict()) ? this.chosenConflict.toString() : direct().toString();
	}

	/**
	 * Strategy and its origin.
	 *
	 * @param strategy the strategy
	 * @param declared whether the annotation states it
	 * @param property the property that states it, or {@code null} if none does
	 * @param <T> the type of the strategy
	 */
	public record Chosen<T>(T strategy, boolean declared, @Nullable String property) {

		/**
		 * Returns the origin of the strategy.
		 * @return the annotation or the property
		 */
		String source() {
			return this.declared ? "its @UniqueJob" : Objects.requireNonNullElse(this.property, "the default");
		}

		@Override
		public String toString() {
			return this.strategy + ((this.property != null) ? " (from " + this.property + ")" : "");
		}

	}

}
