package io.locket;

import org.jspecify.annotations.Nullable;

/**
 * The current {@link JobContext} of each thread.
 */
final class JobContextHolder {

	private static final ThreadLocal<@Nullable JobContext> CURRENT = new ThreadLocal<>();

	private JobContextHolder() {
	}

	static @Nullable JobContext get() {
		return CURRENT.get();
	}

	static @Nullable JobContext set(@Nullable JobContext context) {
		JobContext previous = CURRENT.get();
		if (context != null) {
			CURRENT.set(context);
		}
		else {
			CURRENT.remove();
		}
		return previous;
	}

}
