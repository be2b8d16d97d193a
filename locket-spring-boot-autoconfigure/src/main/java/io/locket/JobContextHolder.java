package io.locket;

import org.jspecify.annotations.Nullable;

/**
 * The current {@link JobContext} of each thread.
 */
final class JobContextHolder {

	/**
	 * What to do when a body turns out to run unguarded.
	 */
	static final String REMEDY = "Call the @UniqueJob method through its bean and not on 'this'; take the context before"
			+ " handing over to another thread, and in a Mono or Flux from the Reactor context. With"
			+ " locket.enabled=false, and where locket.lease.on-unavailable=run let a call through, nothing is guarded";

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
