package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.TestJob;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.DueTimeQuery;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.KeyBlocker;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.UpdateAction;
import io.locket.redis.PermissionCheck;
import io.locket.redis.RedisConnections;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.redis.RedisScheduleStore;
import org.awaitility.Awaitility;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A namespace with jobs in every state, and a call of each script that changes or reads
 * something of its own there.
 */
public final class EveryScript implements AutoCloseable {

	/**
	 * The files that are no script, but part of some.
	 */
	public static final Set<String> PARTS = Set.of("lease/redis/runs", "lease/redis/fence", "queue/redis/unknown",
			"queue/redis/set-aside", "queue/redis/restore", "queue/redis/clock", "queue/redis/layout",
			"queue/redis/record", "queue/redis/counters", "queue/redis/store", "queue/redis/keys", "queue/redis/write",
			"queue/redis/life", "queue/redis/holder", "queue/redis/admit/names", "queue/redis/admit/job",
			"queue/redis/admit/counters", "queue/redis/admit/ticket", "queue/redis/admit/duplicate",
			"queue/redis/admit/claimed", "queue/redis/admit/holder", "queue/redis/admit/ready",
			"queue/redis/admit/later", "queue/redis/admit/delayed", "queue/redis/admit/replaced",
			"queue/redis/admit/jobs", "queue/redis/admit/refused", "queue/redis/admit/accepted",
			"queue/redis/admit/single", "queue/redis/reservation", "queue/redis/attempts", "queue/redis/entry",
			"queue/redis/turn/request", "queue/redis/turn/due", "queue/redis/turn/records", "queue/redis/turn/ends",
			"queue/redis/turn/counters", "queue/redis/turn/queues", "queue/redis/turn/starts", "queue/redis/turn/locks",
			"queue/redis/turn/purge", "queue/redis/turn/writes", "queue/redis/turn/next", "queue/redis/turn/idle",
			"queue/redis/turn/names", "queue/redis/turn/summary", "queue/redis/turn/fresh", "queue/redis/turn/ready",
			"queue/redis/turn/tokens", "queue/redis/turn/changes", "queue/redis/turn/delayed", "queue/redis/turn/head",
			"queue/redis/turn/kept", "queue/redis/turn/numbers", "queue/redis/fail/runs", "queue/redis/fail/attempts",
			"queue/redis/fail/counters", "queue/redis/fail/purge", "queue/redis/fail/queue",
			"queue/redis/fail/followers", "queue/redis/turn/parked-counter", "queue/redis/handover/followers",
			"queue/redis/handover/parked", "queue/redis/handover/walk", "queue/redis/handover/candidates",
			"queue/redis/handover/chunk", "queue/redis/handover/result", "queue/redis/handover/take",
			"queue/redis/handover/following", "queue/redis/handover/keys", "queue/redis/handover/moves",
			"queue/redis/handover/older", "queue/redis/handover/writes", "queue/redis/reservation/purge",
			"queue/redis/reservation/due", "queue/redis/reservation/walk", "queue/redis/life/places",
			"queue/redis/life/ends", "queue/redis/check/jobs", "queue/redis/check/members", "queue/redis/check/queues",
			"queue/redis/ready/segment", "queue/redis/ready/segments", "queue/redis/ready/first",
			"queue/redis/ready/read", "queue/redis/ready/size", "queue/redis/contention", "queue/redis/pollers",
			"queue/redis/purge", "queue/redis/due-entries", "schedule/redis/book");

	/**
	 * The script of {@code wait-replicas}, which start-up refuses on a cluster.
	 */
	public static final Set<String> NOT_ON_A_CLUSTER = Set.of("lease/redis/replicate");

	private static final Duration LONG = Duration.ofMinutes(20);

	private final QueueFixture fixture;

	/**
	 * For calls that are plain work. It reserves the runs that it ends, and no earlier
	 * call of it was other work.
	 */
	private final QueueFixture plain;

	private final QueueExtension extension;

	private final ScheduleStore schedules;

	private final RedisLeaseService leases;

	/**
	 * A claim lasts for five command timeouts until its caller knows of it.
	 */
	private final RedisLeaseService claims;

	private final List<Call> calls = new ArrayList<>();

	/**
	 * Prepare a namespace.
	 * @param connections the connections, whose command timeout is how long a call that a
	 * cluster refuses is repeated
	 * @param namespace the namespace
	 */
	public EveryScript(RedisConnections connections, String namespace) {
		this.fixture = QueueFixture.create(connections, namespace);
		this.plain = QueueFixture.create(connections, namespace);
		this.extension = new QueueExtension(connections, this.fixture.leaseKeys, new JobEventPublisher(List.of()));
		this.schedules = new RedisScheduleStore(this.extension);
		this.leases = leases(connections, this.fixture.leaseKeys, connections.commandTimeout());
		this.claims = leases(connections, this.fixture.leaseKeys, Duration.ofMillis(500));
		prepare();
	}

