package io.locket.actuate;

import io.locket.actuate.descriptor.BatchDescriptor;
import io.locket.actuate.descriptor.ProblemDescriptor;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.actuate.descriptor.ThroughputDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Runtime hints for the descriptors that are serialized to JSON.
 */
class DescriptorHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), OverviewDescriptor.class,
				QueuesSection.QueuesDescriptor.class, QueuesSection.QueueJobsDescriptor.class,
				JobsSection.JobsDescriptor.class, LeasesSection.LeasesDescriptor.class,
				SchedulesSection.SchedulesDescriptor.class, WorkersSection.WorkersDescriptor.class,
				JobsSection.CountDescriptor.class, SummaryDescriptor.class, ThroughputDescriptor.class,
				ViolationsSection.ViolationsDescriptor.class, ResultDescriptor.class, BatchDescriptor.class,
				ProblemDescriptor.class);
		SettingsSection.types()
			.forEach((type) -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
	}

}
