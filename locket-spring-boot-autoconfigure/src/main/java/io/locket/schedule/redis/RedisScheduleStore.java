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
import java.util.stream.Collectors;

import io.locket.queue.redis.QueueExtension;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleBook;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.Assert;

/**
 * Schedules in Redis, beside the queue. Every step is one script; what it keeps is told
 * in {@code book.lua}.
 */
public final class RedisScheduleStore implements ScheduleStore {

	private final QueueExtension queue;

	private final ScheduleFormat format;

	private final RedisScript<List<Object>> load;

	private final RedisScript<List<Object>> change;

	private final RedisScript<List<Object>> fire;

	/**
	 * Create a store.
	 * @param queue brings jobs into the queues; whoever made it closes it
	 */
	public RedisScheduleStore(QueueExtension queue) {
		this.queue = queue;
		this.format = new ScheduleFormat(queue::result);
		this.load = queue.script(part("book"), part("load"));
		this.change = queue.script(part("book"), part("change"));
		this.fire = queue.script(part("book"), part("fire"));
	}

	private static Resource part(String name) {
		return new ClassPathResource(name + ".lua", RedisScheduleStore.class);
	}

	@Override
	public ScheduleBook load() {
		List<Object> reply = this.queue.run("load the schedules", this.load, List.of());
		List<StoredSchedule> schedules = new ArrayList<>();
		for (int i = 2; i < reply.size(); i += 2) {
			this.format.find(reply.get(i).toString(), reply.get(i + 1).toString()).ifPresent(schedules::add);
		}
		schedules.sort(Comparator.comparing(StoredSchedule::name));
		return new ScheduleBook(Long.parseLong(reply.get(1).toString()), time(reply.get(0)), schedules);
	}

	@Override
	public long revision() {
		String revision = this.queue.field("look for changed schedules", "schedules", ":revision");
		return (revision != null) ? Long.parseLong(revision) : 0;
	}

	@Override
	public void put(Collection<ScheduleDefinition> definitions, @Nullable LeaseProof owner) {
		boolean owned = requireOrigins(definitions, ScheduleOrigin.PERSISTENT, ScheduleOrigin.TRANSIENT);
		Assert.isTrue(!owned || owner != null, "Transient schedules need the lease of their process");
		List<String> reply = change("put", ScheduleOrigin.PERSISTENT, owned ? owner : null, lines(definitions));
		requireHeld(reply);
		requireFree(reply);
	}

	@Override
	public Set<String> restore(Collection<ScheduleDefinition> definitions, LeaseProof owner) {
		requireOrigins(definitions, ScheduleOrigin.TRANSIENT, ScheduleOrigin.TRANSIENT);
		List<String> reply = change("restore", ScheduleOrigin.TRANSIENT, owner, lines(definitions));
		requireHeld(reply);
		return new LinkedHashSet<>(reply.subList(1, reply.size()));
	}

	private static void requireHeld(List<String> reply) {
		Assert.state(!reply.get(0).equals("lost"), "The lease of this process is lost: nothing was put");
	}

	@Override
	public @Nullable Set<String> owned(LeaseProof owner) {
		List<Object> reply = this.queue.run("look for the schedules of this process", this.load,
				List.of(owner.digest(), Long.toString(owner.fencingToken())));
		if (reply.size() == 1) {
			return null;
		}
		return reply.stream().skip(2).map(Object::toString).collect(Collectors.toSet());
	}

	@Override
	public void replaceAll(Collection<ScheduleDefinition> definitions) {
		requireOrigins(definitions, ScheduleOrigin.PERSISTENT, ScheduleOrigin.PERSISTENT);
		requireFree(change("replace", ScheduleOrigin.PERSISTENT, null, lines(definitions)));
	}

	@Override
	public @Nullable Set<String> configure(LeaseProof leader, Collection<ScheduleDefinition> definitions) {
		requireOrigins(definitions, ScheduleOrigin.CONFIGURED, ScheduleOrigin.CONFIGURED);
		List<String> reply = change("replace", ScheduleOrigin.CONFIGURED, leader, lines(definitions));
		return reply.get(0).equals("lost") ? null : new LinkedHashSet<>(reply.subList(1, reply.size()));
	}

