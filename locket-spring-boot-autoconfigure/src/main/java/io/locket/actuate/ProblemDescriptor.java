package io.locket.actuate;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Why a request has no other answer.
 *
 * @param message what is wrong, and what to do
 */
public record ProblemDescriptor(String message) implements OperationResponseBody {

}
