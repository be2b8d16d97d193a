package io.locket.actuate;

import java.time.Instant;
import java.util.Arrays;

import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.WorkerControl;
import io.locket.queue.WorkerInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link WorkersSection}.
 */
class WorkersSectionTests {

	private final JobAdministration administration = mock(JobAdministration.class);

	private final WorkerControl control = mock(WorkerControl.class);

	private final WorkersSection section = new WorkersSection(this.administration, null);

	@BeforeEach
	void setUp() {
		given(this.administration.workerControl()).willReturn(this.control);
	}

	@ParameterizedTest
	@ValueSource(strings = { "host/1/abc", "1/abc", "abc" })
	void workerHasItsWholeNameAndTheLastPartsOfIt(String name) {
		givenWorkers("host/1/abc", "host/2/xabc", "host/3/other");
		this.section.write(EndpointWrite.WORKER_QUIETED, name, null);
		then(this.control).should().quiet("host/1/abc");
		then(this.control).shouldHaveNoMoreInteractions();
	}

	@Test
	void nameOfSeveralWorkersIsRefused() {
		givenWorkers("host/1/abc", "other/1/abc");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.section.write(EndpointWrite.WORKER_RESUMED, "abc", null))
			.withMessageContaining("'abc'");
		then(this.control).shouldHaveNoInteractions();
	}

	@Test
	void partOfThePartOfANameIsUnknown() {
		givenWorkers("host/1/abc");
		assertThatExceptionOfType(UnknownEntryException.class)
			.isThrownBy(() -> this.section.write(EndpointWrite.WORKER_QUIETED, "bc", null))
			.withMessageContaining("'bc'");
		then(this.control).shouldHaveNoInteractions();
	}

	private void givenWorkers(String... instances) {
		given(this.administration.workers()).willReturn(Arrays.stream(instances)
			.map((instance) -> new WorkerInfo(instance, Instant.EPOCH, 1, 0, false))
			.toList());
	}

}
