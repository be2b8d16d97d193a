package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.locket.queue.Violation;

import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * Goes through everything that is stored, a hundred at a time, and has each checked by a
 * script: what is found contradicts the invariants at one instant, whatever happens
 * meanwhile.
 */
final class QueueCheck {

	private static final int PAGE = 100;

	private static final List<String> PLACES = List.of("scheduled", "ready", "parked", "retry", "dead");

	private static final List<String> SETS = List.of("due", "running", "ended", "dead");

	private final StringRedisTemplate redis;

	private final QueueKeys keys;

	private final BiFunction<String, List<String>, List<Violation>> check;

	private final Set<Violation> found = new LinkedHashSet<>();

	/**
	 * Create a check.
	 * @param redis to go through what is stored
	 * @param keys the names
	 * @param check runs the script on a kind of subjects
	 */
	QueueCheck(StringRedisTemplate redis, QueueKeys keys, BiFunction<String, List<String>, List<Violation>> check) {
		this.redis = redis;
		this.keys = keys;
		this.check = check;
	}

	List<Violation> run(Collection<String> queues) {
		Set<String> digests = new LinkedHashSet<>();
		eachField("jobs", this.keys.jobs());
		eachField("tickets", this.keys.tickets());
		for (String set : SETS) {
			eachMember(set, digests);
		}
		for (String queue : queues) {
			PLACES.forEach((place) -> eachMember(place + ":" + queue, digests));
		}
		each("parked-on", digests::forEach);
		each("queues", queues::forEach);
		this.found.addAll(this.check.apply("totals", List.of()));
		return List.copyOf(this.found);
	}

	private static ScanOptions options() {
		return ScanOptions.scanOptions().count(PAGE).build();
	}

	private void eachField(String what, String hash) {
		each(what, (page) -> {
			try (Cursor<Map.Entry<String, String>> cursor = this.redis.<String, String>opsForHash()
				.scan(hash, options())) {
				cursor.forEachRemaining((entry) -> page.accept(entry.getKey()));
			}
		});
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
