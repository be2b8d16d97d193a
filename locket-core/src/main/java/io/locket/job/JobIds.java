package io.locket.job;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Generator of job ids of 128 random bits in 22 characters. Thread-safe.
 */
public final class JobIds {

	private static final int BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	private final Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();

	public String next() {
		byte[] bytes = new byte[BYTES];
		this.random.nextBytes(bytes);
		return this.encoder.encodeToString(bytes);
	}

}
