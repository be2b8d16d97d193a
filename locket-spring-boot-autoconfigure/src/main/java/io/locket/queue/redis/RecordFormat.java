package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import io.locket.queue.NewJob;
import io.locket.queue.RunProgress;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The format of records: a line of JSON with short names, which {@code store.lua} tells,
 * and the JSON of the arguments.
 */
final class RecordFormat {

	private static final Log logger = LogFactory.getLog(RecordFormat.class);

	private static final Map<LockStrategy, String> LOCKS = Map.of(LockStrategy.UNTIL_EXECUTING, "UE",
			LockStrategy.WHILE_EXECUTING, "WE", LockStrategy.UNTIL_EXECUTED, "UX",
			LockStrategy.UNTIL_AND_WHILE_EXECUTING, "UW", LockStrategy.UNTIL_EXPIRED, "UP", LockStrategy.NONE, "NO");

	private final JsonMapper mapper = JsonMapper.builder().build();

	/**
	 * Write the part of a new record that is known before the store has it. What it
	 * leaves out has its usual value.
	 */
	String head(NewJob job) {
		Map<String, Object> head = new LinkedHashMap<>();
		head.put("v", JobRecord.VERSION);
		head.put("j", job.job());
		head.put("q", job.queue());
		JobKey key = job.key();
		if (key != null) {
			head.put("k", key.digest());
			if (!key.text().equals(job.arguments())) {
				head.put("tx", key.text());
			}
		}
		head.put("l", LOCKS.get(job.lock()));
		if (isUnusual(job.onConflict())) {
			head.put("c", lower(job.onConflict()));
		}
		head.put("x", millis(job.leaseFor()));
		if (!job.holdAtLeast().isZero()) {
			head.put("h", millis(job.holdAtLeast()));
		}
		head.put("r", job.retries());
		if (job.onConflict() == ConflictStrategy.RESCHEDULE) {
			head.put("z", millis(job.rescheduleAfter()));
		}
		if (job.trace() != null) {
			head.put("tr", job.trace());
		}
		return write(head);
	}

	private static boolean isUnusual(ConflictStrategy onConflict) {
		return onConflict != ConflictStrategy.PARK && onConflict != ConflictStrategy.WAIT;
	}

	/**
	 * Write what only matters while a job is enqueued.
	 */
	String options(NewJob job) {
		Map<String, Object> options = new LinkedHashMap<>();
		Duration delay = job.start().delay();
		if (delay != null) {
			options.put("dl", millis(delay));
		}
		Instant at = job.start().at();
		if (at != null) {
			options.put("at", at.toEpochMilli());
		}
		options.put("od", lower(job.onDuplicate()));
		Duration uniqueFor = job.uniqueFor();
		if (uniqueFor != null) {
			options.put("uf", millis(uniqueFor));
		}
		Duration maxDelay = job.maxDelay();
		if (maxDelay != null) {
			options.put("md", millis(maxDelay));
		}
		JobKey key = job.key();
		if (job.lock() == LockStrategy.UNTIL_EXPIRED && key != null) {
			options.put("cr",
					write(Map.of("job", key.job(), "key", key.text(), "instance", "queue", "thread", job.queue())));
		}
		return write(options);
	}

	/**
	 * Read a record that may be damaged, or of a later version of Locket.
	 * @return the record, or empty if it cannot be read
	 */
	Optional<JobRecord> find(String id, String text) {
		try {
			return Optional.of(read(id, text));
		}
		catch (JacksonException | IndexOutOfBoundsException | IllegalArgumentException ex) {
			logger.warn("The record of job " + id
					+ " cannot be read: a later version of Locket may have written it, else let"
					+ " JobAdministration.repair() mend it", ex);
			return Optional.empty();
		}
	}

	/**
	 * Read a record.
	 */
	JobRecord read(String id, String text) {
		int line = text.indexOf('\n');
		JsonNode head = this.mapper.readTree(text.substring(0, line));
		String job = head.path("j").asString();
		String digest = text(head, "k");
		String arguments = text.substring(line + 1);
		return new JobRecord(head.path("v").asInt(), id, job, head.path("q").asString(), arguments,
				(digest != null) ? new JobKey(job, digest, head.path("tx").asString(arguments)) : null,
				lock(head.path("l").asString()), conflict(text(head, "c")), state(head.path("s").asString()),
				Instant.ofEpochMilli(head.path("e").asLong()), instant(head, "d"), instant(head, "st"),
				instant(head, "ea"), head.path("a").asInt(0), head.path("r").asInt(0), head.path("b").asInt(0),
				text(head, "i"), Duration.ofMillis(head.path("x").asLong()), head.path("cx").asInt(0) == 1,
				text(head, "er"), text(head, "tr"), text(head, "sb"), text(head, "pb"), progress(text(head, "pg")));
	}

	/**
	 * Write how far a run is: {@code done total message}.
	 */
	static String progress(RunProgress run) {
		return run.done() + " " + run.total() + " " + Objects.requireNonNullElse(run.message(), "");
	}

	/**
	 * Read how far a run was: the same, behind when that was.
	 */
	private static @Nullable JobProgress progress(@Nullable String text) {
		if (text == null) {
			return null;
		}
		String[] parts = text.split(" ", 4);
		return new JobProgress(Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3].isEmpty() ? null : parts[3],
				Instant.ofEpochMilli(Long.parseLong(parts[0])));
	}

	private static @Nullable String text(JsonNode head, String name) {
		return head.has(name) ? head.path(name).asString() : null;
	}

	private static @Nullable Instant instant(JsonNode head, String name) {
		return head.has(name) ? Instant.ofEpochMilli(head.path(name).asLong()) : null;
	}

	/**
	 * Read a strategy. One that a later version of Locket writes is of no use to this
	 * one, which gives the job back without running it.
	 */
	private static LockStrategy lock(String code) {
		return LOCKS.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().equals(code))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(LockStrategy.DEFAULT);
	}

	private static ConflictStrategy conflict(@Nullable String code) {
		return Stream.of(ConflictStrategy.values())
			.filter((strategy) -> lower(strategy).equals(code))
			.findFirst()
			.orElse(ConflictStrategy.PARK);
	}

	static JobState state(String code) {
		return JobState.valueOf(code.toUpperCase(Locale.ROOT));
	}

	/**
	 * Read a state. One that is not known any more, or that only a later version of
	 * Locket knows, is none.
	 */
	static @Nullable JobState knownState(String code) {
		return Stream.of(JobState.values()).filter((state) -> lower(state).equals(code)).findFirst().orElse(null);
	}

	static String lower(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

	static long millis(Duration duration) {
		return duration.toMillis();
	}

	String write(Object value) {
		return this.mapper.writeValueAsString(value);
	}

	JsonNode tree(String json) {
		return this.mapper.readTree(json);
	}

}
