package io.locket.schedule.leader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.lettuce.core.ClientOptions;
import io.locket.event.JobEvent;
import io.locket.event.LeaseUnavailable;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LeaderElection} on leases that wait for a replica. The leader's lease
 * is so long that the fleet would have no leader if it were not given back.
 */
class ReplicatedLeaderTests {

	private static final Duration TTL = Duration.ofMinutes(3);

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private static RedisServer primary;

	private static RedisServer replica;

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	private final LeaseKeys keys = LeaseKeys.of(RedisServer.newNamespace());

	private final LeaseThreads threads = LeaseThreads.create();

	private final RedisLeaseService leases = leases();

	private final Leadership leadership = new Leadership(this.leases, "namespace", "group");

	private final LeaderElection election = new LeaderElection(this.leases, this.leadership, TTL,
			(lease) -> () -> Duration.ofHours(1), new LeaderEvents(new JobEventPublisher(List.of(this.events::add))),
			TIMEOUT);

	@BeforeAll
	static void start() {
		primary = RedisServer.start("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0");
		replica = RedisServer.start("--replicaof", primary.host(), Integer.toString(primary.port()));
		await().until(() -> primary.execute("INFO", "replication").toString().contains("state=online"));
	}

	@AfterAll
	static void stop() {
		replica.close();
		primary.close();
	}

	@AfterEach
	void close() {
		replica.resume();
		primary.resume();
		this.election.stop();
		this.leases.close();
	}

	@Test
	void leaderWhoseRedisStoodStillIsReleasedWithinASecondAndLeads() {
		primary.freeze();
		this.election.start();
		await().until(this::hasGotNoReply);
		primary.resume();
		await().atMost(Duration.ofSeconds(1)).until(() -> this.leadership.isLeader() || isFree());
		await().until(this.leadership::isLeader);
		assertThat(this.leadership.leader()).isPresent();
	}

	@Test
	void leaderWhoseReplicaStandsStillIsReleasedWithinASecond() {
		replica.freeze();
		this.election.start();
		await().until(this::hasGotNoReply);
		this.election.stop();
		await().atMost(Duration.ofSeconds(1)).until(this::isFree);
		assertThat(this.leadership.isLeader()).isFalse();
	}

	private boolean hasGotNoReply() {
		return this.events.stream().anyMatch(LeaseUnavailable.class::isInstance);
	}

	private boolean isFree() {
		return Long.valueOf(0)
			.equals(primary.execute("EXISTS", this.keys.registryKey() + ":" + this.leadership.key().digest()));
	}

	private RedisLeaseService leases() {
		LettuceConnectionFactory shared = connections(true);
		LettuceConnectionFactory waiting = connections(false);
		waiting.setShareNativeConnection(false);
		JobEventPublisher publisher = new JobEventPublisher(List.of(this.events::add));
		LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofSeconds(10), this.threads.heartbeat(),
				this.threads.watch(), this.threads.notifier(), publisher, System::nanoTime);
		try (RedisConnections connections = new RedisConnections(shared, waiting, TIMEOUT, () -> {
			shared.destroy();
			waiting.destroy();
		})) {
			return new RedisLeaseService(connections, this.keys, new LeaseSettings(TTL, TIMEOUT, "test", false, 1),
					new JobKeys(), heartbeat, this.threads, publisher, System::nanoTime);
		}
	}

	private static LettuceConnectionFactory connections(boolean reconnects) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(primary.host(), primary.port()),
				LettuceClientConfiguration.builder()
					.commandTimeout(TIMEOUT)
					.shutdownTimeout(Duration.ZERO)
					.clientOptions(ClientOptions.builder().autoReconnect(reconnects).build())
					.build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