	@Override
	public boolean remove(String name) {
		return requireFree(change("remove", ScheduleOrigin.PERSISTENT, null, List.of(name)));
	}

	@Override
	public boolean pause(String name) {
		return requireFree(change("pause", ScheduleOrigin.PERSISTENT, null, List.of(name)));
	}

	@Override
	public boolean resume(String name) {
		return requireFree(change("resume", ScheduleOrigin.PERSISTENT, null, List.of(name)));
	}

	/**
	 * Check origins and names.
	 * @return whether one is transient
	 */
	private static boolean requireOrigins(Collection<ScheduleDefinition> definitions, ScheduleOrigin one,
			ScheduleOrigin other) {
		definitions.forEach((definition) -> Assert.isTrue(definition.origin() == one || definition.origin() == other,
				() -> definition + " is " + definition.origin() + ", which cannot be put so"));
		Assert.isTrue(definitions.stream().map(ScheduleDefinition::name).distinct().count() == definitions.size(),
				"Two schedules have the same name");
		return definitions.stream().anyMatch((definition) -> definition.origin() == ScheduleOrigin.TRANSIENT);
	}

	private List<String> lines(Collection<ScheduleDefinition> definitions) {
		List<String> lines = new ArrayList<>(definitions.size() * 4);
		for (ScheduleDefinition definition : definitions) {
			lines.add(definition.name());
			lines.add(definition.enabled() ? "1" : "0");
			lines.add(ScheduleFormat.code(definition.origin()));
			lines.add(this.format.write(definition));
		}
		return lines;
	}

	private List<String> change(String what, ScheduleOrigin origin, @Nullable LeaseProof proof, List<String> lines) {
		List<Object> args = new ArrayList<>(4 + lines.size());
		args.add(what);
		args.add(ScheduleFormat.code(origin));
		args.add((proof != null) ? proof.digest() : "");
		args.add((proof != null) ? Long.toString(proof.fencingToken()) : "");
		args.addAll(lines);
		return this.queue.run(what + " schedules", this.change, args).stream().map(Object::toString).toList();
	}

	/**
	 * Check that nothing was in the way.
	 * @return whether something was found
	 */
	private static boolean requireFree(List<String> reply) {
		Assert.isTrue(!reply.get(0).equals("taken"), () -> "Configured schedules change with the configuration of the"
				+ " leader only, and can be paused: " + reply.subList(1, reply.size()));
		return reply.size() > 1;
	}

	@Override
	public FiringReply fire(LeaseProof leader, Duration ttl, List<Firing> firings) {
		Assert.isTrue(firings.size() <= BATCH, () -> "At most " + BATCH + " firings are asked for at once");
		List<Object> args = new ArrayList<>(4 + firings.size() * 7);
		args.add(this.queue.knownFor());
		args.add(leader.digest());
		args.add(Long.toString(leader.fencingToken()));
		args.add(Long.toString(ttl.toMillis()));
		for (Firing firing : firings) {
			args.add(firing.schedule());
			args.add(Long.toString(firing.revision()));
			args.add(Long.toString(firing.time().toEpochMilli()));
			args.addAll(this.queue.arguments(firing.job()));
		}
		List<Object> reply = this.queue.run("fire " + firings.size() + " time(s)", this.fire, args);
		this.queue.publish((List<?>) reply.get(2));
		List<FiringResult> results = ((List<?>) reply.get(1)).stream()
			.map((answer) -> result((List<?>) answer))
			.toList();
		return new FiringReply(time(reply.get(0)), results);
	}

	private FiringResult result(List<?> answer) {
		String kind = Objects.toString(answer.get(0));
		if (kind.equals("fired")) {
			return new FiringResult.Fired(this.queue.result(answer.subList(1, answer.size())));
		}
		return FiringResult.Refused.valueOf(kind.toUpperCase(Locale.ROOT));
	}

	private static Instant time(Object millis) {
		return Instant.ofEpochMilli(Long.parseLong(millis.toString()));
	}

}
