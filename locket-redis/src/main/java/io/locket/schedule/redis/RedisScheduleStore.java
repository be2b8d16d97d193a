package io.locket.schedule.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import io.locket.queue.redis.QueueExtension;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleRules;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.Assert;

/**
 * {@link ScheduleStore} in Redis, beside the queue. Every step is one script. The data is
 * documented in {@code book.lua}.
 */
public final class RedisScheduleStore implements ScheduleStore {

	/**
	 * Maximum number of schedules in a reply, as in {@code load.lua}.
	 */
	private static final int PAGE = 500;

	/**
	 * Maximum number of attempts to load all pages.
	 */
	private static final int ATTEMPTS = 3;

	private static final String REMOVE = "remove";

	private static final Pattern REVISION = Pattern.compile("[0-9]{1,13}");

	private final QueueExtension queue;

	private final ScheduleFormat format;

	private final RedisScript<List<Object>> revision;

	private final RedisScript<List<Object>> load;

	private final RedisScript<List<Object>> change;

	private final RedisScript<List<Object>> fire;

	/**
	 * Creates a store.
	 * @param queue the extension of the queue that enqueues jobs; its creator closes it
	 */
	public RedisScheduleStore(QueueExtension queue) {
		this.queue = queue;
		this.format = new ScheduleFormat(queue::result);
		this.revision = queue.scriptOfOneKey(part("revision"));
		this.load = queue.script(part("book"), part("load"));
		this.change = queue.script(part("book"), part("change"));
		this.fire = queue.script(part("book"), part("fire"));
	}

	private static Resource part(String name) {
		return new ClassPathResource(name + ".lua", RedisScheduleStore.class);
	}

	@Override
	public ScheduleSnapshot load() {
		return load(ATTEMPTS);
	}

	/**
	 * Loads page by page, and starts again if something has changed meanwhile. The next
	 * check of the revision detects changes since the first page.
	 */
	private ScheduleSnapshot load(int attempts) {
		Page first = page(List.of());
		List<StoredSchedule> schedules = new ArrayList<>(first.schedules());
		for (int from = 0; from < first.more().size(); from += PAGE) {
			Page page = page(first.more().subList(from, Math.min(from + PAGE, first.more().size())));
			if (page.revision() != first.revision() && attempts > 1) {
				return load(attempts - 1);
			}
			schedules.addAll(page.schedules());
		}
		schedules.sort(Comparator.comparing(StoredSchedule::name));
		return new ScheduleSnapshot(first.revision(), first.time(), schedules);
	}

	@Override
	public ScheduleSnapshot find(String name) {
		Page page = page(List.of(name));
		return new ScheduleSnapshot(page.revision(), page.time(), page.schedules());
	}

	private Page page(List<String> names) {
		List<Object> reply = this.queue.run("load schedules", this.load, names);
		List<String> damaged = texts(reply.get(3));
		for (int i = 0; i < damaged.size(); i += 2) {
			this.format.damaged(damaged.get(i), damaged.get(i + 1));
		}
		List<StoredSchedule> schedules = new ArrayList<>();
		List<String> found = texts(reply.get(4));
		for (int i = 0; i < found.size(); i += 2) {
			this.format.find(found.get(i), found.get(i + 1)).ifPresent(schedules::add);
		}
		return new Page(time(reply.get(0)), revision(reply.get(1).toString()), texts(reply.get(2)), schedules);
	}

	@Override
	public long revision() {
		return revision(this.queue.field("check for changed schedules", "schedules", ":revision"));
	}

	@Override
	public RevisionAt revisionAt() {
		List<Object> reply = this.queue.runOnKey("check for changed schedules", this.revision, "schedules");
		return new RevisionAt(revision(reply.get(1).toString()), time(reply.get(0)));
	}

	/**
	 * Parses a revision. Invalid text counts as zero, as in {@code book.lua}.
	 */
	private static long revision(@Nullable String text) {
		return (text != null && REVISION.matcher(text).matches()) ? Long.parseLong(text) : 0;
	}

