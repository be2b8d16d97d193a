package io.locket.queue.redis;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.JobKey;
import io.locket.event.JobEvent;
import io.locket.event.WorkersQuieted;
import io.locket.event.WorkersResumed;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.redis.HolderText;
import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.DueTime;
import io.locket.queue.EnqueueResult;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueNames;
import io.locket.queue.StoreOverview;
import io.locket.queue.ThroughputSample;
import io.locket.queue.UnreadableRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.Violation;
import io.locket.queue.WorkerInfo;
import io.locket.queue.redis.event.ScriptEventPublisher;
import io.locket.queue.redis.format.AttemptsFormat;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.CountsFormat;
import io.locket.queue.redis.format.EnqueueFormat;
import io.locket.queue.redis.format.QueryFormat;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.redis.format.ReplyNumbers;
import io.locket.queue.spi.DueTimeQuery;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.JobStore.PollRequest;
import io.locket.queue.spi.KeyBlocker;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.UpdateAction;
import io.locket.redis.RedisConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * {@link JobStore} in Redis: the administration of the queues that {@link RedisJobQueue}
 * serves.
 */
public final class RedisJobStore implements JobStore, AutoCloseable {

	private static final int BATCH = 100;

	/**
	 * Maximum number of passes of a repair. A pass may reveal a violation that only the
	 * next one can repair.
	 */
	private static final int MAX_PASSES = 4;

	private final RedisConnections connections;

	private final AtomicBoolean closed = new AtomicBoolean();

	private final QueueCommands commands;

	private final RecordFormat format = new RecordFormat();

	private final JobEventPublisher publisher;

	private final ScriptEventPublisher events;

	private final RedisStoreViews views;

	private final RedisWorkers workers;

	private final UnreadableRecords unreadable;

	private final QueueRemoval removal;

	/**
	 * Creates a store.
	 * @param connections the connections, which the store retains until it is closed
	 * @param keys the names of leases in Redis, whose namespace and lock space it shares
	 * @param events the publisher of the events of jobs
	 */
	public RedisJobStore(RedisConnections connections, LeaseKeys keys, JobEventPublisher events) {
		this(connections, keys, events, QueueScripts.load());
	}

	RedisJobStore(RedisConnections connections, LeaseKeys keys, JobEventPublisher events, QueueScripts scripts) {
		this.connections = connections.retain();
		this.commands = new QueueCommands(connections, keys, scripts);
		this.publisher = events;
		this.events = new ScriptEventPublisher(events);
		this.views = new RedisStoreViews(this.commands);
		this.workers = new RedisWorkers(this.commands);
		this.unreadable = new UnreadableRecords(this.commands);
		this.removal = new QueueRemoval(this.commands, this.events);
	}

	@Override
	public Optional<JobRecord> find(String id) {
		byte[] record = this.commands.field("find " + id, this.commands.keys().jobs(), id);
		return Optional.ofNullable(record).flatMap((bytes) -> this.format.find(id, bytes));
	}

	@Override
	public List<FailedAttempt> attempts(String id) {
		return AttemptsFormat.read(id,
				this.commands.field("read the attempts of " + id, this.commands.keys().attempts(), id));
	}

	@Override
	public JobPage list(JobQuery listing) {
		BinaryReply reply = this.commands.runBinary("list jobs that are " + listing.state(), QueueScript.LIST,
				QueryFormat.write(listing));
		List<JobRecord> jobs = new ArrayList<>();
		for (int i = 1; i < reply.size(); i += 2) {
			this.format.find(reply.text(i), reply.bytes(i + 1)).ifPresent(jobs::add);
		}
		return new JobPage(jobs, orNull(reply.text(0)));
	}

	@Override
	public List<DueTime> dueTimes(DueTimeQuery listing) {
		List<Object> reply = this.commands.run("list the due times of queue " + listing.queue(), QueueScript.DUE_TIMES,
				List.of(listing.queue(), QueryFormat.millis(listing.from()), Integer.toString(listing.limit())));
		List<DueTime> times = new ArrayList<>();
		for (int i = 0; i < reply.size(); i += 2) {
			times.add(new DueTime(Instant.ofEpochMilli(ReplyNumbers.number(reply.get(i))),
					ReplyNumbers.number(reply.get(i + 1))));
		}
		return times;
	}

	@Override
	public List<UpdateResult> update(UpdateAction action, List<ExpectedJob> jobs) {
		Assert.isTrue(jobs.size() <= BATCH, () -> "At most " + BATCH + " jobs can be updated at once");
		if (jobs.isEmpty()) {
			return List.of();
		}
		List<Object> args = new ArrayList<>(3 + jobs.size() * 5);
		args.add(action.id());
		args.add(RecordFormat.lower(action.kind()));
		args.add((action.at() != null) ? QueryFormat.millis(action.at())
				: Objects.requireNonNullElse(action.queue(), ""));
		for (ExpectedJob job : jobs) {
			args.add(job.id());
			args.add(job.states().stream().map(RecordFormat::lower).collect(Collectors.joining(" ")));
			args.add(Objects.requireNonNullElse(job.queue(), ""));
			args.add(QueryFormat.sha1(job.arguments()));
			args.add(QueryFormat.millis(job.due()));
		}
		List<Object> reply = this.commands.run(RecordFormat.lower(action.kind()) + " " + jobs.size() + " job(s)",
				QueueScript.UPDATE, args);
		this.events.publish((List<?>) reply.get(1));
		return ((List<?>) reply.get(0)).stream()
			.map((result) -> UpdateResult.valueOf(result.toString().toUpperCase(Locale.ROOT)))
			.toList();
	}

