package io.locket.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Commands that run scripts whose reply is a list. Failures are those of Spring Data
 * Redis. Thread-safe.
 */
public interface ScriptCommands {

	/**
	 * Runs a script that the server knows.
	 * @param digest the digest of the script
	 * @param keys the names of the keys
	 * @param args the arguments
	 * @param once whether the call fails if the driver has sent the command again,
	 * because its connection was closed before the reply. The first copy may have been
	 * executed
	 * @return the reply, or {@code null} inside a pipeline or a transaction
	 */
	@Nullable List<Object> evalSha(String digest, byte[][] keys, byte[][] args, boolean once);

	/**
	 * Sends the digest of a script, without waiting for the reply. Failures are those of
	 * the driver.
	 * @param digest the digest of the script
	 * @param keys the names of the keys
	 * @param args the arguments
	 * @return the reply, which the caller cancels if it is late; or {@code null} if there
	 * is no connection that can be used so
	 */
	default @Nullable CompletionStage<List<Object>> sendSha(String digest, byte[][] keys, byte[][] args) {
		return null;
	}

	/**
	 * Runs a script.
	 * @param script the text of the script
	 * @param keys the names of the keys
	 * @param args the arguments
	 * @param once whether the call fails if the driver has sent the command again,
	 * because its connection was closed before the reply. The first copy may have been
	 * executed
	 * @return the reply, or {@code null} inside a pipeline or a transaction
	 */
	@Nullable List<Object> eval(String script, byte[][] keys, byte[][] args, boolean once);

}