	private static RedisLeaseService leases(RedisConnections connections, LeaseKeys keys, Duration commandTimeout) {
		LeaseThreads threads = LeaseThreads.create();
		JobEventPublisher nobody = new JobEventPublisher(List.of());
		// No beat runs, because the tests compare the stored data before and after a
		// call.
		LeaseHeartbeat heartbeat = new LeaseHeartbeat(LONG.dividedBy(3), new ManualScheduler(), threads.watch(),
				threads.notifier(), nobody, System::nanoTime);
		return new RedisLeaseService(connections, keys, new LeaseSettings(LONG, commandTimeout, "test", false, 0),
				new JobKeys(), heartbeat, threads, nobody, System::nanoTime);
	}

	/**
	 * The calls, in the order in which they are to be made.
	 */
	public List<Call> calls() {
		return List.copyOf(this.calls);
	}

	public RedisJobStore store() {
		return this.fixture.store;
	}

	public RedisLeaseService leases() {
		return this.leases;
	}

	private void prepare() {
		// Every key that the scripts of the queue declare is there.
		enqueue(job("over", "letters"), job("letter", "letters").with(LockStrategy.UNTIL_EXECUTED, "letter"));
		List<ReservedJob> jobs = take("letters", 2);
		end(RunEnd.succeeded(jobs.get(0)), RunEnd.dead(jobs.get(1), "it broke"));
		enqueue(job("later", "delayed").with(LockStrategy.UNTIL_EXECUTED, "later").after(Duration.ofHours(1)));
		records();
		plainWork();
		runs();
		queues();
		schedules();
		leaseCalls();
		this.fixture.redis.opsForHash().put(this.fixture.name("jobs"), "spoilt", "{\"q\":\"spoilt\"}\n[]");
		this.fixture.redis.opsForHash().delete(this.fixture.name("tickets"), TestJob.key("broken").digest());
	}

	private void records() {
		enqueue(job("spoilt", "spoilt").after(Duration.ofHours(4)));
		call("queue/redis/unreadable", () -> this.fixture.store.discard("spoilt"),
				(discarded) -> assertThat(discarded).isTrue());
		enqueue(job("broken", "repair").with(LockStrategy.UNTIL_EXECUTED, "broken").after(Duration.ofHours(2)));
		call("queue/redis/check", this.fixture.store::repair,
				(found) -> assertThat(found).filteredOn((violation) -> violation.subject().equals("broken"))
					.singleElement()
					.matches((violation) -> violation.repaired()));
	}

	private void plainWork() {
		enqueue(job("turns", "turns").with(LockStrategy.WHILE_EXECUTING, "turns"));
		ReservedJob turns = this.plain.reserve(1, "turns").jobs().get(0);
		enqueue(job("turned", "turns").with(LockStrategy.WHILE_EXECUTING, "turned"));
		ReservationRequest next = QueueFixture.request("turning", 1, "turns");
		this.<Settlement>call("queue/redis/turn", () -> this.plain.queue.settle(List.of(RunEnd.succeeded(turns)), next),
				(reply) -> {
					assertThat(reply.ends()).containsExactly(new EndResult("turns", true, JobState.SUCCEEDED));
					assertThat(ids(reply.next())).containsExactly("turned");
				});
		handover();
		enqueue(job("fails", "fails").with(LockStrategy.WHILE_EXECUTING, "fails"));
		RunEnd failure = RunEnd.retry(this.plain.reserve(1, "fails").jobs().get(0), Duration.ofMinutes(30), "it broke");
		this.<Settlement>call("queue/redis/fail", () -> this.plain.queue.settle(List.of(failure), null),
				(reply) -> assertThat(reply.ends()).containsExactly(new EndResult("fails", true, JobState.RETRY)));
		enqueue(job("admits", "admits"));
		NewJob one = job("one", "admits").with(LockStrategy.UNTIL_EXECUTED, "one").build();
		call("queue/redis/admit-one", () -> this.plain.queue.enqueue(List.of(one)),
				(replies) -> assertThat(replies).containsExactly(accepted("one")));
		List<NewJob> several = List.of(job("first", "admits").with(LockStrategy.UNTIL_EXECUTED, "first").build(),
				job("second", "admits").build());
		call("queue/redis/admit", () -> this.plain.queue.enqueue(several),
				(replies) -> assertThat(replies).containsExactly(accepted("first"), accepted("second")));
		NewJob later = job("afterwards", "admits").with(LockStrategy.UNTIL_EXECUTED, "afterwards")
			.after(Duration.ofHours(5))
			.build();
		call("queue/redis/admit-later", () -> this.plain.queue.enqueue(List.of(later)),
				(replies) -> assertThat(replies).containsExactly(accepted("afterwards")));
		NewJob replaces = job("replaces-one", "admits").with(LockStrategy.UNTIL_EXECUTED, "one")
			.onDuplicate(DuplicateStrategy.REPLACE)
			.build();
		call("queue/redis/replace", () -> this.plain.queue.enqueue(List.of(replaces)),
				(replies) -> assertThat(replies).containsExactly(new EnqueueResult.Replaced("one")));
	}

