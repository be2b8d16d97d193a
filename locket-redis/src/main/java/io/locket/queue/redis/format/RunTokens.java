package io.locket.queue.redis.format;

/**
 * Tokens of runs, {@code run:<job id>:<nonce>}. The owner of a key is thereby traceable
 * to its job. The nonce is the id of the reservation.
 */
public final class RunTokens {

	private RunTokens() {
	}

	public static String token(String id, String nonce) {
		return "run:" + id + ":" + nonce;
	}

	public static String nonce(String token) {
		return token.substring(token.lastIndexOf(':') + 1);
	}

}
