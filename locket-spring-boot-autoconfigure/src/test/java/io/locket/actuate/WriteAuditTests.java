package io.locket.actuate;

import io.locket.actuate.descriptor.ResultDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEventPublisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link WriteAudit}.
 */
@ExtendWith(OutputCaptureExtension.class)
class WriteAuditTests {

	private final ApplicationEventPublisher failing = (event) -> {
		throw new IllegalStateException("The audit is unavailable");
	};

	private final WriteAudit audit = new WriteAudit(this.failing);

	@Test
	void writeReturnsItsResultWhenAListenerOfAuditEventsFails() {
		ResultDescriptor done = ResultDescriptor.of("DONE");
		assertThat(this.audit.write("somebody", EndpointWrite.JOB_DISMISSED, "id", null, () -> done)).isSameAs(done);
	}

	@ParameterizedTest
	@ValueSource(ints = { '\n', '\r', 0x1b, 0x85, 0x2028, 0x2029, 0x202e, 0x2066 })
	void writeIsOneLineOfTheLogWhateverItsNames(int c, CapturedOutput output) {
		String forged = "x" + (char) c + "Actuator: operator asked";
		this.audit.write(forged, EndpointWrite.JOB_MOVED, forged, forged, () -> ResultDescriptor.of("DONE"));
		assertThat(output.getOut()).contains(String.format("x\\u%04xActuator", c))
			.doesNotContain((char) c + "Actuator: operator");
	}

	@Test
	void writeFailsWithItsOwnFailureWhenAListenerOfAuditEventsFails() {
		UnknownEntryException unknown = new UnknownEntryException("There is no job 'id'");
		assertThatThrownBy(() -> this.audit.write("somebody", EndpointWrite.JOB_DISMISSED, "id", null, () -> {
			throw unknown;
		})).isSameAs(unknown);
	}

}