	private void handover() {
		enqueue(job("hands", "hands").with(LockStrategy.WHILE_EXECUTING, "hands"));
		ReservedJob hands = this.plain.reserve(1, "hands").jobs().get(0);
		enqueue(job("handed", "hands").with(LockStrategy.WHILE_EXECUTING, "hands"));
		assertThat(this.fixture.reserveIds(1, "hands")).isEmpty();
		ReservationRequest next = QueueFixture.request("handing", 1, "hands");
		this.<Settlement>call("queue/redis/handover",
				() -> this.plain.queue.settle(List.of(RunEnd.succeeded(hands)), next), (reply) -> {
					assertThat(reply.ends()).containsExactly(new EndResult("hands", true, JobState.SUCCEEDED));
					assertThat(ids(reply.next())).containsExactly("handed");
				});
	}

	private void runs() {
		enqueue(job("retried", "runs").with(LockStrategy.WHILE_EXECUTING, "runs"));
		ReservedJob retried = take("runs", 1).get(0);
		enqueue(job("follows", "runs").with(LockStrategy.WHILE_EXECUTING, "runs"));
		assertThat(this.fixture.reserveIds(1, "runs")).isEmpty();
		enqueue(job("dies", "dies"), job("renewed", "renewed").with(LockStrategy.WHILE_EXECUTING, "renewed"));
		ReservedJob dies = take("dies", 1).get(0);
		ReservedJob renewed = take("renewed", 1).get(0);
		RunToken run = new RunToken("renewed", renewed.token());
		enqueue(job("next", "next").with(LockStrategy.WHILE_EXECUTING, "next"));
		ReservationRequest next = QueueFixture.request("settling", 1, "next");
		List<RunEnd> ends = List.of(RunEnd.retry(retried, Duration.ofMinutes(30), "it broke"),
				RunEnd.dead(dies, "it broke"));
		this.<Settlement>call("queue/redis/settle", () -> this.fixture.queue.settle(ends, next), (reply) -> {
			assertThat(reply.ends()).containsExactly(new EndResult("retried", true, JobState.RETRY),
					new EndResult("dies", true, JobState.DEAD));
			assertThat(ids(reply.next())).containsExactly("next");
			assertThat(this.fixture.store.find("follows").orElseThrow().state()).isEqualTo(JobState.READY);
		});
		call("queue/redis/renew", () -> this.fixture.queue.renew(List.of(run)),
				(replies) -> assertThat(replies).containsExactly(new RunRenewal(true, null, false)));
		call("queue/redis/progress", () -> {
			this.fixture.queue.progress(List.of(new RunProgress(run, 1, 2, "half")));
			return "";
		}, (reply) -> assertThat(this.fixture.store.find("renewed").orElseThrow().progress()).isNotNull());
		enqueue(job("waits", "waits").with(LockStrategy.WHILE_EXECUTING, "waits"),
				job("parks", "parks").with(LockStrategy.WHILE_EXECUTING, "next"));
		ReservationRequest request = QueueFixture.request("reserving", 2, "waits", "parks");
		call("queue/redis/reserve", () -> this.fixture.queue.reserve(request), (reply) -> {
			assertThat(ids(reply)).containsExactly("waits");
			assertThat(this.fixture.store.find("parks").orElseThrow().state()).isEqualTo(JobState.PARKED);
		});
	}

