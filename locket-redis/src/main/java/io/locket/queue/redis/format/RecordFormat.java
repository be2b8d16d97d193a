package io.locket.queue.redis.format;

import java.nio.BufferUnderflowException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.RetryReason;
import io.locket.key.KeyText;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.RunProgress;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Decoder of the records of jobs. {@code layout.lua} describes their format. Thread-safe.
 */
public final class RecordFormat {

	/**
	 * Codes of the lock strategies in a record.
	 */
	static final Map<LockStrategy, String> LOCKS = Map.of(LockStrategy.UNTIL_EXECUTING, "UE",
			LockStrategy.WHILE_EXECUTING, "WE", LockStrategy.UNTIL_EXECUTED, "UX",
			LockStrategy.UNTIL_AND_WHILE_EXECUTING, "UW", LockStrategy.UNTIL_EXPIRED, "UP", LockStrategy.NONE, "NO");

	private static final Map<String, LockStrategy> LOCKS_BY_CODE = LOCKS.entrySet()
		.stream()
		.collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

	private static final Map<String, JobState> STATES = byCode(JobState.values());

	private static final Map<String, ConflictStrategy> CONFLICTS = byCode(ConflictStrategy.values());

	private static final Map<String, RetryReason> REASONS = byCode(RetryReason.values());

	private static final Log logger = LogFactory.getLog(RecordFormat.class);

	/**
	 * Added to the version in the first byte of a record without a head.
	 */
	private static final int WITHOUT_HEAD = 128;

	private static final int RUN = 1;

	private static final int RARE = 2;

	private static final Pattern PROGRESS = Pattern.compile("[0-9]{1,16} -?[0-9]{1,19} -?[0-9]{1,19} .*",
			Pattern.DOTALL);

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final JsonNode none = this.mapper.createObjectNode();

	private static <E extends Enum<E>> Map<String, E> byCode(E[] values) {
		return Stream.of(values).collect(Collectors.toUnmodifiableMap(RecordFormat::lower, (value) -> value));
	}

	/**
	 * Reads a record that may be damaged or written by a later version of Locket.
	 * @param id the id of the job
	 * @param bytes the record
	 * @return the record, or empty if it cannot be read
	 */
	public Optional<JobRecord> find(String id, byte[] bytes) {
		try {
			return Optional.of(read(id, bytes));
		}
		catch (JacksonException | BufferUnderflowException | IllegalArgumentException ex) {
			logger.warn(
					"The record of job " + id + " cannot be read: a later version of Locket wrote it, or it is damaged."
							+ " JobAdministration.unreadable() lists such records once they are set aside",
					ex);
			return Optional.empty();
		}
	}

	/**
	 * Reads a record.
	 * @param id the id of the job
	 * @param bytes the record
	 * @return the record
	 * @throws BufferUnderflowException if it is too short
	 * @throws IllegalArgumentException if it has another version or is damaged
	 * @throws JacksonException if a part that is JSON is damaged
	 */
	public JobRecord read(String id, byte[] bytes) {
		return readStored(id, bytes).record();
	}

	/**
	 * Reads a record and the fencing token and the nonce of its run.
	 * @param id the id of the job
	 * @param bytes the record
	 * @return the record and its run
	 * @throws BufferUnderflowException if it is too short
	 * @throws IllegalArgumentException if it has another version or is damaged
	 * @throws JacksonException if a part that is JSON is damaged
	 */
	public StoredJob readStored(String id, byte[] bytes) {
		FieldReader reader = new FieldReader(bytes);
		int first = (int) reader.number(1);
		int version = (first > WITHOUT_HEAD) ? first - WITHOUT_HEAD : first;
		if (version != JobRecord.VERSION) {
			throw new IllegalArgumentException("Version " + version
					+ " of the record is not supported. This process reads version " + JobRecord.VERSION);
		}
		Head head = (first > WITHOUT_HEAD) ? new Head(JobState.READY, null, Run.NONE, this.none, reader)
				: readHead(reader);
		Run run = head.run();
		JsonNode rare = head.rare();
		FieldReader place = head.place();
		place.skip(6);
		Instant enqueuedAt = Instant.ofEpochMilli(place.number(6));
		Instant startAt = place.instant();
		place.skip(6);
		FieldReader definition = place;
		FieldReader arguments = definition.behind((int) definition.number(4));
		LockStrategy lock = LOCKS_BY_CODE.getOrDefault(definition.fixedText(2), LockStrategy.DEFAULT);
		Duration leaseFor = Duration.ofMillis(definition.number(5));
		String digest = definition.textOrNull(1);
		String queue = definition.text(1);
		String job = definition.text(2);
		ConflictStrategy conflict = CONFLICTS.getOrDefault(definition.text(1), ConflictStrategy.PARK);
		int retries = (int) definition.number(4);
		boolean hasOptions = definition.position() < arguments.position();
		long hold = hasOptions ? definition.number(5) : 0;
		definition.skip(hasOptions ? 11 : 0);
		String key = hasOptions ? definition.textOrNull(4) : null;
		String trace = hasOptions ? definition.textOrNull(4) : null;
		String json = arguments.rest();
		// A fast path that has ended the job has kept the error of an earlier attempt.
		String error = (head.state() != JobState.SUCCEEDED) ? text(rare, "er") : null;
		JobRecord record = new JobRecord(version, id, job, queue, json,
				(digest != null) ? new JobKey(job, digest, (key != null) ? key : KeyText.cut(json)) : null, lock,
				conflict, head.state(), enqueuedAt, startAt, run.startedAt(), head.endedAt(), run.attempt(), retries,
				run.reclaims(), run.instance(), leaseFor, run.cancelled(), error, trace, text(rare, "sb"),
				text(rare, "pb"), progress(text(rare, "pg")), reason(text(rare, "wr")));
		return new StoredJob(record, run.fence(), run.keyLease(), run.nonce(), run.cancelled() ? 0 : run.size(), hold);
	}

