package io.locket.actuate;

import java.util.Optional;

import io.locket.job.administration.JobAdministration;
import io.locket.queue.JobRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link JobsSection}.
 */
class JobsSectionTests {

	@Test
	void jobIsUnknownWhenItIsTrimmedJustBeforeItIsRequeued() {
		JobAdministration administration = mock(JobAdministration.class);
		given(administration.find("id")).willReturn(Optional.of(mock(JobRecord.class)));
		given(administration.requeue("id")).willThrow(new IllegalArgumentException("There is no job 'id'"));
		JobsSection jobs = new JobsSection(administration);
		assertThatExceptionOfType(UnknownEntryException.class)
			.isThrownBy(() -> jobs.write(EndpointWrite.JOB_REQUEUED, "id", null));
	}

}
