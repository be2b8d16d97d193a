package io.locket.queue.redis;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.LeaseUnavailableException;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.redis.EveryScript.Call;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.RunsRefusedException;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.RedisConnections;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.TestSchedule;
import io.locket.schedule.redis.RedisScheduleStore;
import io.locket.testing.MovingSlot;
import io.locket.testing.MovingSlot.Entry;
import io.locket.testing.RedisCluster;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for every script while the slot of its namespace moves from one node of a cluster
 * to another: a call that is refused has written nothing, and its repetition does the
 * work.
 */
class MigratingSlotTests {

	private static final Duration PATIENCE = Duration.ZERO;

	private static RedisCluster cluster;

	private static LettuceConnectionFactory connectionFactory;

	@BeforeAll
	static void start() {
		cluster = RedisCluster.start();
		connectionFactory = new OwnConnectionFactory(new RedisClusterConfiguration(List.of(cluster.nodes().split(","))),
				LettuceClientConfiguration.builder()
					.commandTimeout(Duration.ofSeconds(20))
					.shutdownTimeout(Duration.ZERO)
					.build(),
				"key");
		connectionFactory.afterPropertiesSet();
		connectionFactory.start();
	}

	@AfterAll
	static void stop() {
		connectionFactory.destroy();
		cluster.close();
	}

	@Test
	void everyScriptIsTried() throws IOException {
		Set<String> found = new TreeSet<>();
		for (Resource script : new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/locket/**/*.lua")) {
			String path = script.getURL().getPath();
			found.add(path.substring(path.lastIndexOf("io/locket/") + "io/locket/".length(), path.length() - 4));
		}
		// Of the tests.
		found.remove("queue/redis/manual-clock");
		try (RedisConnections connections = connections(PATIENCE);
				EveryScript every = new EveryScript(connections, RedisServer.newNamespace())) {
			Set<String> tried = every.calls().stream().map(Call::script).collect(Collectors.toCollection(TreeSet::new));
			tried.addAll(EveryScript.PARTS);
			tried.addAll(EveryScript.NOT_ON_A_CLUSTER);
			assertThat(tried).isEqualTo(found);
		}
	}

	@ParameterizedTest
	@EnumSource
	void refusedCallWritesNothingAndItsRepetitionDoesTheWork(Moved moved) {
		refuseAndRepeat(moved.keys::apply);
	}

