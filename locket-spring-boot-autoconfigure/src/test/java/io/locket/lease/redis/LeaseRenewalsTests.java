package io.locket.lease.redis;

import java.util.List;

import io.locket.LeaseUnavailableException;
import io.locket.event.HeartbeatCompleted;
import io.locket.lease.Lease;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import io.locket.lease.heartbeat.LiveLease;
import io.locket.lease.redis.LeaseFixture.Settings;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LeaseRenewals}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaseRenewalsTests {

	private final RedisServer server = RedisServer.start();

	private final LeaseFixture fixture = LeaseFixture.create(this.server, RedisServer.newNamespace(),
			Settings.ofMillis(60_000, 50, 2000));

	private final LeaseRenewals renewals = new LeaseRenewals(this.fixture.scripts);

	@AfterEach
	void close() {
		this.fixture.close();
		this.server.close();
	}

	@Test
	void renewalReportsALeaseWhoseKeyIsGone() {
		try (Lease held = this.fixture.acquire("held"); Lease gone = this.fixture.acquire("gone")) {
			this.fixture.redis.delete(this.fixture.keys.lock(gone.key().digest()));
			assertThat(this.renewals.renew(List.of((LiveLease) held, (LiveLease) gone)))
				.containsExactly(Renewal.RENEWED, Renewal.GONE);
		}
	}

	@Test
	void reasonOfRedisIsLoggedOnceWhenItsServerIsNowAReplica(CapturedOutput output) {
		Lease lease = this.fixture.acquire("x");
		this.server.execute("REPLICAOF", "127.0.0.1", "1");
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.renewals.renew(List.of((LiveLease) lease)))
			.withMessageContaining("Redis refused to: renew 1 lease(s)")
			.withMessageContaining("READONLY");
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(lease::renew)
			.withMessageContaining("READONLY");
		await().until(() -> failures() > 3);
		this.server.execute("REPLICAOF", "NO", "ONE");
		long failures = failures();
		await().until(() -> this.fixture.events(HeartbeatCompleted.class).size() > failures + 1);
		assertThat(
				output.getOut().lines().filter((line) -> line.contains("Could not renew") && line.contains("READONLY")))
			.hasSize(1);
		assertThat(output).contains("Leases are renewed again, after ");
		lease.close();
	}

	private long failures() {
		return this.fixture.events(HeartbeatCompleted.class).stream().filter((beat) -> beat.failures() > 0).count();
	}

}