	private void queues() {
		List<NewJob> jobs = List.of(job("new", "new").with(LockStrategy.UNTIL_EXECUTED, "new").build(),
				job("new-later", "new-later").after(Duration.ofHours(1)).build(),
				job("claims", "claims").with(LockStrategy.UNTIL_EXPIRED, "claims").build(),
				job("replaces", "delayed").with(LockStrategy.UNTIL_EXECUTED, "later")
					.onDuplicate(DuplicateStrategy.REPLACE)
					.after(Duration.ofHours(1))
					.build());
		call("queue/redis/enqueue", () -> this.fixture.queue.enqueue(jobs),
				(replies) -> assertThat(replies).containsExactly(accepted("new"), accepted("new-later"),
						accepted("claims"), new EnqueueResult.Replaced("later")));
		call("queue/redis/requeue", () -> this.fixture.store.requeue(List.of(new RequeuedJob("letter", "again"))),
				(replies) -> assertThat(replies).containsExactly(accepted("again")));
		enqueue(job("moves", "from").with(LockStrategy.UNTIL_EXECUTED, "moves"));
		UpdateAction move = new UpdateAction(UpdateAction.Kind.MOVE, "to", "step");
		call("queue/redis/update", () -> this.fixture.store.update(move, List.of(ExpectedJob.of("moves"))),
				(replies) -> assertThat(replies).containsExactly(UpdateResult.DONE));
		enqueue(job("gone", "gone").with(LockStrategy.UNTIL_EXECUTED, "gone"), job("gone-too", "gone"));
		call("queue/redis/remove", () -> this.fixture.store.remove("gone"),
				(removed) -> assertThat(removed).isEqualTo(2));
		call("queue/redis/pause", () -> {
			this.fixture.store.pause("paused");
			return "";
		}, (reply) -> assertThat(this.fixture.store.counts("paused").paused()).isTrue());
		looks();
	}

	private void looks() {
		enqueue(job("due", "due").with(LockStrategy.UNTIL_EXECUTED, "due").after(Duration.ofHours(3)));
		call("queue/redis/blocker", () -> this.fixture.store.blocker(TestJob.key("due"), true),
				(blocker) -> assertThat(blocker).map(KeyBlocker::id).contains("due"));
		call("queue/redis/list",
				() -> this.fixture.store.list(new JobQuery(JobState.SCHEDULED, "due", null, null, 10, null)),
				(page) -> assertThat(page.jobs()).hasSize(1));
		call("queue/redis/due-times", () -> this.fixture.store.dueTimes(new DueTimeQuery("due", null, 10)),
				(times) -> assertThat(times).hasSize(1));
		call("queue/redis/overview", this.fixture.store::overview,
				(overview) -> assertThat(overview.queues()).extracting((queue) -> queue.counts().queue())
					.contains("due", "letters"));
		call("queue/redis/quiet", () -> this.fixture.store.quiet("quiet/1"),
				(reply) -> assertThat(this.fixture.field("state", "i:quiet/1")).isNotNull());
		this.<Duration>call("queue/redis/minutes", this.fixture.queue::countMinute,
				(left) -> assertThat(left).isPositive());
		call("queue/redis/request-polls", () -> this.fixture.store.requestPolls(Instant.EPOCH),
				(request) -> assertThat(request).isPresent());
		call("queue/redis/workers", this.fixture.store::workers, (workers) -> assertThat(workers).isNotEmpty());
	}

	private void schedules() {
		Lease leader = acquire("leader");
		this.schedules.put(List.of(schedule("fires")), null);
		StoredSchedule stored = this.schedules.find("fires").schedules().get(0);
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.until(() -> this.schedules.find("fires").time().isAfter(stored.firesAfter()));
		Instant time = stored.firesAfter().plusMillis(1);
		List<Firing> firings = List.of(new Firing("fires", stored.revision(), time, time.plus(LONG), null,
				job(Firing.id("fires", time), "fired").with(LockStrategy.UNTIL_EXECUTED, "fired").build()));
		call("schedule/redis/fire", () -> this.schedules.fire(LeaseProof.of(leader), LONG, firings).results(),
				(results) -> assertThat(results)
					.containsExactly(new FiringResult.Fired(accepted(firings.get(0).job().id()))));
		call("schedule/redis/change", () -> {
			this.schedules.put(List.of(schedule("put")), null);
			return "";
		}, (reply) -> assertThat(this.schedules.find("put").schedules()).hasSize(1));
		call("schedule/redis/revision", this.schedules::revisionAt,
				(found) -> assertThat(found.revision()).isPositive());
		call("schedule/redis/load", () -> this.schedules.find("fires").schedules(),
				(found) -> assertThat(found).hasSize(1));
	}

