package io.locket;

import org.jspecify.annotations.Nullable;

/**
 * Holder of the current {@link JobContext} of each thread.
 */
final class JobContextHolder {

	/**
	 * Remedy for a body that runs unguarded.
	 */
	static final String REMEDY = "Call the @UniqueJob method through its bean and not on 'this'. Take the context before"
			+ " handing over to another thread, or from the Reactor context in a Mono or Flux. Calls are not guarded"
			+ " with locket.enabled=false, or if locket.lease.on-unavailable=run lets them through";

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
