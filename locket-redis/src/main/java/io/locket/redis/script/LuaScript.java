package io.locket.redis.script;

import java.util.List;
import java.util.function.Supplier;

import org.springframework.data.redis.core.script.DigestUtils;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.function.SingletonSupplier;

/**
 * Script that replies with a list. Its text is composed at the first use, because a
 * process uses few of the scripts. Its digest is computed once. Thread-safe.
 */
final class LuaScript implements RedisScript<List<Object>> {

	private final SingletonSupplier<Content> content;

	/**
	 * Creates a script.
	 * @param text composes the text
	 */
	LuaScript(Supplier<String> text) {
		this.content = SingletonSupplier.of(() -> Content.of(text.get()));
	}

	@Override
	public String getSha1() {
		return this.content.obtain().digest();
	}

	@Override
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public Class<List<Object>> getResultType() {
		return (Class) List.class;
	}

	@Override
	public String getScriptAsString() {
		return this.content.obtain().text();
	}

	/**
	 * Content of a script.
	 *
	 * @param text the text
	 * @param digest the digest that identifies the script on the server
	 */
	private record Content(String text, String digest) {

		static Content of(String text) {
			return new Content(text, DigestUtils.sha1DigestAsHex(text));
		}

	}

}