	private void leaseCalls() {
		RedisScript<List<?>> permissions = script("permissions", PermissionCheck.class);
		JobKey confirmed = this.leases.keyOf("confirmed");
		assertThat(this.claims.claim(confirmed, LONG)).isInstanceOf(LeaseAttempt.Acquired.class);
		String claim = this.fixture.name("claim:" + confirmed.digest());
		String token = this.fixture.redis.opsForValue().get(claim).split(" ")[0];
		RedisScript<List<?>> confirm = script("confirm-claim", RedisLeaseService.class);
		this.<List<?>>call("lease/redis/confirm-claim",
				() -> this.fixture.redis.execute(confirm, List.of(claim), token, Long.toString(LONG.toMillis())),
				(reply) -> assertThat(reply).hasToString("[1]"));
		this.<List<?>>call("redis/permissions",
				() -> this.fixture.redis.execute(permissions, List.of(this.fixture.name("permissions"))),
				(missing) -> assertThat(missing).isEmpty());
		Lease renewed = acquire("renewed");
		call("lease/redis/renew", renewed::renew, (reply) -> assertThat(reply).isTrue());
		call("lease/redis/keep", acquire("kept")::renew, (reply) -> assertThat(reply).isTrue());
		JobKey found = acquire("found").key();
		call("lease/redis/find", () -> this.leases.find(found),
				(held) -> assertThat(held).map(HeldLease::digest).contains(found.digest()));
		call("lease/redis/list", () -> this.leases.held(100),
				(held) -> assertThat(held).extracting(HeldLease::digest).contains(found.digest()));
		JobKey run = TestJob.key("renewed");
		call("lease/redis/holder", () -> this.leases.attempt(LeaseRequest.of(run)),
				(attempt) -> assertThat(attempt).isInstanceOfSatisfying(LeaseAttempt.Refused.class,
						(refused) -> assertThat(refused.holder().fencingToken()).isPositive()));
		JobKey forced = acquire("forced").key();
		call("lease/redis/force-release", () -> this.leases.forceRelease(forced.digest()),
				(evicted) -> assertThat(evicted).isPresent());
		call("lease/redis/acquire", () -> this.leases.tryAcquire("acquired"), (lease) -> assertThat(lease).isPresent());
		call("lease/redis/claim", () -> this.claims.claim(this.leases.keyOf("claimed"), LONG),
				(attempt) -> assertThat(attempt).isInstanceOf(LeaseAttempt.Acquired.class));
		Lease released = acquire("released");
		Predicate<Object> isFree = (reply) -> this.leases.find(released.key()).isEmpty();
		this.calls.add(new Call("lease/redis/release", () -> {
			released.close();
			return Optional.empty();
		}, (reply) -> Awaitility.await().until(() -> isFree.test(reply)), true));
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static RedisScript<List<?>> script(String name, Class<?> owner) {
		return (RedisScript) RedisScript.of(new ClassPathResource(name + ".lua", owner), List.class);
	}

	private Lease acquire(String name) {
		return this.leases.tryAcquire(LeaseRequest.of(this.leases.keyOf(name))).orElseThrow();
	}

	private static ScheduleDefinition schedule(String name) {
		return new ScheduleDefinition(name, "group", "job", "[1]", null, null, Duration.ofSeconds(1), ZoneOffset.UTC,
				Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT);
	}

	@SuppressWarnings("unchecked")
	private <T> void call(String script, Supplier<T> call, Consumer<T> expected) {
		this.calls.add(new Call(script, (Supplier<Object>) call, (reply) -> expected.accept((T) reply), false));
	}

	private static TestJob job(String id, String queue) {
		return TestJob.of(id).in(queue).leaseFor(LONG);
	}

	private void enqueue(TestJob... jobs) {
		for (TestJob job : jobs) {
			NewJob built = job.build();
			assertThat(this.fixture.queue.enqueue(built)).isEqualTo(accepted(built.id()));
		}
	}

	private List<ReservedJob> take(String queue, int count) {
		List<ReservedJob> jobs = this.fixture.reserve(count, queue).jobs();
		assertThat(jobs).hasSize(count);
		return jobs;
	}

	private void end(RunEnd... ends) {
		assertThat(this.fixture.queue.settle(List.of(ends), null).ends()).allMatch(EndResult::counted);
	}

	private static EnqueueResult accepted(String id) {
		return new EnqueueResult.Accepted(id);
	}

	private static List<String> ids(Reservation reservation) {
		return reservation.jobs().stream().map((job) -> job.record().id()).toList();
	}

	@Override
	public void close() {
		this.plain.close();
		this.claims.close();
		this.leases.close();
		this.extension.close();
		this.fixture.close();
	}

	/**
	 * A call of a script.
	 *
	 * @param script the script
	 * @param call makes it, and may be repeated as it is
	 * @param expected checks the reply, and what was done
	 * @param background whether a call that is refused returns, and is repeated in the
	 * background
	 */
	public record Call(String script, Supplier<Object> call, Consumer<Object> expected, boolean background) {

	}

}
