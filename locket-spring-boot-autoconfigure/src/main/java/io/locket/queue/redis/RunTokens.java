package io.locket.queue.redis;

/**
 * The tokens of runs: {@code run:<job id>:<nonce>}. They tell whoever finds one on a key
 * which job has it. The nonce is the id of the reservation.
 */
final class RunTokens {

	private RunTokens() {
	}

	static String nonce(String token) {
		return token.substring(token.lastIndexOf(':') + 1);
	}

}