	@Override
	public void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner) {
		ScheduleStore.require(definitions, Set.of(ScheduleOrigin.PERSISTENT, ScheduleOrigin.TRANSIENT));
		boolean owned = definitions.stream().anyMatch((definition) -> definition.origin() == ScheduleOrigin.TRANSIENT);
		Assert.isTrue(!owned || owner != null, "Transient schedules need the lease of their process");
		requireFree(change("put", ScheduleOrigin.PERSISTENT, owned ? owner : null, "", lines(definitions)));
	}

	@Override
	public Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner) {
		ScheduleStore.require(definitions, Set.of(ScheduleOrigin.TRANSIENT));
		Change change = change("restore", ScheduleOrigin.TRANSIENT, owner, "", lines(definitions));
		requireFree(change);
		return new LinkedHashSet<>(change.names());
	}

	@Override
	public void replaceAll(String group, Collection<ScheduleDefinition> definitions) {
		ScheduleStore.require(definitions, ScheduleOrigin.PERSISTENT, group);
		requireFree(change("replace", ScheduleOrigin.PERSISTENT, null, group, lines(definitions)));
	}

	@Override
	public @Nullable Configured configure(LeaseProof leader, String group, Collection<ScheduleDefinition> definitions) {
		ScheduleStore.require(definitions, ScheduleOrigin.CONFIGURED, group);
		Change change = change("replace", ScheduleOrigin.CONFIGURED, leader, group, lines(definitions));
		return change.isLost() ? null
				: new Configured(new LinkedHashSet<>(change.names()), new LinkedHashSet<>(change.ended()));
	}

	@Override
	public boolean remove(String name) {
		Change change = change(REMOVE, ScheduleOrigin.PERSISTENT, null, "", List.of(name));
		Assert.isTrue(!change.isTaken(), () -> ScheduleRules.configured(name));
		return !change.names().isEmpty();
	}

	@Override
	public boolean pause(String name) {
		return !change("pause", ScheduleOrigin.PERSISTENT, null, "", List.of(name)).names().isEmpty();
	}

	@Override
	public boolean resume(String name) {
		return !change("resume", ScheduleOrigin.PERSISTENT, null, "", List.of(name)).names().isEmpty();
	}

	private List<String> lines(Collection<ScheduleDefinition> definitions) {
		List<String> lines = new ArrayList<>(definitions.size() * 5);
		for (ScheduleDefinition definition : definitions) {
			lines.add(definition.name());
			lines.add(definition.enabled() ? "1" : "0");
			lines.add(ScheduleFormat.code(definition.origin()));
			lines.add(definition.group());
			lines.add(this.format.write(definition));
		}
		return lines;
	}

	private Change change(String what, ScheduleOrigin origin, @Nullable LeaseProof proof, String group,
			List<String> lines) {
		List<String> args = new ArrayList<>(5 + lines.size());
		args.add(what);
		args.add(ScheduleFormat.code(origin));
		args.add((proof != null) ? proof.digest() : "");
		args.add((proof != null) ? Long.toString(proof.fencingToken()) : "");
		args.add(group);
		args.addAll(lines);
		// A repeated removal finds nothing, so it would return that there is no schedule.
		return Change.of(what.equals(REMOVE) ? this.queue.runOnce(what + " schedules", this.change, args)
				: this.queue.run(what + " schedules", this.change, args));
	}

	private static void requireFree(Change change) {
		Assert.state(!change.isLost(), ScheduleRules.LOST);
		Assert.isTrue(!change.isTaken(), () -> ScheduleRules.taken(change.names().get(0), change.names().get(1)));
	}

	@Override
	public FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings) {
		Assert.isTrue(firings.size() <= BATCH, () -> "At most " + BATCH + " firings can be requested at once");
		List<Object> args = new ArrayList<>(4 + firings.size() * 12);
		args.add(this.queue.knownFor());
		args.add(leader.digest());
		args.add(Long.toString(leader.fencingToken()));
		args.add(Long.toString(ttl.toMillis()));
		for (Firing firing : firings) {
			args.add(firing.schedule());
			args.add(Long.toString(firing.revision()));
			args.add(Long.toString(firing.time().toEpochMilli()));
			args.add(Long.toString(firing.latest().toEpochMilli()));
			args.add((firing.lastFired() != null) ? Long.toString(firing.lastFired().toEpochMilli()) : "0");
			this.queue.add(firing.job(), args);
		}
		List<Object> reply = this.queue.run("fire " + firings.size() + " time(s)", this.fire, args);
		this.queue.publish((List<?>) reply.get(2));
		List<FiringResult> results = ((List<?>) reply.get(1)).stream()
			.map((values) -> result((List<?>) values))
			.toList();
		return new FiringReply(time(reply.get(0)), results);
	}

	private FiringResult result(List<?> values) {
		String kind = Objects.toString(values.get(0));
		if (kind.equals("fired")) {
			return new FiringResult.Fired(this.queue.result(values.subList(1, values.size())));
		}
		return FiringResult.Refused.valueOf(kind.toUpperCase(Locale.ROOT));
	}

	private static Instant time(Object millis) {
		return Instant.ofEpochMilli(Long.parseLong(millis.toString()));
	}

	private static List<String> texts(Object list) {
		return ((List<?>) list).stream().map(Object::toString).toList();
	}

	/**
	 * Page of schedules in the reply of a script.
	 */
	private record Page(Instant time, long revision, List<String> more, List<StoredSchedule> schedules) {

	}

	/**
	 * Reply of a script to a change.
	 */
	private record Change(String kind, List<String> names, List<String> ended) {

		static Change of(List<Object> reply) {
			return new Change(reply.get(0).toString(), (reply.size() > 1) ? texts(reply.get(1)) : List.of(),
					(reply.size() > 2) ? texts(reply.get(2)) : List.of());
		}

		boolean isLost() {
			return this.kind.equals("lost");
		}

		boolean isTaken() {
			return this.kind.equals("taken");
		}

	}

}
