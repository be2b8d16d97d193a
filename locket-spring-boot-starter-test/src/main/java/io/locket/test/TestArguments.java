package io.locket.test;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Predicate;

import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.argument.ArgumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Arguments that a test passes, converted to those that the method of a job receives.
 */
record TestArguments(ArgumentCodec codec) {

	/**
	 * Returns a predicate for jobs with these arguments. The order of maps and sets and
	 * the types of numbers are ignored.
	 */
	Predicate<EnqueuedJob> same(UniqueJobDefinition job, @Nullable Object... args) {
		String json = this.codec.write(job.method(), job.beanType(), convert(job, args));
		@Nullable Object[] read = this.codec.read(job.method(), job.beanType(), json);
		return (enqueued) -> this.codec.isSame(enqueued.json(), json)
				|| Arrays.deepEquals(enqueued.arguments().toArray(), read);
	}

	@Nullable Object[] convert(UniqueJobDefinition job, @Nullable Object @Nullable [] args) {
		return this.codec.convert(job.method(), job.beanType(), require(args));
	}

	static @Nullable Object[] require(@Nullable Object @Nullable [] args) {
		return Objects.requireNonNull(args, "'args' must not be null; pass a single null argument as (Object) null");
	}

}
