package io.locket.redis;

import java.util.List;

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
	 * @return the reply, or {@code null} inside a pipeline or a transaction
	 */
	@Nullable List<Object> evalSha(String digest, byte[][] keys, byte[][] args);

	/**
	 * Runs a script.
	 * @param script the text of the script
	 * @param keys the names of the keys
	 * @param args the arguments
	 * @return the reply, or {@code null} inside a pipeline or a transaction
	 */
	@Nullable List<Object> eval(String script, byte[][] keys, byte[][] args);

}
