package io.locket.queue.redis;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import io.locket.JobKey;
import io.locket.event.JobEventPublisher;
import io.locket.lease.HolderText;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.queue.DueTime;
import io.locket.queue.DueTimeListing;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobListing;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.JobSighting;
import io.locket.queue.JobStore;
import io.locket.queue.KeyOccupant;
import io.locket.queue.PutBack;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueNames;
import io.locket.queue.SteerAction;
import io.locket.queue.SteerResult;
import io.locket.queue.StoreOverview;
import io.locket.queue.Violation;
import io.locket.queue.WorkerSighting;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The queue in Redis as operators see it, beside {@link RedisJobQueue}.
 */
public final class RedisJobStore implements JobStore, AutoCloseable {

	private static final int BATCH = 100;

	private static final List<String> PLACES = List.of("scheduled", "retry", "parked", "ready");

	private final LeaseConnections connections;

	private final AtomicBoolean closed = new AtomicBoolean();

	private final QueueScripts scripts;

	private final QueueCommands commands;

	private final RecordFormat format = new RecordFormat();

	private final QueueEvents events;

	private final StoreViews views;

	/**
	 * Create a store.
	 * @param connections the connections, of which it becomes a user
	 * @param keys the names of leases in Redis, whose namespace and lock space it shares
	 * @param events is told of what happens
	 */
	public RedisJobStore(LeaseConnections connections, LeaseKeys keys, JobEventPublisher events) {
		this(connections, keys, events, QueueScripts.load());
	}

	RedisJobStore(LeaseConnections connections, LeaseKeys keys, JobEventPublisher events, QueueScripts scripts) {
		this.connections = connections.retain();
		this.scripts = scripts;
		this.commands = new QueueCommands(connections, keys);
		this.events = new QueueEvents(events);
		this.views = new StoreViews(this.commands, scripts, this.format);
	}

	@Override
	public Optional<JobRecord> find(String id) {
		Object text = this.commands.ask("find " + id,
				() -> this.commands.redis().opsForHash().get(this.commands.keys().jobs(), id));
		return Optional.ofNullable(text).flatMap((record) -> this.format.find(id, record.toString()));
	}

	@Override
	public JobPage list(JobListing listing) {
		List<Object> reply = this.commands.run("list jobs that are " + listing.state(), this.scripts.list(),
				ListingFormat.write(listing));
		List<JobRecord> jobs = new ArrayList<>();
		for (int i = 1; i < reply.size(); i += 2) {
			this.format.find(reply.get(i).toString(), reply.get(i + 1).toString()).ifPresent(jobs::add);
		}
		return new JobPage(jobs, orNull(reply.get(0)));
	}

	@Override
	public List<DueTime> dueTimes(DueTimeListing listing) {
		List<Object> reply = this.commands.run("tell when jobs of " + listing.queue() + " are due",
				this.scripts.dueTimes(),
				List.of(listing.queue(), ListingFormat.millis(listing.from()), Integer.toString(listing.limit())));
		List<DueTime> times = new ArrayList<>();
		for (int i = 0; i < reply.size(); i += 2) {
			times.add(new DueTime(Instant.ofEpochMilli(Reservations.number(reply.get(i))),
					Reservations.number(reply.get(i + 1))));
		}
		return times;
	}

	@Override
	public List<SteerResult> steer(SteerAction action, List<JobSighting> jobs) {
		Assert.isTrue(jobs.size() <= BATCH, () -> "At most " + BATCH + " jobs are steered at once");
		if (jobs.isEmpty()) {
			return List.of();
		}
		List<Object> args = new ArrayList<>(3 + jobs.size() * 5);
		args.add(action.id());
		args.add(RecordFormat.lower(action.kind()));
		args.add(Objects.requireNonNullElse(action.queue(), ""));
		for (JobSighting job : jobs) {
			args.add(job.id());
			args.add(job.states().stream().map(RecordFormat::lower).collect(Collectors.joining(" ")));
			args.add(Objects.requireNonNullElse(job.queue(), ""));
			args.add(ListingFormat.sha1(job.arguments()));
			args.add(ListingFormat.millis(job.due()));
		}
		List<Object> reply = this.commands.run(RecordFormat.lower(action.kind()) + " " + jobs.size() + " job(s)",
				this.scripts.steer(), args);
		this.events.publish((List<?>) reply.get(1));
		return ((List<?>) reply.get(0)).stream()
			.map((answer) -> SteerResult.valueOf(answer.toString().toUpperCase(Locale.ROOT)))
			.toList();
	}

