package io.locket.actuate;

import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEventPublisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link WriteAudit}.
 */
class WriteAuditTests {

	private final ApplicationEventPublisher failing = (event) -> {
		throw new IllegalStateException("The audit is away");
	};

	private final WriteAudit audit = new WriteAudit(this.failing);

	@Test
	void writeAnswersWhatWasDoneWhenAListenerOfAuditEventsFails() {
		ResultDescriptor done = ResultDescriptor.of("DONE");
		assertThat(this.audit.write("somebody", EndpointWrite.JOB_DISMISSED, "id", null, () -> done)).isSameAs(done);
	}

	@Test
	void writeFailsWithItsOwnFailureWhenAListenerOfAuditEventsFails() {
		UnknownEntryException unknown = new UnknownEntryException("There is no job 'id'");
		assertThatThrownBy(() -> this.audit.write("somebody", EndpointWrite.JOB_DISMISSED, "id", null, () -> {
			throw unknown;
		})).isSameAs(unknown);
	}

}
