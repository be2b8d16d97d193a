package io.locket.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import io.locket.JobKey;
import io.locket.JobKeyException;
import io.locket.key.canonical.CanonicalJson;
import io.locket.key.canonical.CanonicalJsonException;
import io.locket.key.canonical.CanonicalText;
import org.jspecify.annotations.Nullable;

/**
 * Factory of job keys. The digest of a key is the first half of the SHA-256 of the
 * canonical JSON array <code>[job, value]</code> in UTF-8, in the URL-safe Base64
 * alphabet without padding. Thread-safe.
 */
public final class JobKeys {

	/**
	 * Number of bytes of a SHA-256 that are the digest of a key.
	 */
	private static final int DIGEST = 16;

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private static final Set<String> EMPTY = Set.of("null", "\"\"", "[]", "{}");

	private final CanonicalJson json = new CanonicalJson();

	/**
	 * Creates the key of a name and a value.
	 * @param job the name of the job
	 * @param keyValue the value that is unique: any value, including {@code null}
	 * @param mask whether to keep the value out of the key's text and out of exceptions
	 * @return the key
	 * @throws JobKeyException if the name is blank or the value cannot be written
	 */
	public JobKey keyOf(String job, @Nullable Object keyValue, boolean mask) {
		requireName(job);
		return key(job, write(job, keyValue, mask), mask);
	}

	/**
	 * Creates the key of a name and the parts of a value.
	 * @param name the name
	 * @param parts the parts
	 * @param mask whether to keep the parts out of the key's text and out of exceptions
	 * @return the key
	 * @throws JobKeyException if the name is blank or a part cannot be written
	 */
	public JobKey keyOfParts(String name, @Nullable Object[] parts, boolean mask) {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(parts, "'key' must not be null; pass a single null part as (Object) null");
		return keyOf(name, Arrays.asList(parts), mask);
	}

	/**
	 * Creates the key of a call.
	 * @param call the call
	 * @param generator the generator of the value that is unique
	 * @param mask whether to keep the arguments out of the key's text and out of
	 * exceptions
	 * @return the key
	 * @throws JobKeyException if the name is blank, the generator fails or returns
	 * nothing, or an argument cannot be written
	 */
	public JobKey keyOf(JobCall call, JobKeyGenerator generator, boolean mask) {
		Objects.requireNonNull(generator, "'generator' must not be null");
		requireName(call.job());
		Object value = generate(call, generator, mask);
		String text;
		try {
			text = this.json.write(value);
		}
		catch (CanonicalJsonException ex) {
			throw unwritable(call, value, ex, mask);
		}
		if (!(generator instanceof ArgumentsKeyGenerator)) {
			requireContent(call.job(), generator, value, text);
		}
		return key(call.job(), text, mask);
	}

	/**
	 * Returns the unmasked text whose SHA-256 has the digest of a key as its first half.
	 * It shows why two keys differ.
	 * @param job the name of the job
	 * @param keyValue the value that is unique
	 * @return canonical JSON
	 * @throws JobKeyException if the name is blank or the value cannot be written
	 */
	public String canonicalText(String job, @Nullable Object keyValue) {
		requireName(job);
		return canonicalText(job, write(job, keyValue, false));
	}

	private static String canonicalText(String job, String text) {
		return "[" + CanonicalText.ofString(job) + "," + text + "]";
	}

	/**
	 * Returns whether a key hides its arguments.
	 * @param key the key
	 * @return {@code true} if its text is a mask
	 */
	public static boolean isMasked(JobKey key) {
		return KeyText.isMasked(key.text());
	}

	/**
	 * Returns a key that hides its arguments.
	 * @param key the key
	 * @return an equal key whose text is a mask
	 */
	public static JobKey masked(JobKey key) {
		return isMasked(key) ? key : new JobKey(key.job(), key.digest(), KeyText.mask(key.digest()));
	}

	private static JobKey key(String job, String text, boolean mask) {
		String digest = digest(canonicalText(job, text).getBytes(StandardCharsets.UTF_8));
		return new JobKey(job, digest, KeyText.of(text, digest, mask));
	}

