package io.locket.actuate.descriptor;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The problem with a request.
 *
 * @param message the problem and its correction
 */
public record ProblemDescriptor(String message) implements OperationResponseBody {

}
