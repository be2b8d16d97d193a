package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.locket.queue.Violation;
import io.locket.queue.redis.format.ReplyNumbers;

import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * Check of everything that is stored, in pages of a hundred subjects. A script checks
 * each page atomically, so a violation existed at one instant even if jobs run meanwhile.
 * The script reads small sorted sets itself, several in one page.
 */
final class QueueCheck {

	private static final int PAGE = 100;

	private static final List<String> PLACES = List.of("scheduled", "parked", "retry", "dead", "ready");

	private static final List<String> SETS = List.of("due", "running", "ended", "dead", "unreadable", "queues");

	private static final String JOBS = "jobs";

	private static final String PARKED_ON = "parked-on";

	private final StringRedisTemplate redis;

	private final QueueKeys keys;

	private final Function<List<String>, List<String>> asides;

	private final BiFunction<String, List<String>, List<Object>> check;

	private final Set<Violation> found = new LinkedHashSet<>();

	/**
	 * Names of the sorted sets, to which the check adds those that it finds.
	 */
	private final List<String> sets = new ArrayList<>(SETS);

	/**
	 * Ids of damaged records, which are checked after all sets. A repair sets most of
	 * them aside where it finds them in a set, so that no script searches for the sets of
	 * a job.
	 */
	private final List<String> damaged = new ArrayList<>();

	/**
	 * Creates a check.
	 * @param redis the template to scan the store with
	 * @param keys the names of the keys
	 * @param asides returns the names of the jobs that are set aside in some queues, each
	 * after the name of its queue and a blank
	 * @param check runs the script for a kind of subject
	 */
	QueueCheck(StringRedisTemplate redis, QueueKeys keys, Function<List<String>, List<String>> asides,
			BiFunction<String, List<String>, List<Object>> check) {
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
		eachField(JOBS, this.keys.jobs(), "");
		eachField("tickets", this.keys.tickets(), "");
		eachField("attempts", this.keys.attempts(), "");
		eachField("pollers", this.keys.state(), "w:");
		eachField("marks", this.keys.state(), "i:");
		Collection<String> queues = names.get();
		for (String queue : queues) {
			PLACES.forEach((place) -> this.sets.add(place + ":" + queue));
		}
		each(queues::forEach, (page) -> this.asides.apply(page).forEach((job) -> this.sets.add("unknown:" + job)));
		eachSet();
		each("records", this.damaged::forEach);
		each(PARKED_ON, this::eachKey);
		check("totals", List.of());
		eachQueue(List.copyOf(queues));
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

	private void eachSet() {
		int done = 0;
		while (done < this.sets.size()) {
			int to = Math.min(this.sets.size(), done + PAGE);
			int checked = check("sets", List.copyOf(this.sets.subList(done, to)));
			if (checked == 0) {
				eachMember(this.sets.get(done));
				checked = 1;
			}
			done += checked;
		}
	}

	/**
	 * Checks the counters of queues. A call checks fewer of them if they have many ready
	 * jobs.
	 */
	private void eachQueue(List<String> queues) {
		int done = 0;
		while (done < queues.size()) {
			int to = Math.min(queues.size(), done + PAGE);
			done += Math.max(1, check("counters", queues.subList(done, to)));
		}
	}

	private void eachMember(String set) {
		each(set, (page) -> {
			try (Cursor<TypedTuple<String>> cursor = this.redis.opsForZSet().scan(this.keys.name(set), options())) {
				cursor.forEachRemaining((entry) -> page.accept(String.valueOf(entry.getValue())));
			}
		});
	}

	/**
	 * The keys with parked jobs.
	 */
	private void eachKey(Consumer<String> page) {
		String prefix = PARKED_ON + ":";
		this.sets.stream()
			.filter((set) -> set.startsWith(prefix))
			.distinct()
			.forEach((set) -> page.accept(set.substring(prefix.length())));
	}

	private void each(String what, Consumer<Consumer<String>> source) {
		each(source, (page) -> check(what, page));
	}

	private static void each(Consumer<Consumer<String>> source, Consumer<List<String>> pages) {
		List<String> page = new ArrayList<>();
		source.accept((subject) -> {
			page.add(subject);
			if (page.size() == PAGE) {
				pages.accept(List.copyOf(page));
				page.clear();
			}
		});
		if (!page.isEmpty()) {
			pages.accept(page);
		}
	}

	/**
	 * Runs the script.
	 * @return the number of sorted sets or queues that it has checked whole
	 */
	private int check(String what, List<String> subjects) {
		List<Object> reply = this.check.apply(what, subjects);
		((List<?>) reply.get(0)).forEach((violation) -> this.found.add(violation((List<?>) violation)));
		List<String> further = what.equals(JOBS) ? this.damaged : this.sets;
		((List<?>) reply.get(1)).forEach((subject) -> further.add(subject.toString()));
		return (int) ReplyNumbers.number(reply.get(2));
	}

	private static Violation violation(List<?> parts) {
		return new Violation(parts.get(0).toString(), parts.get(1).toString(), ReplyNumbers.number(parts.get(2)) == 1);
	}

}
