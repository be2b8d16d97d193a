package io.locket.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.locket.JobKey;
import io.locket.LeaseUnavailableException;
import io.locket.lease.Lease;
import io.locket.lease.redis.LeaseFixture.Settings;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for leases that wait for real replicas, some of which hang temporarily.
 */
class ReplicatedLeaseTests {

	private static final Settings SETTINGS = Settings.ofMillis(600_000, 10_000, 1000);

	private static RedisServer primary;

	private static List<RedisServer> replicas;

	private final LeaseFixture fixture = LeaseFixture.replicated(primary, 2, SETTINGS);

	private final RedisLeaseService service = this.fixture.service;

	private final ExecutorService callers = Executors.newCachedThreadPool();

	private final Queue<Lease> granted = new ConcurrentLinkedQueue<>();

	@BeforeAll
	static void start() {
		primary = RedisServer.start("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0");
		replicas = IntStream.range(0, 2)
			.mapToObj((i) -> RedisServer.start("--replicaof", primary.host(), Integer.toString(primary.port())))
			.toList();
		awaitReplicas();
	}

	private static void awaitReplicas() {
		Awaitility.await().until(() -> {
			String info = primary.execute("INFO", "replication").toString();
			return info.contains("slave0") && info.contains("slave1")
					&& info.indexOf("state=online") != info.lastIndexOf("state=online");
		});
	}

	/**
	 * Waits for replicas that hung in an earlier test and need time to catch up.
	 */
	@BeforeEach
	void awaitConfirmations() {
		Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreException(LeaseUnavailableException.class).until(() -> {
			this.service.tryAcquire("warm up", UUID.randomUUID()).orElseThrow().close();
			return true;
		});
		Awaitility.await().until(this::isAllFree);
	}

	@AfterAll
	static void stop() {
		replicas.forEach(RedisServer::close);
		primary.close();
	}

	@AfterEach
	void close() {
		replicas.forEach(RedisServer::resume);
		primary.resume();
		this.callers.shutdownNow();
		this.granted.forEach(Lease::close);
		this.fixture.close();
	}

	@Test
	void leaseAndClaimAreGrantedWhenTheReplicasHaveThem() {
		JobKey key = this.fixture.key("both");
		acquire("both");
		this.service.claim(key, Duration.ofHours(1));
		for (RedisServer replica : replicas) {
			assertThat(replica.execute("EXISTS", this.fixture.keys.lock(key.digest()),
					this.fixture.keys.claim(key.digest())))
				.isEqualTo(2L);
		}
	}

	@Test
	void callersAtOnceAreReleasedWithinASecondWhileAReplicaStandsStill() throws Exception {
		replicas.get(1).freeze();
		refuseAll(acquireInWaves());
		Awaitility.await().atMost(Duration.ofSeconds(1)).until(this::isAllFree);
		Awaitility.await().during(Duration.ofMillis(2500)).atMost(Duration.ofSeconds(5)).until(this::isAllFree);
	}

	@Test
	void callersAtOnceShareTheirWaitForAReplicaThatIsSlow() throws Exception {
		replicas.get(1).freeze();
		List<Future<Lease>> attempts = acquireInWaves();
		replicas.get(1).resume();
		for (Future<Lease> attempt : attempts) {
			assertThat(attempt.get(5, TimeUnit.SECONDS).isHeld()).isTrue();
		}
	}

	@Test
	void callersAtOnceAreReleasedWithinASecondAfterThePrimaryResumes() throws Exception {
		primary.freeze();
		List<Future<Lease>> attempts = acquireAtOnce("outage", 6);
		refuseAll(attempts);
		primary.resume();
		Awaitility.await().atMost(Duration.ofSeconds(1)).until(this::isAllFree);
		Awaitility.await().during(Duration.ofMillis(700)).atMost(Duration.ofSeconds(2)).until(this::isAllFree);
	}

	@Test
	void claimIsReleasedWithinASecondWhenAReplicaStandsStill() {
		JobKey key = this.fixture.key("claimed");
		replicas.get(0).freeze();
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.service.claim(key, Duration.ofHours(24)));
		Awaitility.await().atMost(Duration.ofSeconds(1)).until(() -> this.service.findClaim(key).isEmpty());
	}

	@Test
	void leaseIsGrantedByTheFirstCallAfterRedisHasClosedTheConnections() {
		for (int i = 0; i < 10; i++) {
			primary.execute("CLIENT", "KILL", "TYPE", "normal");
			assertThat(acquire("closed", i).isHeld()).isTrue();
		}
	}

	@Test
	void leaseOfAnOutageIsTakenAgainWhenTheReplicasAreBack() {
		replicas.forEach(RedisServer::freeze);
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> acquire("again"));
		replicas.forEach(RedisServer::resume);
		Awaitility.await()
			.atMost(Duration.ofSeconds(5))
			.ignoreException(LeaseUnavailableException.class)
			.until(() -> acquire("again").isHeld());
	}

	/**
	 * Acquires leases in waves, so that later callers arrive while an earlier one waits
	 * for the replicas.
	 */
	private List<Future<Lease>> acquireInWaves() {
		List<Future<Lease>> attempts = new ArrayList<>(acquireAtOnce("first", 1));
		Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.until(() -> primary.execute("INFO", "clients").toString().contains("blocked_clients:1"));
		attempts.addAll(acquireAtOnce("second", 5));
		String lock = this.fixture.keys.lock(this.fixture.key("second", 4).digest());
		Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.until(() -> Long.valueOf(1).equals(primary.execute("EXISTS", lock)));
		attempts.addAll(acquireAtOnce("third", 3));
		return attempts;
	}

	private List<Future<Lease>> acquireAtOnce(String wave, int number) {
		return IntStream.range(0, number).mapToObj((i) -> this.callers.submit(() -> acquire(wave, i))).toList();
	}

	private Lease acquire(Object... parts) {
		Lease lease = this.fixture.acquire(parts);
		this.granted.add(lease);
		return lease;
	}

	private void refuseAll(List<Future<Lease>> attempts) throws Exception {
		for (Future<Lease> attempt : attempts) {
			assertThat(attempt).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.withCauseInstanceOf(LeaseUnavailableException.class);
		}
	}

	private boolean isAllFree() {
		return ((List<?>) primary.execute("KEYS", this.fixture.keys.lock("*"))).isEmpty();
	}

}
