package io.locket.job;

import java.util.Objects;
import java.util.function.Function;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * The strategies of one job: those of its annotation, else those of its queue, else those
 * of all jobs, else those that Locket chooses.
 *
 * @param chosenLock the lock strategy, never {@code DEFAULT}
 * @param chosenDuplicate the duplicate strategy, never {@code DEFAULT}
 * @param chosenConflict the conflict strategy, {@code DEFAULT} if nobody states one
 */
record JobStrategies(Chosen<LockStrategy> chosenLock, Chosen<DuplicateStrategy> chosenDuplicate,
		Chosen<ConflictStrategy> chosenConflict) {

	/**
	 * Return the strategies that an annotation states.
	 * @param annotation the annotation
	 * @return its strategies, {@code DEFAULT} for those that it leaves open
	 */
	static StrategySettings declared(MergedAnnotation<UniqueJob> annotation) {
		return new StrategySettings(annotation.getEnum("lock", LockStrategy.class),
				annotation.getEnum("onDuplicate", DuplicateStrategy.class),
				annotation.getEnum("onConflict", ConflictStrategy.class));
	}

	static JobStrategies of(StrategySettings own, String queue, JobSettings settings) {
		return new JobStrategies(
				choose(own, queue, settings, StrategySettings::lock, "lock", LockStrategy.DEFAULT,
						LockStrategy.WHILE_EXECUTING),
				choose(own, queue, settings, StrategySettings::onDuplicate, "on-duplicate", DuplicateStrategy.DEFAULT,
						DuplicateStrategy.REJECT),
				choose(own, queue, settings, StrategySettings::onConflict, "on-conflict", ConflictStrategy.DEFAULT,
						ConflictStrategy.DEFAULT));
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

	LockStrategy lock() {
		return this.chosenLock.strategy();
	}

	DuplicateStrategy onDuplicate() {
		return this.chosenDuplicate.strategy();
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
	 * Return what a direct call does that finds its key taken. The configuration speaks
	 * for many jobs: where it asks for a queue, the period of {@code UNTIL_EXPIRED} has
	 * none to offer, and the call is rejected.
	 * @return the strategy, never {@code DEFAULT}
	 */
	ConflictStrategy direct() {
		boolean notForPeriods = onConflict().enqueuesDirectCalls() && !conflictDeclared()
				&& lock() == LockStrategy.UNTIL_EXPIRED;
		return (onConflict() == ConflictStrategy.DEFAULT || notForPeriods) ? ConflictStrategy.REJECT : onConflict();
	}

	/**
	 * Return what a queued run does that finds its key taken.
	 * @return the strategy, neither {@code DEFAULT} nor {@code WAIT}
	 */
	ConflictStrategy queued() {
		return (onConflict() == ConflictStrategy.DEFAULT || onConflict() == ConflictStrategy.WAIT)
				? ConflictStrategy.PARK : onConflict();
	}

	/**
	 * Return what a direct call does, and the property that says so, if one does.
	 * @return the text
	 */
	String directText() {
		return (direct() == onConflict()) ? this.chosenConflict.toString() : direct().toString();
	}

	/**
	 * A strategy and where it comes from.
	 *
	 * @param strategy the strategy
	 * @param declared whether the annotation states it
	 * @param property the property that states it, or {@code null} if none does
	 * @param <T> the type of the strategy
	 */
	record Chosen<T>(T strategy, boolean declared, @Nullable String property) {

		/**
		 * Return who states the strategy.
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
