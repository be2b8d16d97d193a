package io.locket.key;

import org.jspecify.annotations.Nullable;

/**
 * Generator of the value that makes a call unique. A single bean of this type replaces
 * the default for all jobs. A bean named by {@link io.locket.UniqueJob#keyGenerator()}
 * replaces it for one job. A generator must be thread-safe and must depend on nothing but
 * the call. It must be fast, because the leader calls it for each firing, and fires
 * nothing else meanwhile.
 */
@FunctionalInterface
public interface JobKeyGenerator {

	/**
	 * Generates the key value of a call.
	 * @param call the call
	 * @return a value, list or map that Locket writes as canonical JSON; {@code null} and
	 * empty results are refused
	 */
	@Nullable Object generate(JobCall call);

}