	private static String digest(byte[] text) {
		return BASE64.encodeToString(Arrays.copyOf(sha256().digest(text), DIGEST));
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	private static void requireName(String job) {
		Objects.requireNonNull(job, "'job' must not be null");
		if (job.isBlank() || hasControlCharacter(job)) {
			throw new JobKeyException(
					"The name of a job must not be blank or contain control characters: " + CanonicalText.ofString(job),
					null);
		}
	}

	private static boolean hasControlCharacter(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isISOControl(text.charAt(i))) {
				return true;
			}
		}
		return false;
	}

	private String write(String job, @Nullable Object value, boolean mask) {
		try {
			return this.json.write(value);
		}
		catch (CanonicalJsonException ex) {
			throw new JobKeyException(
					"The key " + typeOf(value) + " of job '" + job + "' cannot be written as JSON: " + ex.getMessage()
							+ ". Make the key of values such as numbers, strings, dates and records of them",
					mask ? null : ex);
		}
	}

	private static @Nullable Object generate(JobCall call, JobKeyGenerator generator, boolean mask) {
		try {
			return generator.generate(call);
		}
		catch (RuntimeException ex) {
			if (ex instanceof JobKeyException && (!mask || generator instanceof ExpressionKeyGenerator)) {
				throw mask ? new JobKeyException(String.valueOf(ex.getMessage()), null) : (JobKeyException) ex;
			}
			throw new JobKeyException(
					"The key generator " + generator.getClass().getName() + " failed for job '" + call.job() + "' with "
							+ ex.getClass().getName() + ". Make it return a value, list or map for every call",
					mask ? null : ex);
		}
	}

	/**
	 * Creates the exception for a value that cannot be written. It names the argument
	 * that cannot be written, if there is one.
	 * @param call the call
	 * @param value the generated value
	 * @param failure the reason for which the value cannot be written
	 * @param mask whether to leave out the cause
	 * @return the exception to throw
	 */
	private JobKeyException unwritable(JobCall call, @Nullable Object value, CanonicalJsonException failure,
			boolean mask) {
		ParameterNames names = ParameterNames.of(call.method());
		List<@Nullable Object> arguments = call.arguments();
		for (int i = 0; i < arguments.size(); i++) {
			CanonicalJsonException reason = counts(arguments.get(i), value) ? failureOf(arguments.get(i)) : null;
			if (reason != null) {
				return unwritable("Parameter " + names.describe(i) + " " + typeOf(arguments.get(i)), call.job(), reason,
						mask);
			}
		}
		return unwritable("The key " + typeOf(value), call.job(), failure, mask);
	}

	private static JobKeyException unwritable(String what, String job, CanonicalJsonException reason, boolean mask) {
		return new JobKeyException(what + " of job '" + job + "' cannot be written as JSON: " + reason.getMessage()
				+ ". Set @UniqueJob(key = ...) to the values that make the job unique, or use a JobKeyGenerator",
				mask ? null : reason);
	}

	private static boolean counts(@Nullable Object argument, @Nullable Object value) {
		return argument == value
				|| (value instanceof Collection<?> parts && parts.stream().anyMatch((part) -> part == argument))
				|| (value instanceof Map<?, ?> parts && parts.values().stream().anyMatch((part) -> part == argument));
	}

	private @Nullable CanonicalJsonException failureOf(@Nullable Object argument) {
		try {
			this.json.write(argument);
			return null;
		}
		catch (CanonicalJsonException ex) {
			return ex;
		}
	}

	private void requireContent(String job, JobKeyGenerator generator, @Nullable Object value, String text) {
		if (EMPTY.contains(text) || isBlank(value) || isNothingButNull(value, text)) {
			throw new JobKeyException("The key of job '" + job + "' is null or empty, made by " + describe(generator)
					+ ". Return at least one value that is never null", null);
		}
	}

	private static boolean isBlank(@Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			return isBlank(optional.orElse(null));
		}
		return value instanceof CharSequence text && text.toString().isBlank();
	}

	/**
	 * Returns whether a list, however nested, or a map holds only values that are written
	 * as {@code null}.
	 * @param value the value
	 * @param text its canonical text
	 * @return whether nothing in it distinguishes calls
	 */
	private boolean isNothingButNull(@Nullable Object value, String text) {
		if (value instanceof Map<?, ?> map) {
			return text.contains("null")
					&& map.values().stream().allMatch((part) -> "null".equals(this.json.write(part)));
		}
		return text.replace("null", "").chars().allMatch((c) -> "[],".indexOf(c) >= 0);
	}

	private static String describe(JobKeyGenerator generator) {
		return (generator instanceof ExpressionKeyGenerator) ? generator.toString() : generator.getClass().getName();
	}

	private static String typeOf(@Nullable Object value) {
		return (value != null) ? "(" + value.getClass().getTypeName() + ")" : "(null)";
	}

}
