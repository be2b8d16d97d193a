package io.locket.queue.redis.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.key.KeyText;
import io.locket.queue.spi.NewJob;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * Encoder of the definition of a job, the immutable part of its record, and of the other
 * arguments of {@code enqueue.lua}. {@code layout.lua} describes the definition.
 * Thread-safe.
 */
public final class DefinitionFormat {

	/**
	 * Number of script arguments per job.
	 */
	public static final int ARGUMENTS = 7;

	private static final int FIXED = 4 + 2 + 5 + 1 + 1 + 2 + 1 + 4;

	private static final int OPTIONS = 5 + 5 + 6 + 4 + 4;

	private static final long LARGEST_PERIOD = (1L << 48) - 1;

	private static final long LARGEST_LEASE = (1L << 40) - 1;

	private static final byte[] EMPTY = new byte[0];

	private final JsonMapper mapper = JsonMapper.builder().build();

	/**
	 * Adds the arguments of a job. {@code read_new} in {@code entry.lua} describes them.
	 * @param job the job
	 * @param arguments the list that receives the arguments
	 */
	public void add(NewJob job, List<Object> arguments) {
		arguments.add(job.id());
		arguments.add(definition(job));
		addStart(job, arguments);
		arguments.add(RecordFormat.lower(job.onDuplicate()));
		arguments.add(maxDelay(job));
		arguments.add(claim(job));
	}

	/**
	 * Returns the arguments of {@code admit-one.lua} for a job, or those of
	 * {@code admit-later.lua} if it has a start time.
	 * @param job the job
	 * @return the arguments
	 */
	public List<Object> plain(NewJob job) {
		List<Object> arguments = new ArrayList<>(4);
		arguments.add(job.id());
		arguments.add(definition(job));
		if (!job.start().equals(NewJob.Start.NOW)) {
			addStart(job, arguments);
		}
		return arguments;
	}

	/**
	 * Returns the arguments of {@code admit.lua} for some jobs.
	 * @param jobs the jobs
	 * @return the arguments
	 */
	public List<Object> plain(List<NewJob> jobs) {
		List<Object> arguments = new ArrayList<>(1 + 3 * jobs.size());
		arguments.add(starts(jobs));
		for (NewJob job : jobs) {
			arguments.add(job.id());
			arguments.add(definition(job));
			arguments.add(claim(job));
		}
		return arguments;
	}

	/**
	 * Returns the arguments of {@code replace.lua} for a job.
	 * @param job the job
	 * @param knownFor the time for which the id of a replacement stays known, in ms
	 * @return the arguments
	 */
	public List<Object> replacing(NewJob job, String knownFor) {
		List<Object> arguments = new ArrayList<>(6);
		arguments.add(job.id());
		arguments.add(definition(job));
		addStart(job, arguments);
		arguments.add(maxDelay(job));
		arguments.add(knownFor);
		return arguments;
	}

	private static String maxDelay(NewJob job) {
		return (job.maxDelay() != null) ? Long.toString(millis(job.maxDelay())) : "";
	}

	/**
	 * Returns the start times of some jobs, or an empty text if all are due now.
	 * {@code admit.lua} describes them.
	 */
	private static String starts(List<NewJob> jobs) {
		boolean now = jobs.stream().allMatch((job) -> job.start().equals(NewJob.Start.NOW));
		return now ? "" : jobs.stream().map((job) -> start(job.start())).collect(Collectors.joining(" "));
	}

	private static String start(NewJob.Start start) {
		if (start.equals(NewJob.Start.NOW)) {
			return "-";
		}
		Instant at = start.at();
		return (at != null) ? "@" + QueryFormat.millis(at) : Long.toString(millis(start.delay()));
	}

	private static void addStart(NewJob job, List<Object> arguments) {
		Duration delay = job.start().delay();
		arguments.add((delay != null) ? Long.toString(millis(delay)) : "");
		arguments.add(QueryFormat.millis(job.start().at()));
	}

	/**
	 * Returns the definition of a job, followed by its arguments.
	 */
	byte[] definition(NewJob job) {
		byte[] conflict = isUnusual(job.onConflict()) ? bytes(RecordFormat.lower(job.onConflict())) : EMPTY;
		byte[] name = bytes(job.job());
		byte[] queue = bytes(job.queue());
		JobKey key = job.key();
		byte[] digest = (key != null) ? bytes(key.digest()) : EMPTY;
		byte[] text = (key != null && !isDerived(key.text(), job.arguments())) ? bytes(key.text()) : EMPTY;
		byte[] trace = (job.trace() != null) ? bytes(job.trace()) : EMPTY;
		byte[] arguments = bytes(job.arguments());
		Assert.isTrue(name.length < 1 << 16, "The name of a job must have less than 65536 bytes");
		long held = Math.min(millis(job.holdAtLeast()), LARGEST_LEASE);
		long rescheduled = (job.onConflict() == ConflictStrategy.RESCHEDULE)
				? Math.min(millis(job.rescheduleAfter()), LARGEST_LEASE) : 0;
		long unique = Math.min(millis(job.uniqueFor()), LARGEST_PERIOD);
		boolean hasOptions = held + rescheduled + unique + text.length + trace.length > 0;
		int size = FIXED + conflict.length + name.length + queue.length + digest.length
				+ (hasOptions ? OPTIONS + text.length + trace.length : 0);
		ByteBuffer bytes = ByteBuffer.allocate(size + arguments.length);
		bytes.putInt(size - 4);
		bytes.put(bytes(String.valueOf(RecordFormat.LOCKS.get(job.lock()))));
		put(bytes, 5, Math.min(millis(job.leaseFor()), LARGEST_LEASE));
		put(bytes, 1, digest);
		put(bytes, 1, queue);
		put(bytes, 2, name);
		put(bytes, 1, conflict);
		put(bytes, 4, job.retries());
		if (hasOptions) {
			put(bytes, 5, held);
			put(bytes, 5, rescheduled);
			put(bytes, 6, unique);
			put(bytes, 4, text);
			put(bytes, 4, trace);
		}
		return bytes.put(arguments).array();
	}

	/**
	 * Returns whether scripts can derive the readable key from the arguments. Lua counts
	 * bytes, so a long text must be ASCII.
	 */
	private static boolean isDerived(String text, String arguments) {
		return text.equals(KeyText.cut(arguments)) && (arguments.length() <= KeyText.MAX_LENGTH || isAscii(arguments));
	}

	private static boolean isAscii(String text) {
		return text.chars().allMatch((character) -> character < 0x80);
	}

	private static void put(ByteBuffer bytes, int sizeOfLength, byte[] text) {
		put(bytes, sizeOfLength, text.length);
		bytes.put(text);
	}

	private static void put(ByteBuffer bytes, int size, long number) {
		for (int i = size - 1; i >= 0; i--) {
			bytes.put((byte) (number >> (Byte.SIZE * i)));
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static boolean isUnusual(ConflictStrategy onConflict) {
		return onConflict != ConflictStrategy.PARK && onConflict != ConflictStrategy.WAIT;
	}

	/**
	 * Returns the holder record of the claim of a job, or an empty text if it makes none.
	 */
	private String claim(NewJob job) {
		JobKey key = job.key();
		return (job.lock() == LockStrategy.UNTIL_EXPIRED && key != null) ? this.mapper.writeValueAsString(
				Map.of("job", key.job(), "key", key.text(), "instance", "queue", "thread", job.queue())) : "";
	}

	private static long millis(@Nullable Duration duration) {
		return (duration != null) ? Math.max(duration.toMillis(), 0) : 0;
	}

}