	@Test
	void shortMoveIsWaitedForByCallers() throws Exception {
		String namespace = RedisServer.newNamespace();
		MovingSlot slot = cluster.slotOf("{" + namespace + "}:jobs");
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try (RedisConnections connections = connections(Duration.ofMinutes(1));
				QueueFixture fixture = QueueFixture.create(connections, namespace)) {
			NewJob job = QueueFixture.job("waits", LockStrategy.UNTIL_EXECUTED, "waits");
			slot.open();
			long refusals = cluster.refusals();
			Future<EnqueueResult> result = executor.submit(() -> fixture.queue.enqueue(job));
			Awaitility.await().until(() -> cluster.refusals() > refusals + 2);
			slot.finish();
			assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo(new EnqueueResult.Accepted("waits"));
			assertThat(fixture.store.verify()).isEmpty();
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void runIsRenewedWhileItsSlotMoves() {
		String namespace = RedisServer.newNamespace();
		MovingSlot slot = cluster.slotOf("{" + namespace + "}:jobs");
		try (RedisConnections connections = connections(PATIENCE);
				QueueFixture fixture = QueueFixture.create(connections, namespace)) {
			fixture.queue.enqueue(QueueFixture.job("runs", LockStrategy.UNTIL_EXECUTED, "runs"));
			ReservedJob run = fixture.reserve(1, "default").jobs().get(0);
			List<RunToken> tokens = List.of(new RunToken("runs", run.token()));
			slot.open();
			assertThat(fixture.queue.renew(tokens)).allMatch(RunRenewal::running);
			slot.move(List.of(fixture.lock(QueueFixture.key("runs"))));
			assertThatExceptionOfType(RunsRefusedException.class).isThrownBy(() -> fixture.queue.renew(tokens));
			slot.move(List.of(fixture.name("state"), fixture.name("jobs"), fixture.name("running")));
			assertThat(fixture.queue.renew(tokens)).containsExactly(new RunRenewal(true, null, false));
			slot.finish();
			assertThat(fixture.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isTrue();
			assertThat(fixture.store.verify()).isEmpty();
		}
	}

	/**
	 * The leader detects a move by this, although it can read a single key.
	 */
	@Test
	void scheduleCannotBeReadWhileItsSlotMoves() {
		String namespace = RedisServer.newNamespace();
		MovingSlot slot = cluster.slotOf("{" + namespace + "}:jobs");
		try (RedisConnections connections = connections(PATIENCE);
				QueueFixture fixture = QueueFixture.create(connections, namespace);
				QueueExtension extension = new QueueExtension(connections, fixture.leaseKeys,
						new JobEventPublisher(List.of()))) {
			ScheduleStore schedules = new RedisScheduleStore(extension);
			schedules.put(List.of(TestSchedule.persistent("a")), null);
			fixture.queue.enqueue(QueueFixture.job("waits", LockStrategy.UNTIL_EXECUTED, "waits"));
			slot.open();
			slot.move(List.of(fixture.name("jobs")));
			assertThat(schedules.revision()).isPositive();
			assertThat(schedules.revisionAt().revision()).isEqualTo(schedules.revision());
			assertThat(schedules.revisionAt().time()).isAfter(Instant.EPOCH);
			assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> schedules.find("a"));
			slot.finish();
			assertThat(schedules.find("a").schedules()).hasSize(1);
		}
	}

	/**
	 * The namespaces of two tests can have the same slot.
	 */
	@Test
	void slotThatAnotherTestHasMovedIsMovedBack() {
		String namespace = RedisServer.newNamespace();
		try (RedisConnections connections = connections(PATIENCE);
				QueueFixture fixture = QueueFixture.create(connections, namespace)) {
			for (String id : List.of("first", "second")) {
				MovingSlot slot = cluster.slotOf("{" + namespace + "}:jobs");
				slot.open();
				slot.finish();
				assertThat(fixture.queue.enqueue(QueueFixture.job(id, LockStrategy.UNTIL_EXECUTED, id)))
					.isEqualTo(new EnqueueResult.Accepted(id));
			}
			assertThat(fixture.store.verify()).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 10, 50, 90 })
	@Tag("scale")
	void refusedCallWritesNothingWhicheverKeysHaveMoved(int percent) {
		for (int i = 0; i < 5; i++) {
			long seed = System.nanoTime();
			System.out.println(percent + " % of the keys, seed " + seed);
			Random random = new Random(seed);
			refuseAndRepeat((keys) -> keys.stream().filter((key) -> random.nextInt(100) < percent).toList());
		}
	}

	private static RedisConnections connections(Duration patience) {
		return new RedisConnections(connectionFactory, connectionFactory, patience, connectionFactory::getTimeout);
	}

	private static void refuseAndRepeat(UnaryOperator<List<String>> moved) {
		String namespace = RedisServer.newNamespace();
		try (RedisConnections connections = connections(PATIENCE);
				EveryScript every = new EveryScript(connections, namespace)) {
			MovingSlot slot = cluster.slotOf("{" + namespace + "}:jobs");
			slot.open();
			slot.move(moved.apply(slot.left()));
			List<Call> refused = every.calls().stream().filter((call) -> isRefused(call, slot)).toList();
			slot.finish();
			assertThat(refused).extracting(Call::script)
				.contains("queue/redis/enqueue", "queue/redis/settle")
				.doesNotContain("lease/redis/renew", "lease/redis/keep");
			for (Call call : refused) {
				Object reply = call.call().get();
				assertThat(reply).as(call.script()).satisfies(call.expected()::accept);
			}
			assertThat(every.store().verify()).isEmpty();
		}
	}

	/**
	 * Makes a call that is served completely or not at all.
	 */
	private static boolean isRefused(Call call, MovingSlot slot) {
		Map<String, Entry> before = slot.content();
		Object reply;
		try {
			reply = call.call().get();
		}
		catch (QueueUnavailableException | LeaseUnavailableException ex) {
			assertThat(ex).as(call.script()).hasMessageContaining("moving to another node");
			assertSame(call, before, slot.content());
			return true;
		}
		if (call.background()) {
			Map<String, Entry> after = slot.content();
			if (after.size() == before.size()) {
				assertSame(call, before, after);
			}
			return true;
		}
		assertThat(reply).as(call.script()).satisfies(call.expected()::accept);
		return false;
	}

	private static void assertSame(Call call, Map<String, Entry> before, Map<String, Entry> after) {
		assertThat(after.keySet()).as("keys after " + call.script()).isEqualTo(before.keySet());
		assertThat(after).as("what was there after " + call.script())
			.allSatisfy((key, entry) -> assertThat(entry).matches(before.get(key)::isSame));
	}

	/**
	 * The keys that have been moved when a script is called.
	 */
	enum Moved {

		NONE((keys) -> List.of()),

		ALL((keys) -> keys),

		/**
		 * The keys of the whole namespace, which scripts declare.
		 */
		DECLARED((keys) -> keys.stream().filter(Moved::isDeclared).toList()),

		OTHERS((keys) -> keys.stream().filter((key) -> !isDeclared(key)).toList()),

		/**
		 * In the order in which Redis 6.2 lists the keys of a slot.
		 */
		FIRST_HALF((keys) -> keys.subList(0, keys.size() / 2));

		private final UnaryOperator<List<String>> keys;

		Moved(UnaryOperator<List<String>> keys) {
			this.keys = keys;
		}

		private static boolean isDeclared(String key) {
			String name = key.substring(key.indexOf('}') + 2);
			return Stream.of("state", "jobs", "tickets", "due", "running", "ended", "dead", "fence", "leases")
				.anyMatch(name::equals);
		}

	}

}
