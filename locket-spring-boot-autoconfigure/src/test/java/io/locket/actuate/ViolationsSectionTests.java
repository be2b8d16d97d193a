package io.locket.actuate;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.locket.JobState;
import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.BatchDescriptor;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link ViolationsSection}.
 */
class ViolationsSectionTests {

	private final JobAdministration administration = mock(JobAdministration.class);

	private final ArgumentMask mask = new ArgumentMask(mock(UniqueJobs.class), false, false);

	private final ViolationsSection section = new ViolationsSection(this.administration, new SharedReads(() -> 0));

	@Test
	void violationsAreListedUpToTheLimit() {
		givenJobs(1);
		given(this.administration.verify())
			.willReturn(List.of(new Violation("a", "is lost", false), new Violation("b", "is lost", false)));
		ViolationsSection.ViolationsDescriptor found = this.section.list(ListQuery.ofLimit(1), this.mask);
		assertThat(found.total()).isEqualTo(2);
		assertThat(found.violations()).containsExactly(new ViolationsSection.ViolationDescriptor("a", "is lost"));
	}

	@Test
	void repairCountsWhatItRepaired() {
		givenJobs(1);
		given(this.administration.repair()).willReturn(List.of(new Violation("a", "is lost", true),
				new Violation("b", "is lost", false), new Violation("c", "is lost", true)));
		assertThat(this.section.writeBatch(EndpointWrite.VIOLATIONS_REPAIRED, ListQuery.all(), null, this.mask))
			.isEqualTo(new BatchDescriptor(3, 2, 0, 1, null));
	}

	@Test
	void tooManyJobsAreNotVerified() {
		givenJobs(ViolationsSection.MAX_JOBS + 1);
		assertThatIllegalArgumentException().isThrownBy(() -> this.section.list(ListQuery.all(), this.mask))
			.withMessageContaining("JobAdministration.verify()");
		assertThatIllegalArgumentException().isThrownBy(
				() -> this.section.writeBatch(EndpointWrite.VIOLATIONS_REPAIRED, ListQuery.all(), null, this.mask));
		then(this.administration).should(never()).verify();
		then(this.administration).should(never()).repair();
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "READY", "PARKED", "RETRY", "RUNNING" })
	void jobsOfEachStateCountAgainstTheBound(JobState state) {
		givenJobs(Map.of(state, ViolationsSection.MAX_JOBS + 1), 0);
		assertThatIllegalArgumentException().isThrownBy(() -> this.section.list(ListQuery.all(), this.mask));
	}

	@Test
	void deadLettersCountAgainstTheBound() {
		givenJobs(Map.of(), ViolationsSection.MAX_JOBS + 1);
		assertThatIllegalArgumentException().isThrownBy(() -> this.section.list(ListQuery.all(), this.mask));
	}

	@Test
	void asManyJobsAsTheBoundAreVerified() {
		givenJobs(ViolationsSection.MAX_JOBS);
		assertThat(this.section.list(ListQuery.all(), this.mask).total()).isZero();
	}

	@Test
	void jobsOfMoreQueuesThanTheOverviewHasAreNotVerified() {
		QueueOverview queue = new QueueOverview(new QueueCounts("work", false, 0, 0, 0, Map.of(), 0, 0, 0), null);
		given(this.administration.overview())
			.willReturn(new StoreOverview(Instant.EPOCH, Collections.nCopies(StoreOverview.MAX_QUEUES, queue)));
		assertThatIllegalArgumentException().isThrownBy(() -> this.section.list(ListQuery.all(), this.mask))
			.withMessageContaining("1000 queues or more");
		then(this.administration).should(never()).verify();
	}

	@Test
	void verificationAfterARepairIsANewOne() {
		givenJobs(1);
		given(this.administration.verify()).willReturn(List.of(new Violation("a", "is lost", false)))
			.willReturn(List.of());
		given(this.administration.repair()).willReturn(List.of(new Violation("a", "is lost", true)));
		assertThat(this.section.list(ListQuery.all(), this.mask).total()).isOne();
		this.section.writeBatch(EndpointWrite.VIOLATIONS_REPAIRED, ListQuery.all(), null, this.mask);
		assertThat(this.section.list(ListQuery.all(), this.mask).total()).isZero();
	}

	private void givenJobs(long ready) {
		givenJobs(Map.of(JobState.READY, ready), 0);
	}

	private void givenJobs(Map<JobState, Long> states, long deadLetters) {
		QueueCounts counts = new QueueCounts("work", false, 0, 0, 0, states, deadLetters, 0, 0);
		given(this.administration.overview())
			.willReturn(new StoreOverview(Instant.EPOCH, List.of(new QueueOverview(counts, null))));
	}

}
