package io.locket.job;

import java.util.function.Function;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * The strategies of one job: those of its annotation, else those of its queue, else those
 * of all jobs, else those that Locket chooses.
 *
 * @param lock the lock strategy, never {@code DEFAULT}
 * @param onDuplicate the duplicate strategy, never {@code DEFAULT}
 * @param duplicateDeclared whether the annotation states it
 * @param onConflict the conflict strategy, {@code DEFAULT} if nobody states one
 * @param conflictDeclared whether the annotation states it
 */
record JobStrategies(LockStrategy lock, DuplicateStrategy onDuplicate, boolean duplicateDeclared,
		ConflictStrategy onConflict, boolean conflictDeclared) {

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
				choose(own, queue, settings, StrategySettings::lock, LockStrategy.DEFAULT,
						LockStrategy.WHILE_EXECUTING),
				choose(own, queue, settings, StrategySettings::onDuplicate, DuplicateStrategy.DEFAULT,
						DuplicateStrategy.REJECT),
				own.onDuplicate() != DuplicateStrategy.DEFAULT, choose(own, queue, settings,
						StrategySettings::onConflict, ConflictStrategy.DEFAULT, ConflictStrategy.DEFAULT),
				own.onConflict() != ConflictStrategy.DEFAULT);
	}

	private static <T> T choose(StrategySettings own, String queue, JobSettings settings,
			Function<StrategySettings, T> strategy, T unset, T fallback) {
		for (StrategySettings source : new StrategySettings[] { own, settings.ofQueue(queue), settings.strategies() }) {
			T value = strategy.apply(source);
			if (value != unset) {
				return value;
			}
		}
		return fallback;
	}

	/**
	 * Return what a direct call does that finds its key taken. The configuration speaks
	 * for many jobs: where it asks for a queue, the period of {@code UNTIL_EXPIRED} has
	 * none to offer, and the call is rejected.
	 * @return the strategy, never {@code DEFAULT}
	 */
	ConflictStrategy direct() {
		boolean notForPeriods = this.onConflict.enqueuesDirectCalls() && !this.conflictDeclared
				&& this.lock == LockStrategy.UNTIL_EXPIRED;
		return (this.onConflict == ConflictStrategy.DEFAULT || notForPeriods) ? ConflictStrategy.REJECT
				: this.onConflict;
	}

	/**
	 * Return what a queued run does that finds its key taken.
	 * @return the strategy, neither {@code DEFAULT} nor {@code WAIT}
	 */
	ConflictStrategy queued() {
		return (this.onConflict == ConflictStrategy.DEFAULT || this.onConflict == ConflictStrategy.WAIT)
				? ConflictStrategy.PARK : this.onConflict;
	}

}