	@Override
	public List<EnqueueResult> putBack(List<PutBack> letters) {
		Assert.isTrue(letters.size() <= BATCH, () -> "At most " + BATCH + " letters are put back at once");
		if (letters.isEmpty()) {
			return List.of();
		}
		List<Object> args = new ArrayList<>(letters.size() * 2);
		for (PutBack letter : letters) {
			args.add(letter.id());
			args.add(letter.newId());
		}
		List<Object> reply = this.commands.run("put " + letters.size() + " dead letter(s) back", this.scripts.putBack(),
				args);
		this.events.publish((List<?>) reply.get(1));
		return EnqueueAnswers.read(reply.get(0));
	}

	@Override
	public Optional<KeyOccupant> occupant(JobKey key) {
		List<Object> reply = this.commands.run("look at the key " + key, this.scripts.occupant(),
				List.of(key.digest()));
		return reply.isEmpty() ? Optional.empty() : Optional.of(occupant(reply));
	}

	private static KeyOccupant occupant(List<Object> reply) {
		String owner = reply.get(4).toString();
		return new KeyOccupant(orNull(reply.get(0)), RecordFormat.knownState(reply.get(1).toString()),
				orNull(reply.get(2)), Reservations.number(reply.get(3)),
				owner.isEmpty() ? null : HolderText.read(reply.get(5).toString(), owner));
	}

	private static @Nullable String orNull(Object text) {
		return text.toString().isEmpty() ? null : text.toString();
	}

	@Override
	public Set<String> queues() {
		return this.commands
			.ask("list the queues", () -> this.commands.redis().opsForHash().keys(this.commands.keys().state()))
			.stream()
			.map(Object::toString)
			.filter((field) -> field.startsWith("q:"))
			.map((field) -> field.substring(2))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Override
	public QueueCounts counts(String queue) {
		Object text = this.commands.ask("count " + queue,
				() -> this.commands.redis().opsForHash().get(this.commands.keys().state(), "q:" + queue));
		return CountsFormat.read(queue, this.format.tree((text != null) ? text.toString() : "{}"));
	}

	@Override
	public StoreOverview overview() {
		return this.views.overview();
	}

	@Override
	public List<WorkerSighting> workers() {
		return this.views.workers();
	}

	@Override
	public void pause(String queue) {
		QueueNames.require(queue);
		this.commands.run("pause " + queue, this.scripts.pause(), List.of(queue, "1"));
	}

	@Override
	public void resume(String queue) {
		QueueNames.require(queue);
		this.commands.run("resume " + queue, this.scripts.pause(), List.of(queue, "0"));
	}

	@Override
	public long remove(String queue) {
		QueueNames.require(queue);
		String startedAt = "";
		long removed = 0;
		for (String place : PLACES) {
			String after = "-inf";
			while (!after.isEmpty()) {
				List<Object> reply = this.commands.run("remove " + queue, this.scripts.remove(),
						List.of(queue, startedAt, place, after));
				startedAt = reply.get(0).toString();
				removed += Reservations.number(reply.get(1));
				after = reply.get(2).toString();
				this.events.publish((List<?>) reply.get(3));
			}
		}
		return removed;
	}

	@Override
	public List<Violation> verify() {
		return check("0");
	}

	@Override
	public List<Violation> repair() {
		return check("1");
	}

	private List<Violation> check(String mend) {
		Set<String> queues = queues();
		return this.commands.ask("check the queues",
				() -> new QueueCheck(this.commands.redis(), this.commands.keys(), (what, subjects) -> {
					List<Object> args = new ArrayList<>(List.of(mend, what));
					args.addAll(subjects);
					return this.commands.run("check " + what, this.scripts.check(), args)
						.stream()
						.map((violation) -> violation((List<?>) violation))
						.toList();
				}).run(queues));
	}

	private static Violation violation(List<?> parts) {
		return new Violation(parts.get(0).toString(), parts.get(1).toString(), Reservations.number(parts.get(2)) == 1);
	}

	/**
	 * Stop being a user of the connections.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.connections.close();
		}
	}

}
