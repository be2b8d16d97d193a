package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.locket.queue.Violation;

import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * Check of everything that is stored, in pages of a hundred subjects. A script checks
 * each page atomically, so a violation existed at one instant even if jobs run meanwhile.
 */
final class QueueCheck {

	private static final int PAGE = 100;

	private static final List<String> PLACES = List.of("scheduled", "parked", "retry", "dead");

	private static final List<String> SETS = List.of("due", "running", "ended", "dead", "unreadable", "queues");

	private final StringRedisTemplate redis;

	private final QueueKeys keys;

	private final Function<String, Collection<String>> asides;

	private final BiFunction<String, List<String>, List<Violation>> check;

	private final Set<Violation> found = new LinkedHashSet<>();

	/**
	 * Creates a check.
	 * @param redis the template to scan the store with
	 * @param keys the names of the keys
	 * @param asides returns the names of the jobs that are set aside in a queue
	 * @param check runs the script for a kind of subject
	 */
	QueueCheck(StringRedisTemplate redis, QueueKeys keys, Function<String, Collection<String>> asides,
			BiFunction<String, List<String>, List<Violation>> check) {
		this.redis = redis;
		this.keys = keys;
		this.asides = asides;
		this.check = check;
	}

	/**
	 * Runs the check.
	 * @param names returns the names of the queues, to which some may be added during the
	 * check
	 * @return the violations
	 */
	List<Violation> run(Supplier<? extends Collection<String>> names) {
		Set<String> digests = new LinkedHashSet<>();
		eachField("jobs", this.keys.jobs(), "");
		eachField("tickets", this.keys.tickets(), "");
		eachField("attempts", this.keys.attempts(), "");
		eachField("pollers", this.keys.state(), "w:");
		eachField("marks", this.keys.state(), "i:");
		Collection<String> queues = names.get();
		for (String set : SETS) {
			eachMember(set, digests);
		}
		for (String queue : queues) {
			PLACES.forEach((place) -> eachMember(place + ":" + queue, digests));
			eachReady(queue, digests);
			this.asides.apply(queue).forEach((job) -> eachMember("unknown:" + queue + " " + job, digests));
		}
		digests.forEach((digest) -> eachMember("parked-on:" + digest, new LinkedHashSet<>()));
		each("parked-on", digests::forEach);
		this.found.addAll(this.check.apply("totals", List.of()));
		each("counters", queues::forEach);
		return List.copyOf(this.found);
	}

	private static ScanOptions options() {
		return ScanOptions.scanOptions().count(PAGE).build();
	}

	private void eachField(String what, String hash, String prefix) {
		each(what, (page) -> {
			try (Cursor<Map.Entry<String, String>> cursor = this.redis.<String, String>opsForHash()
				.scan(hash, options())) {
				cursor.forEachRemaining((entry) -> {
					if (entry.getKey().startsWith(prefix)) {
						page.accept(entry.getKey());
					}
				});
			}
		});
	}

	/**
	 * The ready jobs of a queue are in segments.
	 */
	private void eachReady(String queue, Set<String> digests) {
		String segments = "ready:" + queue;
		eachMember(segments, digests);
		Set<String> numbers = this.redis.opsForZSet().range(this.keys.name(segments), 0, -1);
		for (String number : Objects.requireNonNullElse(numbers, Set.<String>of())) {
			eachMember(segments + " " + number, digests);
		}
	}

	private void eachMember(String set, Set<String> digests) {
		each(set, (page) -> {
			try (Cursor<TypedTuple<String>> cursor = this.redis.opsForZSet().scan(this.keys.name(set), options())) {
				cursor.forEachRemaining((entry) -> {
					String text = String.valueOf(entry.getValue());
					if (text.startsWith("k:")) {
						digests.add(text.substring(2));
					}
					page.accept(text);
				});
			}
		});
	}

	private void each(String what, Consumer<Consumer<String>> source) {
		List<String> page = new ArrayList<>();
		source.accept((subject) -> {
			page.add(subject);
			if (page.size() == PAGE) {
				flush(what, page);
			}
		});
		flush(what, page);
	}

	private void flush(String what, List<String> page) {
		if (!page.isEmpty()) {
			this.found.addAll(this.check.apply(what, List.copyOf(page)));
			page.clear();
		}
	}

}
