package io.locket.actuate;

/**
 * Why a request has no other answer.
 *
 * @param message what is wrong, and what to do
 */
public record ProblemDescriptor(String message) {

}
