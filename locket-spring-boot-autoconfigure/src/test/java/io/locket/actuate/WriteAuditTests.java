package io.locket.actuate;

import java.util.ArrayList;
import java.util.List;

import io.locket.actuate.descriptor.ResultDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
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

	@Test
	void writeReturnsItsResultWhenAListenerOfAuditEventsFailsWithAnError() {
		WriteAudit broken = new WriteAudit((event) -> {
			throw new NoClassDefFoundError("com/example/AuditTable");
		});
		ResultDescriptor done = ResultDescriptor.of("DONE");
		assertThat(broken.write("somebody", EndpointWrite.JOB_DISMISSED, "id", null, () -> done)).isSameAs(done);
	}

	@Test
	void writeThatEndsWithAnErrorIsAuditedAsFailed() {
		List<Object> published = new ArrayList<>();
		Error error = new NoClassDefFoundError("com/example/Tariff");
		assertThatThrownBy(() -> new WriteAudit(published::add).write("somebody", EndpointWrite.SCHEDULE_TRIGGERED,
				"nightly", null, () -> {
					throw error;
				}))
			.isSameAs(error);
		assertThat(published).singleElement().satisfies((event) -> {
			AuditEvent audited = ((AuditApplicationEvent) event).getAuditEvent();
			assertThat(audited.getType()).isEqualTo(WriteAudit.FAILED);
			assertThat(audited.getPrincipal()).isEqualTo("somebody");
			assertThat(audited.getData()).containsEntry("schedule", "nightly")
				.containsEntry("action", "trigger")
				.containsEntry("error", "com/example/Tariff");
		});
	}

}
