package io.locket.schedule.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.TestJob;
import io.locket.queue.redis.QueueExtension;
import io.locket.queue.redis.RedisJobStore;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.RedisConnections;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.TestSchedule;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for a {@link RedisScheduleStore} with the clock of its Redis and the leases of
 * Locket.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisScheduleStoreTests {

	private static final Duration TTL = Duration.ofSeconds(35);

	private static final List<String> DAMAGES = List.of("no line", "\n", "{}\n{}", "null\n{}", "[]\n{}",
			"{\"r\":1,\"o\":\"p\"}\n{}", "{'r':null,'g':'group','o':'p','s':1,'f':1}",
			"{'r':'1','g':'group','o':'p','s':1,'f':1}", "{'r':1,'g':'group','o':'p','s':1}",
			"{'r':1,'g':'group','o':'p','s':'x','f':1}", "{'r':1,'g':'group','o':'p','s':1,'f':1e300}",
			"{'r':1,'g':'group','o':'t','s':1,'f':1}", "{'r':1,'g':'group','o':'t','s':1,'f':1,'od':1,'ot':null}",
			"{'r':1,'g':'group','o':'t','s':1,'f':1,'ot':'7'}", "{'r':1,'g':'group','o':'c','s':1,'f':1}",
			"{'r':1,'g':'group','o':'x','s':1,'f':1}", "{'r':1,'g':null,'o':'p','s':1,'f':1}",
			"{'r':1,'g':'group','o':'p','s':1,'f':1,'lf':2}", "{'r':1,'g':'group','o':'p','s':1,'f':1,'lf':2,'la':[]}",
			"{'r':1,'g':'group','o':'p','s':1,'f':1,'lf':2,'la':['accepted',{}]}",
			"{'r':1,'g':'group','o':'p','s':1,'f':1,'p':'yes'}", "{'r':1,'g':'group','o':'p','s':1,'f':1,'en':'x'}",
			"{'r':1,'g':'group','o':'t','s':1,'f':1,'od':'x','rm':'yes'}",
			"{'r':1,'g':'group','o':'p','s':1,'f':1,'xo':'yes'}",
			"{'r':1,'g':'group','o':'p','s':1,'f':1,'later':1e999}", "{'r':1,'g':'group','o':'p','s':-1,'f':1.5}");

	private static RedisServer server;

	private final LeaseKeys keys = LeaseKeys.of(RedisServer.newNamespace());

	private final JobEventPublisher nobody = new JobEventPublisher(List.of());

	private final LettuceConnectionFactory connectionFactory = connect();

	private final RedisConnections connections = new RedisConnections(this.connectionFactory, this.connectionFactory,
			Duration.ofSeconds(2), this.connectionFactory::destroy);

	private final RedisJobStore jobs = new RedisJobStore(this.connections, this.keys, this.nobody);

	private final QueueExtension extension = new QueueExtension(this.connections, this.keys, this.nobody);

	private final RedisScheduleStore store = new RedisScheduleStore(this.extension);

	private final RedisLeaseService leases = leases();

	private final StringRedisTemplate redis = new StringRedisTemplate(this.connectionFactory);

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@AfterEach
	void close() {
		server.execute("CONFIG", "SET", "maxmemory", "0");
		assertThat(this.jobs.verify()).isEmpty();
		this.leases.close();
		this.extension.close();
		this.jobs.close();
		this.connections.close();
	}

	private static LettuceConnectionFactory connect() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(server.host(), server.port()));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private RedisLeaseService leases() {
		LeaseThreads threads = LeaseThreads.create();
		LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofSeconds(10), threads.heartbeat(), threads.watch(),
				threads.notifier(), this.nobody, System::nanoTime);
		return new RedisLeaseService(this.connections, this.keys,
				new LeaseSettings(TTL, Duration.ofSeconds(2), "test", false, 0), new JobKeys(), heartbeat, threads,
				this.nobody, System::nanoTime);
	}

	@Test
	void leaseOfTheHolderIsProofOfItUntilItIsReleased() {
		Firing firing = firing(put("a"));
		Lease lease = this.leases.tryAcquire("leader").orElseThrow();
		LeaseProof proof = LeaseProof.of(lease);
		assertThat(fire(new LeaseProof(proof.digest(), proof.fencingToken() + 1), firing))
			.isEqualTo(FiringResult.Refused.NOT_LEADER);
		assertThat(fire(proof, firing)).isInstanceOf(FiringResult.Fired.class);
		assertThat(this.leases.held(10)).singleElement().satisfies((held) -> {
			assertThat(held.holder().fencingToken()).isEqualTo(proof.fencingToken());
			assertThat(held.remaining()).isGreaterThan(Duration.ofSeconds(90));
		});
		String index = "{" + this.keys.namespace() + "}:leases";
		assertThat(this.redis.opsForZSet().score(index, proof.digest()))
			.isGreaterThan(System.currentTimeMillis() + 90_000d);
		lease.close();
		assertThat(fire(proof, firing)).isEqualTo(FiringResult.Refused.NOT_LEADER);
		try (Lease next = this.leases.tryAcquire("leader").orElseThrow()) {
			assertThat(fire(proof, firing)).isEqualTo(FiringResult.Refused.NOT_LEADER);
			assertThat(fire(LeaseProof.of(next), firing)).isInstanceOf(FiringResult.Fired.class);
		}
	}

	@Test
	void timeFiresOnceHoweverManyAskForItAtOnce() throws Exception {
		Firing firing = firing(put("a"));
		ExecutorService executor = Executors.newFixedThreadPool(8);
		try (Lease lease = this.leases.tryAcquire("leader").orElseThrow()) {
			List<Future<FiringResult>> results = new ArrayList<>();
			for (int i = 0; i < 40; i++) {
				results.add(executor.submit(() -> fire(LeaseProof.of(lease), firing)));
			}
			for (Future<FiringResult> result : results) {
				assertThat(result.get())
					.isEqualTo(new FiringResult.Fired(new EnqueueResult.Accepted(firing.job().id())));
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.jobs.counts("q").accepted()).isOne();
	}

	@Test
	void fullRedisRefusesFiringsWholeAndLetsSchedulesBeStopped() {
		StoredSchedule a = put("a");
		StoredSchedule b = put("b");
		List<Firing> firings = List.of(firing(a), firing(b));
		try (Lease lease = this.leases.tryAcquire("leader").orElseThrow()) {
			server.execute("CONFIG", "SET", "maxmemory", "1");
			assertRefused(() -> this.store.fire(LeaseProof.of(lease), TTL, firings));
			assertRefused(() -> put("c"));
			assertThat(this.store.load().schedules()).containsExactly(a, b);
			assertThat(this.jobs.queues()).isEmpty();
			assertThat(this.store.pause("b")).isTrue();
			server.execute("CONFIG", "SET", "maxmemory", "0");
			FiringReply reply = this.store.fire(LeaseProof.of(lease), TTL, firings);
			assertThat(reply.results()).containsExactly(
					new FiringResult.Fired(new EnqueueResult.Accepted(firings.get(0).job().id())),
					FiringResult.Refused.CHANGED);
			server.execute("CONFIG", "SET", "maxmemory", "1");
			assertThat(this.store.remove("a")).isTrue();
			assertThat(this.store.load().schedules()).extracting(StoredSchedule::name).containsExactly("b");
		}
	}

	@Test
	void fullRedisRefusesAFiringWhoseJobWouldBeADuplicate() {
		Firing firing = firing(put("a"), LockStrategy.UNTIL_EXECUTED);
		Firing other = firing(put("b"), LockStrategy.UNTIL_EXECUTED);
		try (Lease lease = this.leases.tryAcquire("leader").orElseThrow()) {
			fire(LeaseProof.of(lease), firing);
			server.execute("CONFIG", "SET", "maxmemory", "1");
			assertRefused(() -> fire(LeaseProof.of(lease), other));
			server.execute("CONFIG", "SET", "maxmemory", "0");
			assertThat(this.store.load().schedules().get(1).lastFired()).isNull();
			assertThat(fire(LeaseProof.of(lease), other))
				.isEqualTo(new FiringResult.Fired(new EnqueueResult.Duplicate(firing.job().id(), JobState.READY)));
		}
	}

	@Test
	void damagedScheduleDelaysNoOtherOneAndCanBeRemovedAndPut() {
		for (String damage : DAMAGES) {
			String record = damage.startsWith("{'") ? damage.replace('\'', '"') + "\n{\"version\":1}" : damage;
			damagedScheduleDelaysNoOtherSchedule(record);
		}
	}

	private void damagedScheduleDelaysNoOtherSchedule(String record) {
		StoredSchedule a = put("a");
		StoredSchedule b = put("b");
		write("b", record);
		write("c", record);
		assertThat(this.store.load().schedules()).containsExactly(a);
		assertThat(this.store.find("b").schedules()).isEmpty();
		try (Lease lease = this.leases.tryAcquire("leader").orElseThrow()) {
			assertThat(fire(LeaseProof.of(lease), firing(b))).isEqualTo(FiringResult.Refused.CHANGED);
			assertThat(fire(LeaseProof.of(lease), firing(a))).isInstanceOf(FiringResult.Fired.class);
			assertThat(this.store.configure(LeaseProof.of(lease), "group", List.of()).taken()).isEmpty();
		}
		assertThat(this.store.pause("b")).isFalse();
		assertThat(this.store.remove("c")).isTrue();
		assertThat(this.store.remove("c")).isFalse();
		put("b");
		this.store.replaceAll("group", List.of(definition("b")));
		assertThat(this.store.load().schedules()).extracting(StoredSchedule::name).containsExactly("b");
		assertThat(this.redis.opsForHash().keys(book())).as(record).containsOnly("b", ":revision");
		this.store.remove("b");
	}

	@Test
	void damagedRevisionIsRepaired() {
		for (String damage : List.of("", "x", "-1", "1e3", "0x10", "99999999999999999999")) {
			put("a");
			write(":revision", damage);
			assertThat(this.store.revision()).isZero();
			assertThat(this.store.load().revision()).isZero();
			StoredSchedule b = put("b");
			assertThat(this.store.revision()).isEqualTo(b.revision()).isGreaterThan(1_700_000_000_000L);
			assertThat(this.store.load().schedules()).hasSize(2);
			this.store.remove("b");
		}
	}

	@Test
	void scheduleOfALaterVersionIsNotReadAndIsLoggedOnce(CapturedOutput output) {
		put("a");
		String record = (String) this.redis.opsForHash().get(book(), "a");
		write("a", record.replace("\"version\":1", "\"version\":2"));
		for (int i = 0; i < 3; i++) {
			assertThat(this.store.load().schedules()).isEmpty();
		}
		assertThat(output.getAll().split("'a' is of a later version of Locket", -1)).hasSize(2);
		this.store.pause("a");
		this.store.load();
		assertThat(output.getAll().split("'a' is of a later version of Locket", -1)).hasSize(3);
		put("a");
		assertThat(this.store.load().schedules()).hasSize(1);
	}

	/**
	 * Checks a record that is restored from a backup, and damaged again in the same
	 * revision.
	 */
	@Test
	void damageIsLoggedAgainIfTheScheduleWasReadMeanwhile(CapturedOutput output) {
		put("a");
		String record = (String) this.redis.opsForHash().get(book(), "a");
		String damaged = record.substring(0, record.indexOf('\n')) + "\n{\"version\":1}";
		for (int warnings = 1; warnings <= 2; warnings++) {
			write("a", damaged);
			this.store.load();
			assertThat(this.store.load().schedules()).isEmpty();
			assertThat(output.getAll().split("Schedule 'a' is damaged", -1)).hasSize(warnings + 1);
			write("a", record);
			assertThat(this.store.load().schedules()).hasSize(1);
		}
	}

	@Test
	void revisionIsNotThatOfBeforeWhenRedisHasForgottenEverything() {
		StoredSchedule before = put("a");
		server.execute("FLUSHALL");
		StoredSchedule after = put("a");
		assertThat(after.revision()).isGreaterThan(before.revision());
		try (Lease lease = this.leases.tryAcquire("leader").orElseThrow()) {
			Awaitility.await().until(() -> this.store.load().time().isAfter(after.firesAfter().plusMillis(1)));
			Instant time = after.firesAfter().plusMillis(1);
			Firing stale = new Firing("a", before.revision(), time, time.plusSeconds(100), null,
					TestJob.of(Firing.id("a", time)).build());
			assertThat(fire(LeaseProof.of(lease), stale)).isEqualTo(FiringResult.Refused.CHANGED);
		}
	}

	@Test
	void leaderReceivesThousandsOfNamesThatAreTaken() {
		List<ScheduleDefinition> many = IntStream.range(0, ScheduleStore.MOST)
			.mapToObj((i) -> definition("s" + i))
			.toList();
		this.store.put(many, null);
		this.store.put(IntStream.range(0, ScheduleStore.MOST).mapToObj((i) -> definition("r" + i)).toList(), null);
		try (Lease lease = this.leases.tryAcquire("leader").orElseThrow()) {
			List<ScheduleDefinition> configured = many.stream()
				.map((one) -> new ScheduleDefinition(one.name(), "group", "job", "[1]", null, null,
						Duration.ofSeconds(1), ZoneOffset.UTC, Misfire.LATEST, null, true, null,
						ScheduleOrigin.CONFIGURED))
				.toList();
			assertThat(this.store.configure(LeaseProof.of(lease), "group", configured).taken())
				.hasSize(ScheduleStore.MOST);
			assertThatIllegalArgumentException().isThrownBy(() -> this.store.replaceAll("other", other(many)))
				.withMessageContaining("belongs to group 'group'");
		}
		assertThat(this.store.load().schedules()).hasSize(2 * ScheduleStore.MOST)
			.extracting(StoredSchedule::name)
			.doesNotHaveDuplicates()
			.isSorted();
	}

	private static List<ScheduleDefinition> other(List<ScheduleDefinition> definitions) {
		return definitions.stream()
			.map((one) -> new ScheduleDefinition(one.name(), "other", "job", "[1]", null, null, Duration.ofSeconds(1),
					ZoneOffset.UTC, Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT))
			.toList();
	}

	private String book() {
		return "{" + this.keys.namespace() + "}:schedules";
	}

	private void write(String name, String record) {
		this.redis.opsForHash().put(book(), name, record);
	}

	/**
	 * A script reads the schedules of its page by one command.
	 */
	@Test
	void schedulesAreLoadedInPagesOfFiveHundred() {
		this.store.put(IntStream.range(0, 1100).mapToObj((i) -> definition("s" + i)).toList(), null);
		this.store.load();
		try (CommandCounter counter = CommandCounter.on(server)) {
			assertThat(this.store.load().schedules()).extracting(StoredSchedule::name)
				.doesNotHaveDuplicates()
				.hasSize(1100);
			assertThat(counter.commandsMentioning(this.keys.namespace())).hasSize(3).containsOnly("EVALSHA");
			assertThat(counter.innerCommands()).filteredOn("HMGET"::equalsIgnoreCase).hasSize(3);
		}
	}

	@Test
	void thousandsOfSchedulesAreReplacedInOneStep() {
		List<ScheduleDefinition> many = IntStream.range(0, 2500).mapToObj((i) -> definition("s" + i)).toList();
		this.store.replaceAll("group", many);
		assertThat(this.store.load().schedules()).hasSize(2500);
		long revision = this.store.revision();
		assertThat(this.store.load().schedules()).extracting(StoredSchedule::revision).containsOnly(revision);
		this.store.replaceAll("group", List.of());
		assertThat(this.store.load().schedules()).isEmpty();
		assertThat(this.store.revision()).isGreaterThan(revision);
	}

	@Test
	void tombstoneThatIsNotReadIsDeletedAfterAnHour() {
		try (Lease process = this.leases.tryAcquire("process").orElseThrow()) {
			ScheduleDefinition definition = TestSchedule.of("t", ScheduleOrigin.TRANSIENT);
			this.store.put(List.of(definition), LeaseProof.of(process));
			this.store.remove("t");
			assertThat(this.store.load().schedules()).isEmpty();
			assertThat(this.redis.opsForHash().keys(book())).containsOnly("t", ":revision");
			String record = (String) this.redis.opsForHash().get(book(), "t");
			long hourAgo = this.store.load().time().minus(Duration.ofHours(1)).toEpochMilli();
			write("t", record.replaceAll("\"en\":[0-9]+", "\"en\":" + hourAgo));
			assertThat(this.store.load().schedules()).isEmpty();
			assertThat(this.redis.opsForHash().keys(book())).containsOnly(":revision");
		}
	}

	@Test
	void removalThatTheDriverHasSentTwiceIsNotReportedAsUnknown() {
		try (SilentProxy proxy = SilentProxy.start(server)) {
			OwnConnectionFactory factory = new OwnConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", proxy.port()),
					LettuceClientConfiguration.builder().commandTimeout(Duration.ofSeconds(2)).build(), "key");
			factory.start();
			RedisConnections own = new RedisConnections(factory, factory, Duration.ofSeconds(2), factory::destroy);
			try (own; QueueExtension queue = new QueueExtension(own, this.keys, this.nobody)) {
				ScheduleStore remote = new RedisScheduleStore(queue);
				put("a");
				assertThat(remote.remove("unknown")).isFalse();
				proxy.cutNextReply(1);
				assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> remote.remove("a"));
				assertThat(remote.load().schedules()).isEmpty();
			}
		}
	}

	@Test
	void damagedTimeOfAnEndStopsNoConfiguration() {
		try (Lease lease = this.leases.tryAcquire("leader").orElseThrow()) {
			LeaseProof leader = LeaseProof.of(lease);
			List<ScheduleDefinition> configured = List.of(TestSchedule.of("c", ScheduleOrigin.CONFIGURED));
			for (String damage : List.of("'x'", "-1", "0", "253402300799999", "1e300", "{}")) {
				this.store.configure(leader, TestSchedule.GROUP, configured);
				this.store.configure(leader, TestSchedule.GROUP, List.of());
				String record = (String) this.redis.opsForHash().get(book(), "c");
				write("c", record.replaceAll("\"en\":[0-9]+", "\"en\":" + damage.replace('\'', '"')));
				assertThat(this.store.load().schedules()).as(damage).isEmpty();
				assertThat(this.store.configure(leader, TestSchedule.GROUP, configured).taken()).isEmpty();
				assertThat(this.store.load().schedules()).as(damage).hasSize(1);
			}
		}
	}

	@Test
	void scheduleThatNoLeaderFiresAfterItsEndIsDeletedAfterAnHour() {
		ScheduleDefinition definition = TestSchedule.of("t", ScheduleOrigin.TRANSIENT);
		try (Lease process = this.leases.tryAcquire("process").orElseThrow()) {
			this.store.put(List.of(definition, definition("p")), LeaseProof.of(process));
			assertThat(this.store.load().schedules()).hasSize(2);
		}
		assertThat(this.store.load().schedules()).hasSize(1);
		letHourPassSinceTheEndOf("t");
		try (Lease process = this.leases.tryAcquire("process").orElseThrow()) {
			assertThat(this.store.restore(List.of(definition), LeaseProof.of(process))).isEmpty();
			assertThat(this.store.load().schedules()).hasSize(2);
		}
		assertThat(this.store.load().schedules()).hasSize(1);
		assertThat(this.store.load().schedules()).hasSize(1);
		assertThat(this.redis.opsForHash().keys(book())).containsOnly("p", "t", ":revision");
		letHourPassSinceTheEndOf("t");
		assertThat(this.store.load().schedules()).hasSize(1);
		assertThat(this.redis.opsForHash().keys(book())).containsOnly("p", ":revision");
	}

	private void letHourPassSinceTheEndOf(String name) {
		String record = (String) this.redis.opsForHash().get(book(), name);
		long hourAgo = this.store.find("p").time().minus(Duration.ofHours(1)).toEpochMilli();
		write(name, record.replaceAll("\"en\":[0-9]+", "\"en\":" + hourAgo));
	}

	/**
	 * The end of a process is noted when schedules are loaded.
	 */
	@Test
	void fullRedisReturnsSchedulesThoughItCannotStoreAnEnd() {
		try (Lease process = this.leases.tryAcquire("process").orElseThrow()) {
			this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT), definition("p")),
					LeaseProof.of(process));
		}
		server.execute("CONFIG", "SET", "maxmemory", "1");
		assertThat(this.store.load().schedules()).extracting(StoredSchedule::name).containsExactly("p");
	}

	@Test
	void scriptsThatRedisDoesNotKnowAreSentAgain() {
		Firing firing = firing(put("a"));
		try (Lease lease = this.leases.tryAcquire("leader").orElseThrow()) {
			server.execute("SCRIPT", "FLUSH");
			assertThat(fire(LeaseProof.of(lease), firing)).isInstanceOf(FiringResult.Fired.class);
			server.execute("SCRIPT", "FLUSH");
			assertThat(this.store.load().schedules()).hasSize(1);
			server.execute("SCRIPT", "FLUSH");
			assertThat(this.store.remove("a")).isTrue();
		}
	}

	private static void assertRefused(ThrowingCallable call) {
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(call).withMessageContaining("OOM");
	}

	private FiringResult fire(LeaseProof leader, Firing firing) {
		return this.store.fire(leader, Duration.ofSeconds(100), List.of(firing)).results().get(0);
	}

	private StoredSchedule put(String name) {
		this.store.put(List.of(definition(name)), null);
		return this.store.load()
			.schedules()
			.stream()
			.filter((schedule) -> schedule.name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private static ScheduleDefinition definition(String name) {
		return new ScheduleDefinition(name, "group", "job", "[1]", null, null, Duration.ofSeconds(1), ZoneOffset.UTC,
				Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT);
	}

	private Firing firing(StoredSchedule schedule) {
		return firing(schedule, LockStrategy.NONE);
	}

	/**
	 * Returns a firing of a schedule for the first possible time.
	 */
	private Firing firing(StoredSchedule schedule, LockStrategy lock) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.until(() -> this.store.load().time().isAfter(schedule.firesAfter()));
		Instant time = schedule.firesAfter().plusMillis(1);
		return new Firing(schedule.name(), schedule.revision(), time, time.plusSeconds(100), null,
				TestJob.of(Firing.id(schedule.name(), time)).with(lock, "k").build());
	}

}
