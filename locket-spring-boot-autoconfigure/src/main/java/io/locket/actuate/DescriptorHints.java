package io.locket.actuate;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for what is written as JSON.
 */
class DescriptorHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), OverviewDescriptor.class,
				QueuesSection.QueuesDescriptor.class, QueuesSection.QueueJobsDescriptor.class,
				JobsSection.JobsDescriptor.class, LeasesSection.LeasesDescriptor.class,
				SchedulesSection.SchedulesDescriptor.class, WorkersSection.WorkersDescriptor.class,
				ResultDescriptor.class, ProblemDescriptor.class);
	}

}