	@Override
	public List<EnqueueResult> requeue(List<RequeuedJob> letters) {
		Assert.isTrue(letters.size() <= BATCH, () -> "At most " + BATCH + " dead letters can be requeued at once");
		if (letters.isEmpty()) {
			return List.of();
		}
		List<Object> args = new ArrayList<>(letters.size() * 2);
		for (RequeuedJob letter : letters) {
			args.add(letter.id());
			args.add(letter.newId());
		}
		List<Object> reply = this.commands.run("requeue " + letters.size() + " dead letter(s)", QueueScript.REQUEUE,
				args);
		this.events.publish((List<?>) reply.get(1));
		return EnqueueFormat.read(reply.get(0));
	}

	@Override
	public Optional<KeyBlocker> blocker(JobKey key, boolean claimable) {
		List<Object> reply = this.commands.run("find the blocker of key " + key, QueueScript.BLOCKER,
				List.of(key.digest(), claimable ? "1" : "0"));
		return reply.isEmpty() ? Optional.empty() : Optional.of(blocker(reply));
	}

	private static KeyBlocker blocker(List<Object> reply) {
		String owner = reply.get(4).toString();
		return new KeyBlocker(orNull(reply.get(0)), RecordFormat.knownState(reply.get(1).toString()),
				orNull(reply.get(2)), ReplyNumbers.number(reply.get(3)),
				owner.isEmpty() ? null : HolderText.read(reply.get(5).toString(), owner));
	}

	private static @Nullable String orNull(Object text) {
		return text.toString().isEmpty() ? null : text.toString();
	}

	@Override
	public Set<String> queues() {
		return this.commands
			.call("list the queues", () -> this.commands.redis().opsForHash().keys(this.commands.keys().state()))
			.stream()
			.map(Object::toString)
			.filter((field) -> field.startsWith("q:"))
			.map((field) -> field.substring(2))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Override
	public QueueCounts counts(String queue) {
		return CountsFormat.read(queue,
				this.commands.field("count " + queue, this.commands.keys().state(), "q:" + queue));
	}

	@Override
	public StoreOverview overview() {
		return this.views.overview();
	}

	@Override
	public List<ThroughputSample> throughput(int minutes) {
		return this.views.throughput(minutes);
	}

	@Override
	public List<WorkerInfo> workers() {
		return this.workers.list();
	}

	@Override
	public Optional<PollRequest> requestPolls(Instant oldest) {
		return this.workers.requestPolls(oldest);
	}

	@Override
	public boolean quiet(String instance) {
		return quiet(instance, "quiet", new WorkersQuieted(instance));
	}

	@Override
	public boolean unquiet(String instance) {
		return quiet(instance, "resume", new WorkersResumed(instance));
	}

	private boolean quiet(String instance, String action, JobEvent event) {
		List<Object> reply = this.commands.run(action + " the workers of " + instance, QueueScript.QUIET,
				List.of(instance, action));
		boolean changed = ReplyNumbers.number(reply.get(1)) == 1;
		if (changed) {
			this.publisher.publish(event);
		}
		return changed;
	}

	@Override
	public void pause(String queue) {
		QueueNames.require(queue);
		this.commands.run("pause " + queue, QueueScript.PAUSE, List.of(queue, "1"));
	}

	@Override
	public void resume(String queue) {
		QueueNames.require(queue);
		this.commands.run("resume " + queue, QueueScript.PAUSE, List.of(queue, "0"));
	}

	@Override
	public long remove(String queue) {
		QueueNames.require(queue);
		return this.removal.remove(queue);
	}

	@Override
	public List<UnreadableRecord> unreadable(int limit) {
		return this.unreadable.list(limit);
	}

	@Override
	public boolean discard(String id) {
		return this.unreadable.discard(id);
	}

	@Override
	public List<Violation> verify() {
		return check("0");
	}

	@Override
	public List<Violation> repair() {
		Set<Violation> found = new LinkedHashSet<>();
		List<Violation> pass;
		int passes = 0;
		do {
			pass = check("1");
			found.addAll(pass);
			passes++;
		}
		while (passes < MAX_PASSES && pass.stream().anyMatch(Violation::repaired));
		return List.copyOf(found);
	}

	private List<Violation> check(String repair) {
		return this.commands.call("check the queues",
				() -> new QueueCheck(this.commands.redis(), this.commands.keys(), this::asides, (what, subjects) -> {
					List<Object> args = new ArrayList<>(List.of(repair, what));
					args.addAll(subjects);
					return this.commands.run("check " + what, QueueScript.CHECK, args);
				}).run(this::queues));
	}

	/**
	 * Returns the names of the jobs that are set aside in some queues, each after the
	 * name of its queue and a blank.
	 */
	private List<String> asides(List<String> queues) {
		List<byte @Nullable []> counters = this.commands.fields("count the queues", this.commands.keys().state(),
				queues.stream().map((queue) -> "q:" + queue).toList());
		return IntStream.range(0, queues.size())
			.boxed()
			.flatMap((i) -> CountsFormat.asides(counters.get(i)).stream().map((job) -> queues.get(i) + " " + job))
			.toList();
	}

	/**
	 * Releases the connections.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.connections.close();
		}
	}

}
