package io.locket.job;

import java.util.Arrays;
import java.util.Objects;

import io.locket.job.recording.CallRecorder;
import io.locket.job.recording.RecordedCall;
import org.jspecify.annotations.Nullable;

/**
 * Request to enqueue a job: the job, its arguments and options. Immutable, except for the
 * arguments themselves.
 */
public final class JobRequest {

	private final @Nullable String name;

	private final @Nullable RecordedCall call;

	private final @Nullable Object[] args;

	private final EnqueueOptions options;

	private JobRequest(@Nullable String name, @Nullable RecordedCall call, @Nullable Object[] args,
			EnqueueOptions options) {
		this.name = name;
		this.call = call;
		this.args = args;
		this.options = options;
	}

	/**
	 * Creates a request by a call of the job, due at once. The call is recorded now and
	 * does not run the job.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call a callback that calls the job once
	 * @param <T> the type
	 * @return the request
	 * @throws IllegalArgumentException if calls of the type cannot be recorded, or if
	 * there was none or more than one
	 */
	public static <T> JobRequest of(Class<T> type, JobInvocation<? super T> call) {
		Objects.requireNonNull(call, "'call' must not be null");
		RecordedCall recorded = CallRecorder.record(type, call::call);
		return new JobRequest(null, recorded, recorded.args(), EnqueueOptions.now());
	}

	/**
	 * Creates a request by the name of the job, due at once.
	 * @param job the name of the job, or one of its aliases
	 * @param args the arguments, which are converted to the types of the parameters
	 * before the key is made
	 * @return the request
	 */
	public static JobRequest of(String job, @Nullable Object... args) {
		Objects.requireNonNull(job, "'job' must not be null");
		return new JobRequest(job, null, CallArguments.require(args).clone(), EnqueueOptions.now());
	}

	/**
	 * Returns a copy with other options.
	 * @param options the options, which replace the previous ones
	 * @return a new request
	 */
	public JobRequest with(EnqueueOptions options) {
		Objects.requireNonNull(options, "'options' must not be null");
		return new JobRequest(this.name, this.call, this.args, options);
	}

	@Nullable String name() {
		return this.name;
	}

	@Nullable RecordedCall call() {
		return this.call;
	}

	@Nullable Object[] args() {
		return Arrays.copyOf(this.args, this.args.length);
	}

	/**
	 * Returns the due time, queue and id.
	 * @return the options
	 */
	public EnqueueOptions options() {
		return this.options;
	}

	/**
	 * Describes the job without its arguments, which must not appear in logs and
	 * messages.
	 */
	@Override
	public String toString() {
		return (this.name != null) ? "'" + this.name + "'" : String.valueOf(this.call);
	}

}
