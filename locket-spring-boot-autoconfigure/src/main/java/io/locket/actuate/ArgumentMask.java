package io.locket.actuate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.locket.job.UniqueJobDefinition;
import io.locket.job.UniqueJobs;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.SanitizableData;

/**
 * Hides what may show the arguments of jobs: the arguments themselves, the readable text
 * of keys, and the messages of errors and of progress. A job that masks its arguments
 * hides them from everybody. Immutable.
 */
final class ArgumentMask {

	private static final String MASK = SanitizableData.SANITIZED_VALUE;

	private static final Pattern ERROR = Pattern.compile("([\\w.$]+)(: .*)?", Pattern.DOTALL);

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private final UniqueJobs jobs;

	private final boolean masked;

	private final boolean shown;

	/**
	 * Create a mask.
	 * @param jobs tells which jobs mask their arguments
	 * @param masked whether a job does that is not known here
	 * @param shown whether whoever asks may see anything at all
	 */
	ArgumentMask(UniqueJobs jobs, boolean masked, boolean shown) {
		this.jobs = jobs;
		this.masked = masked;
		this.shown = shown;
	}

	/**
	 * Return the arguments of a job as values that JSON has, or the mask. Those of a job
	 * that is not known here are hidden in any case: nobody can tell here whether it
	 * masks them.
	 */
	Object arguments(String job, String json) {
		if (!this.shown || masks(job, true)) {
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
	 * Return the readable text of a key, or the mask. The text of a job that is not known
	 * here is masked already if its process says so.
	 */
	@Nullable String key(@Nullable String job, @Nullable String text) {
		return (text == null || isVisible(job)) ? text : MASK;
	}

	/**
	 * Return what a job failed with: without its message if that is hidden, which may
	 * have arguments in it.
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
	 * Return a text that a body has written, or the mask. As with arguments, that of a
	 * job that is not known here is hidden in any case.
	 */
	@Nullable String message(String job, @Nullable String text) {
		return (text == null || (this.shown && !masks(job, true))) ? text : MASK;
	}

	private boolean isVisible(@Nullable String job) {
		return this.shown && !masks(job, this.masked);
	}

	private boolean masks(@Nullable String job, boolean unknown) {
		return (job != null) ? this.jobs.known(job).map(UniqueJobDefinition::maskArguments).orElse(unknown) : unknown;
	}

}
