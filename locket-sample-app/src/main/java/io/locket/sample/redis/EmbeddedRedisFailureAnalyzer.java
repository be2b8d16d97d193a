package io.locket.sample.redis;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says what to do when the embedded Redis does not start.
 */
class EmbeddedRedisFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedRedisException> {

	private static final String EXTERNAL = "run a Redis of your own and start with "
			+ "--inventory.redis=external --spring.data.redis.host=... --spring.data.redis.port=...";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedRedisException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), action(String.valueOf(cause.getMessage())),
				cause);
	}

	private String action(String message) {
		if (message.contains("libssl") || message.contains("libcrypto")) {
			return "The bundled redis-server needs OpenSSL 3. Install it (Debian, Ubuntu: apt-get install libssl3; "
					+ "Fedora: dnf install openssl-libs; macOS: brew install openssl@3), or " + EXTERNAL;
		}
		if (message.contains("'inventory.redis'")) {
			return "To use that Redis set inventory.redis=external; to use the embedded one remove that property.";
		}
		if (message.startsWith("Port ")) {
			return "Choose another port with --inventory.redis-port=..., or " + EXTERNAL;
		}
		return "If the bundled redis-server cannot run on this machine, " + EXTERNAL;
	}

}
