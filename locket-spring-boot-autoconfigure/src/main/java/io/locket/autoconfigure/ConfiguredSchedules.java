package io.locket.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.locket.schedule.ScheduleDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.Assert;

/**
 * The validated schedules of this process. They are created when all jobs are known,
 * before any lifecycle bean starts.
 */
public final class ConfiguredSchedules implements SmartInitializingSingleton {

	private final Supplier<List<ScheduleDefinition>> maker;

	private volatile @Nullable List<ScheduleDefinition> definitions;

	/**
	 * Creates the schedules.
	 * @param maker creates the definitions, called once
	 */
	public ConfiguredSchedules(Supplier<List<ScheduleDefinition>> maker) {
		this.maker = maker;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.definitions = List.copyOf(this.maker.get());
	}

	/**
	 * Returns the schedules.
	 * @return the schedules
	 * @throws IllegalStateException if not all jobs are known yet
	 */
	public List<ScheduleDefinition> definitions() {
		List<ScheduleDefinition> made = this.definitions;
		Assert.state(made != null, "Schedules are available only after all beans have been created");
		return made;
	}

}