	private Head readHead(FieldReader reader) {
		JobState state = state(reader.text(1));
		Instant endedAt = reader.instant();
		FieldReader place = reader.behind((int) reader.number(4));
		int parts = (int) reader.number(1);
		reader.skip(1);
		Run run = ((parts & RUN) != 0) ? Run.read(reader) : Run.NONE;
		JsonNode rare = ((parts & RARE) != 0) ? this.mapper.readTree(reader.text(4)) : this.none;
		return new Head(state, endedAt, run, rare, place);
	}

	/**
	 * Returns the progress of a run as {@code done total message}.
	 * @param run the progress
	 * @return the progress of a run as {@code done total message}
	 */
	public static String progress(RunProgress run) {
		return run.done() + " " + run.total() + " " + Objects.requireNonNullElse(run.message(), "");
	}

	/**
	 * Reads progress in the form {@code at done total message}. Returns {@code null} if
	 * it is absent or damaged.
	 */
	private static @Nullable JobProgress progress(@Nullable String text) {
		if (text == null || !PROGRESS.matcher(text).matches()) {
			return null;
		}
		String[] parts = text.split(" ", 4);
		try {
			return new JobProgress(Long.parseLong(parts[1]), Long.parseLong(parts[2]),
					parts[3].isEmpty() ? null : parts[3], Instant.ofEpochMilli(Long.parseLong(parts[0])));
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	private static @Nullable String text(JsonNode rare, String name) {
		return rare.has(name) ? rare.path(name).asString() : null;
	}

	/**
	 * Reads a reason. Returns {@code null} if it is absent or only a later version of
	 * Locket knows it.
	 */
	private static @Nullable RetryReason reason(@Nullable String code) {
		return (code != null) ? REASONS.get(code) : null;
	}

	public static JobState state(String code) {
		JobState state = STATES.get(code);
		if (state == null) {
			throw new IllegalArgumentException("'" + code + "' is not a state of a job");
		}
		return state;
	}

	/**
	 * Reads a state. Returns {@code null} if it is absent or only a later version of
	 * Locket knows it.
	 * @param code the name of the state
	 * @return the state, or {@code null} if it is absent or only internal
	 */
	public static @Nullable JobState knownState(String code) {
		return STATES.get(code);
	}

	public static String lower(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Record of a job with the fencing token and the nonce of its run.
	 *
	 * @param record the record
	 * @param fence the fencing token, 0 if the run has no key lease
	 * @param keyLease whether the run has a key lease
	 * @param nonce the nonce of the run, empty if the job has not run
	 * @param plainSize the size of the beginning of the record up to the key lease of the
	 * run, if {@code turn.lua} can end the run, or {@code 0}
	 * @param hold the minimum hold of the key in ms, 0 for none
	 */
	public record StoredJob(JobRecord record, long fence, boolean keyLease, String nonce, int plainSize, long hold) {

	}

	/**
	 * Beginning of a record, and the reader of what follows it.
	 */
	private record Head(JobState state, @Nullable Instant endedAt, Run run, JsonNode rare, FieldReader place) {

	}

	/**
	 * Part of a record that exists once the job has run.
	 */
	private record Run(boolean cancelled, int attempt, int reclaims, @Nullable Instant startedAt, String nonce,
			@Nullable String instance, int size, boolean keyLease, long fence) {

		static final Run NONE = new Run(false, 0, 0, null, "", null, 0, false, 0);

		static Run read(FieldReader head) {
			boolean cancelled = head.number(1) == 1;
			int attempt = (int) head.number(4);
			int reclaims = (int) head.number(4);
			Instant startedAt = head.instant();
			String nonce = head.text(2);
			String instance = head.textOrNull(2);
			head.skip((int) head.number(2));
			head.skip((int) head.number(2));
			int size = head.position();
			return new Run(cancelled, attempt, reclaims, startedAt, nonce, instance, size, head.number(1) == 1,
					head.number(7));
		}

	}

}
