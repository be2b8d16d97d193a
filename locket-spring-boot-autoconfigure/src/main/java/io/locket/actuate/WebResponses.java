package io.locket.actuate;

import java.util.Objects;
import java.util.function.Supplier;

import io.locket.LeaseUnavailableException;
import io.locket.actuate.descriptor.ProblemDescriptor;
import io.locket.queue.QueueUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Mapping of results and exceptions to web responses with a status and a message.
 */
final class WebResponses {

	private static final Log logger = LogFactory.getLog(WebResponses.class);

	private static final int NOT_IMPLEMENTED = 501;

	private WebResponses() {
	}

	static WebEndpointResponse<Object> of(Supplier<?> operation) {
		try {
			return new WebEndpointResponse<>(operation.get());
		}
		catch (UnknownEntryException ex) {
			return problem(ex, WebEndpointResponse.STATUS_NOT_FOUND);
		}
		catch (IllegalArgumentException ex) {
			return problem(ex, WebEndpointResponse.STATUS_BAD_REQUEST);
		}
		catch (UnsupportedOperationException ex) {
			return problem(ex, NOT_IMPLEMENTED);
		}
		catch (QueueUnavailableException | LeaseUnavailableException ex) {
			return problem(ex, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
	}

	private static WebEndpointResponse<Object> problem(RuntimeException ex, int status) {
		logger.debug("The endpoint responds with status " + status, ex);
		return new WebEndpointResponse<>(
				new ProblemDescriptor(Objects.requireNonNullElse(ex.getMessage(), ex.getClass().getName())), status);
	}

}
