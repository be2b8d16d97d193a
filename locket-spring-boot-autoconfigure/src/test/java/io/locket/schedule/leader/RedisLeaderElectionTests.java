package io.locket.schedule.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import io.locket.event.JobEvent;
import io.locket.event.LeadershipGained;
import io.locket.event.LeadershipLost;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.redis.RedisConnections;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LeaderElection} on leases in Redis.
 */
class RedisLeaderElectionTests {

	private static final Duration LONG = Duration.ofMinutes(3);

	private static final Duration SHORT = Duration.ofMillis(900);

	private final LeaseKeys keys = LeaseKeys.of(RedisServer.newNamespace());

	private final List<Process> processes = new ArrayList<>();

	@AfterEach
	void stop() {
		this.processes.forEach(Process::close);
	}

	@Test
	void successorOfALeaderThatResignsLeadsAtOnce() {
		Process one = start(LONG);
		await().until(one.leadership::isLeader);
		long term = one.leadership.term();
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			Process two = start(LONG);
			awaitFollower(counter);
			one.election.stop();
			await().atMost(Duration.ofSeconds(2)).until(two.leadership::isLeader);
			assertThat(two.leadership.term()).isGreaterThan(term);
			assertThat(one.events).contains(new LeadershipGained(term), new LeadershipLost(term, true));
		}
	}

	@Test
	void followerRequestsTheLeaseNoMoreThanNeeded() {
		Process one = start(LONG);
		await().until(one.leadership::isLeader);
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			Process two = start(LONG);
			awaitFollower(counter);
			// It requests the lease once to log the leader, before it waits, and once
			// more when it waits: twice at the start of the subscription. The leader
			// renews its lease meanwhile, with the index of leases as a key.
			await().during(Duration.ofMillis(2100))
				.atMost(Duration.ofSeconds(5))
				.until(() -> scripts(counter, this.keys.registryKey() + ":")
						- scripts(counter, "{" + this.keys.namespace() + "}:leases") <= 4);
			assertThat(two.leadership.isLeader()).isFalse();
		}
	}

	private static long scripts(CommandCounter counter, String name) {
		return counter.commandsMentioning(name)
			.stream()
			.filter((command) -> command.toLowerCase().startsWith("eval"))
			.count();
	}

	@Test
	void leaderThatIsFrozenIsSucceededWhenItsLeaseHasEndedAndFindsOut() {
		Process one = start(SHORT);
		await().until(one.leadership::isLeader);
		long term = one.leadership.term();
		Process two = start(SHORT);
		CountDownLatch thaw = one.freeze();
		await().until(two.leadership::isLeader);
		assertThat(one.leadership.isLeader()).isFalse();
		assertThat(two.leadership.term()).isGreaterThan(term);
		thaw.countDown();
		await().until(() -> one.events.contains(new LeadershipLost(term, false)));
		assertThat(two.leadership.isLeader()).isTrue();
		assertThat(two.leadership.leader()).map((leader) -> leader.fencingToken()).contains(two.leadership.term());
	}

	@Test
	void leaderWhoseLeaseIsGoneLearnsOfItByTheHeartbeat() {
		Process one = start(SHORT);
		await().until(one.leadership::isLeader);
		long term = one.leadership.term();
		one.redis().delete(this.keys.registryKey() + ":" + one.leadership.key().digest());
		await().until(() -> one.events.contains(new LeadershipLost(term, false)));
		await().until(() -> one.leadership.term() > term);
	}

	private void awaitFollower(CommandCounter counter) {
		await().until(() -> counter.commandsMentioning(this.keys.registryKey() + "-channel")
			.stream()
			.anyMatch((command) -> command.toLowerCase().startsWith("psubscribe")));
	}

	private Process start(Duration ttl) {
		Process process = new Process(ttl);
		this.processes.add(process);
		process.election.start();
		return process;
	}

	/**
	 * Process of the fleet.
	 */
	private final class Process implements AutoCloseable {

		private final List<JobEvent> events = new CopyOnWriteArrayList<>();

		private final LeaseThreads threads = LeaseThreads.create();

		private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

		private final LettuceConnectionFactory connectionFactory;

		private final RedisLeaseService leases;

		private final Leadership leadership;

		private final LeaderElection election;

		Process(Duration ttl) {
			this.connectionFactory = new LettuceConnectionFactory(
					new RedisStandaloneConfiguration(RedisServer.shared().host(), RedisServer.shared().port()));
			this.connectionFactory.afterPropertiesSet();
			this.connectionFactory.start();
			Duration timeout = Duration.ofMillis(300);
			JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));
			LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofSeconds(10), this.scheduler, this.scheduler,
					this.threads.notifier(), publisher, System::nanoTime);
			try (RedisConnections connections = new RedisConnections(this.connectionFactory, this.connectionFactory,
					timeout, this.connectionFactory::destroy)) {
				this.leases = new RedisLeaseService(connections, RedisLeaderElectionTests.this.keys,
						new LeaseSettings(Duration.ofSeconds(35), timeout, "test", false, 0), new JobKeys(), heartbeat,
						this.threads, publisher, System::nanoTime);
			}
			this.leadership = new Leadership(this.leases, "namespace", "group");
			this.election = new LeaderElection(this.leases, this.leadership, ttl, (lease) -> () -> Duration.ofHours(1),
					new LeaderEvents(publisher), timeout);
		}

		StringRedisTemplate redis() {
			return new StringRedisTemplate(this.connectionFactory);
		}

		/**
		 * Blocks heartbeat and watch until the returned latch is counted down.
		 */
		CountDownLatch freeze() {
			CountDownLatch thaw = new CountDownLatch(1);
			this.scheduler.execute(() -> {
				try {
					thaw.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			});
			return thaw;
		}

		@Override
		public void close() {
			this.election.stop();
			this.leases.close();
			this.scheduler.shutdownNow();
		}

	}

}
