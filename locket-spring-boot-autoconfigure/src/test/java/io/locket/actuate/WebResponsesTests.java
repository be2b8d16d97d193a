package io.locket.actuate;

import java.util.stream.Stream;

import io.locket.LeaseUnavailableException;
import io.locket.actuate.descriptor.ProblemDescriptor;
import io.locket.queue.QueueUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link WebResponses}.
 */
class WebResponsesTests {

	private static Stream<Arguments> failures() {
		return Stream.of(Arguments.of(new UnknownEntryException("why"), 404),
				Arguments.of(new IllegalArgumentException("why"), 400),
				Arguments.of(new UnsupportedOperationException("why"), 501),
				Arguments.of(new QueueUnavailableException("why", null), 503),
				Arguments.of(new LeaseUnavailableException("why", null), 503));
	}

	@Test
	void replyIsTheBody() {
		WebEndpointResponse<Object> response = WebResponses.of(() -> "reply");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getBody()).isEqualTo("reply");
	}

	@ParameterizedTest
	@MethodSource("failures")
	void failureHasItsStatus(RuntimeException failure, int status) {
		WebEndpointResponse<Object> response = WebResponses.of(() -> {
			throw failure;
		});
		assertThat(response.getStatus()).isEqualTo(status);
		assertThat(response.getBody()).isEqualTo(new ProblemDescriptor("why"));
	}

	@Test
	void mistakeOfTheEndpointIsNotTakenForOneOfTheRequest() {
		assertThatIllegalStateException().isThrownBy(() -> WebResponses.of(() -> {
			throw new IllegalStateException("mistake");
		}));
	}

}
