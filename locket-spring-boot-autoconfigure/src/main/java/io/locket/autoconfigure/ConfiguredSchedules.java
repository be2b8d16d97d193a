package io.locket.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.locket.schedule.ScheduleDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.Assert;

/**
 * The schedules that are configured here, all of which can work: made when all jobs are
 * known, which is before anything is started.
 */
final class ConfiguredSchedules implements SmartInitializingSingleton {

	private final Supplier<List<ScheduleDefinition>> maker;

	private volatile @Nullable List<ScheduleDefinition> definitions;

	/**
	 * Create the schedules.
	 * @param maker makes them once
	 */
	ConfiguredSchedules(Supplier<List<ScheduleDefinition>> maker) {
		this.maker = maker;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.definitions = List.copyOf(this.maker.get());
	}

	/**
	 * Return the schedules.
	 * @throws IllegalStateException while not all jobs are known
	 */
	List<ScheduleDefinition> definitions() {
		List<ScheduleDefinition> made = this.definitions;
		Assert.state(made != null, "Schedules are known when all beans have been created");
		return made;
	}

}
