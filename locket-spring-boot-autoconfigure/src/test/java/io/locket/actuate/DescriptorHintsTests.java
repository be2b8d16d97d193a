package io.locket.actuate;

import io.locket.actuate.descriptor.JobDescriptor;
import io.locket.actuate.descriptor.KeyDescriptor;
import io.locket.actuate.descriptor.LeaseDescriptor;
import io.locket.actuate.descriptor.ProblemDescriptor;
import io.locket.actuate.descriptor.QueueDescriptor;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.actuate.descriptor.ScheduleDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.ImportRuntimeHints;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DescriptorHints}.
 */
class DescriptorHintsTests {

	@ParameterizedTest
	@ValueSource(classes = { OverviewDescriptor.class, OverviewDescriptor.TotalsDescriptor.class, QueueDescriptor.class,
			QueuesSection.QueuesDescriptor.class, QueuesSection.QueueJobsDescriptor.class,
			JobsSection.JobsDescriptor.class, JobDescriptor.class, KeyDescriptor.class,
			JobDescriptor.ProgressDescriptor.class, LeasesSection.LeasesDescriptor.class, LeaseDescriptor.class,
			SchedulesSection.SchedulesDescriptor.class, ScheduleDescriptor.class,
			WorkersSection.WorkersDescriptor.class, WorkersSection.WorkerDescriptor.class,
			LeaderSection.LeaderDescriptor.class, SummaryDescriptor.class, ViolationsSection.ViolationsDescriptor.class,
			ViolationsSection.ViolationDescriptor.class, ResultDescriptor.class, ProblemDescriptor.class })
	void descriptorIsRegistered(Class<?> descriptor) {
		RuntimeHints hints = new RuntimeHints();
		new DescriptorHints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.reflection().onType(descriptor)).accepts(hints);
	}

	@Test
	void endpointBringsTheHints() {
		assertThat(LocketEndpoint.class.getAnnotation(ImportRuntimeHints.class).value())
			.containsExactly(DescriptorHints.class);
	}

}
