package io.locket.job;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Generator of job ids of 72 random bits in 12 characters. Thread-safe.
 */
public final class JobIds {

	private static final int BYTES = 9;

	private final SecureRandom random = new SecureRandom();

	private final Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();

	public String next() {
		byte[] bytes = new byte[BYTES];
		this.random.nextBytes(bytes);
		return this.encoder.encodeToString(bytes);
	}

}
