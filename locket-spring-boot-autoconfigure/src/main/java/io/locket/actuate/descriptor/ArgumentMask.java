package io.locket.actuate.descriptor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.locket.job.UniqueJobs;
import io.locket.job.definition.UniqueJobDefinition;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.SanitizableData;

/**
 * Mask for values that may contain the arguments of jobs: the arguments themselves, the
 * readable text of keys, and the messages of errors and progress. A job that masks its
 * arguments hides them from all users. Immutable.
 */
public final class ArgumentMask {

	private static final String MASK = SanitizableData.SANITIZED_VALUE;

	private static final Pattern ERROR = Pattern.compile("([\\w.$]+)(: .*)?", Pattern.DOTALL);

	/**
	 * Line of a stack trace that names a failure. A message has no line breaks there.
	 */
	private static final Pattern FAILURE_LINE = Pattern.compile("(\\s*(?:Caused by: |Suppressed: )?[\\w.$/]+)(: .*)?");

	private static final Pattern FRAME_LINE = Pattern.compile("\\t+(?:at |\\.\\.\\. ).*|\\.\\.\\.");

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private final UniqueJobs jobs;

	private final boolean masked;

	private final boolean shown;

	/**
	 * Creates a mask.
	 * @param jobs the known jobs
	 * @param masked whether an unknown job masks its arguments
	 * @param shown whether the caller may see unmasked values
	 */
	public ArgumentMask(UniqueJobs jobs, boolean masked, boolean shown) {
		this.jobs = jobs;
		this.masked = masked;
		this.shown = shown;
	}

	/**
	 * Returns whether the caller may see unmasked values.
	 * @return whether the caller may see unmasked values
	 */
	public boolean isShown() {
		return this.shown;
	}

	/**
	 * Returns whether the caller may see the arguments of a job.
	 * @param job the job
	 * @return whether the caller may see the arguments of a job
	 */
	public boolean isShown(String job) {
		return this.shown && !masks(job, true);
	}

	/**
	 * Returns the arguments of a job as JSON values, or the mask. The arguments of a job
	 * that is unknown in this process are always hidden, because it may mask them.
	 */
	Object arguments(String job, String json) {
		if (!isShown(job)) {
			return MASK;
		}
		try {
			return MAPPER.readValue(json, Object.class);
		}
		catch (JacksonException ex) {
			return json;
		}
	}

	/**
	 * Returns the readable text of a key, or the mask. The process of an unknown job has
	 * already masked the text if it is configured so.
	 */
	@Nullable String key(@Nullable String job, @Nullable String text) {
		return (text == null || isVisible(job)) ? text : MASK;
	}

	/**
	 * Returns the error of a job. A hidden error has no message, because that may contain
	 * arguments.
	 */
	@Nullable String error(String job, @Nullable String error) {
		if (error == null || isVisible(job)) {
			return error;
		}
		Matcher parts = ERROR.matcher(error);
		if (!parts.matches()) {
			return MASK;
		}
		return (parts.group(2) != null) ? parts.group(1) + ": " + MASK : error;
	}

	/**
	 * Returns the stack trace of a failure. A hidden one has no messages.
	 */
	@Nullable String stackTrace(String job, @Nullable String trace) {
		return (trace == null || isVisible(job)) ? trace
				: trace.lines().map(ArgumentMask::withoutMessage).collect(Collectors.joining("\n"));
	}

	private static String withoutMessage(String line) {
		if (FRAME_LINE.matcher(line).matches()) {
			return line;
		}
		Matcher parts = FAILURE_LINE.matcher(line);
		if (!parts.matches()) {
			return MASK;
		}
		return (parts.group(2) != null) ? parts.group(1) + ": " + MASK : line;
	}

	/**
	 * Returns a text that a body has written, or the mask. As with arguments, the text of
	 * an unknown job is always hidden.
	 */
	@Nullable String message(String job, @Nullable String text) {
		return (text == null || isShown(job)) ? text : MASK;
	}

	private boolean isVisible(@Nullable String job) {
		return this.shown && !masks(job, this.masked);
	}

	private boolean masks(@Nullable String job, boolean unknown) {
		return (job != null) ? this.jobs.known(job).map(UniqueJobDefinition::maskArguments).orElse(unknown) : unknown;
	}

}
