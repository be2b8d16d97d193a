package io.locket.key;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Default generator: every argument counts, in order.
 */
public final class ArgumentsKeyGenerator implements JobKeyGenerator {

	@Override
	public List<@Nullable Object> generate(JobCall call) {
		return call.arguments();
	}

}
