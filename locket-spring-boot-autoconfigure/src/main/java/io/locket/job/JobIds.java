package io.locket.job;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Makes the ids of jobs: 128 random bits in 22 characters. Thread-safe.
 */
final class JobIds {

	private static final int BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	private final Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();

	String next() {
		byte[] bytes = new byte[BYTES];
		this.random.nextBytes(bytes);
		return this.encoder.encodeToString(bytes);
	}

}
