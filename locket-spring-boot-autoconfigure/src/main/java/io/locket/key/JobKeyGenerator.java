package io.locket.key;

import org.jspecify.annotations.Nullable;

/**
 * Makes the value that is unique for a call. A single bean of this type replaces the
 * default for all jobs; a bean that {@link io.locket.UniqueJob#keyGenerator()} names
 * replaces it for one. Must be thread-safe and must depend on nothing but the call.
 */
@FunctionalInterface
public interface JobKeyGenerator {

	/**
	 * Make the key value of a call.
	 * @param call the call
	 * @return a value, list or map that Locket writes as canonical JSON; {@code null} and
	 * empty results are refused
	 */
	@Nullable Object generate(JobCall call);

}
