package io.locket.redis.script;

import java.util.List;

import org.springframework.data.redis.core.script.DigestUtils;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Script that replies with a list. Its digest is computed once.
 *
 * @param getSha1 the digest that identifies the script on the server
 * @param getScriptAsString the text
 */
record LuaScript(String getSha1, String getScriptAsString) implements RedisScript<List<Object>> {

	static LuaScript of(String text) {
		return new LuaScript(DigestUtils.sha1DigestAsHex(text), text);
	}

	@Override
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public Class<List<Object>> getResultType() {
		return (Class) List.class;
	}

}
