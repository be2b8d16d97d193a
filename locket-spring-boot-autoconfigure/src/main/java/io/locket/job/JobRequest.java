package io.locket.job;

import java.util.Arrays;
import java.util.Objects;

import io.locket.job.recording.CallRecorder;
import io.locket.job.recording.RecordedCall;
import org.jspecify.annotations.Nullable;

/**
 * A job that is to be enqueued: which one, with what, when and where. Immutable, but for
 * the arguments themselves.
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
	 * Ask for a job by a call of it, due at once. The call is recorded now and runs
	 * nothing.
	 * @param type the type of the bean, or an interface that it implements
	 * @param call calls the job once
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
	 * Ask for a job by its name, due at once.
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
	 * Say when, where and as what.
	 * @param options the options, which replace those from before
	 * @return a request of its own
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
	 * Return when, where and as what.
	 * @return the options
	 */
	public EnqueueOptions options() {
		return this.options;
	}

	/**
	 * Names the job without its arguments, which logs and messages are not to have.
	 */
	@Override
	public String toString() {
		return (this.name != null) ? "'" + this.name + "'" : String.valueOf(this.call);
	}

}
