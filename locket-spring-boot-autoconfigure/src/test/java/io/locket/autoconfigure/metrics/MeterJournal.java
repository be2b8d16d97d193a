package io.locket.autoconfigure.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

import io.locket.metrics.LocketMeters;
import io.locket.queue.EnqueueResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;

/**
 * Journal of the participants of a test, and the meter values that follow from it.
 */
final class MeterJournal {

	static final String DIRECT = "(direct)";

	private final Map<Note, LongAdder> notes = new ConcurrentHashMap<>();

	private final Map<String, Long> expected = new TreeMap<>();

	/**
	 * Records an event of a job in a queue.
	 */
	void note(String what, String job, String queue) {
		this.notes.computeIfAbsent(new Note(what, job, queue), (note) -> new LongAdder()).increment();
	}

	long noted(String what, String job, String queue) {
		LongAdder count = this.notes.get(new Note(what, job, queue));
		return (count != null) ? count.sum() : 0;
	}

	void forEach(BiConsumer<Note, Long> action) {
		this.notes.forEach((note, count) -> action.accept(note, count.sum()));
	}

	/**
	 * Records the result of enqueuing a job.
	 */
	void note(EnqueueResult result, String job, String queue) {
		note(result.getClass().getSimpleName().toLowerCase(Locale.ROOT), job, queue);
	}

	/**
	 * Expects the value of a meter.
	 */
	void expect(long count, LocketMeters meter, String... values) {
		if (count != 0) {
			Map<String, String> tags = new TreeMap<>();
			for (int i = 0; i < values.length; i++) {
				tags.put(meter.tags().get(i), values[i]);
			}
			this.expected.merge(meter.meterName() + tags, count, Long::sum);
		}
	}

	Map<String, Long> expected() {
		return this.expected;
	}

	/**
	 * Returns the expected sum of a meter over all tags.
	 */
	long expected(LocketMeters meter) {
		return this.expected.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(meter.meterName() + "{"))
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

	/**
	 * Returns the sums of the meters of jobs and calls over several processes, without
	 * zeros.
	 */
	static Map<String, Long> counted(List<MeterRegistry> registries) {
		Map<String, Long> counted = new TreeMap<>();
		for (MeterRegistry registry : registries) {
			for (Meter meter : registry.getMeters()) {
				if (meter.getId().getName().matches("locket\\.(job|call)\\..*") && count(meter) != 0) {
					counted.merge(meter.getId().getName() + tags(meter), count(meter), Long::sum);
				}
			}
		}
		return counted;
	}

	private static Map<String, String> tags(Meter meter) {
		Map<String, String> tags = new TreeMap<>();
		for (Tag tag : meter.getId().getTags()) {
			tags.put(tag.getKey(), tag.getValue());
		}
		return tags;
	}

	private static long count(Meter meter) {
		return (meter instanceof Timer timer) ? timer.count() : (long) ((Counter) meter).count();
	}

	/**
	 * A recorded event.
	 *
	 * @param what the event
	 * @param job the name of the job
	 * @param queue the queue, or {@link #DIRECT} for direct calls
	 */
	record Note(String what, String job, String queue) {

	}

}
