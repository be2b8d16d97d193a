package io.locket.lease.heartbeat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.LeaseUnavailableException;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BatchRenewal}, with manual time.
 */
@ExtendWith(OutputCaptureExtension.class)
class BatchRenewalTests {

	private final ManualScheduler time = new ManualScheduler();

	private final JobEventPublisher publisher = new JobEventPublisher(List.of());

	private final LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofSeconds(10), this.time, this.time,
			Runnable::run, this.publisher, this.time::nanoTime);

	private final LeaseRenewer store = this::renew;

	private @Nullable String failure;

	@Test
	void outageOfManyBeatsIsLoggedOnceAMinuteWithItsReason(CapturedOutput output) {
		lease(this.store, Duration.ofSeconds(300));
		lease(this.store, Duration.ofSeconds(600));
		this.failure = "READONLY in a test";
		this.time.advance(Duration.ofSeconds(70));
		assertThat(lines(output, "Could not renew leases")).hasSize(2)
			.allMatch((line) -> line.contains("READONLY in a test"));
		this.failure = null;
		this.time.advance(Duration.ofSeconds(30));
		assertThat(lines(output, "Leases are renewed again, after ")).hasSize(1);
	}

	@Test
	void outageOfOneStoreIsNotEndedByAnother(CapturedOutput output) {
		lease((leases) -> leases.stream().map((lease) -> Renewal.RENEWED).toList(), Duration.ofSeconds(300));
		lease(this.store, Duration.ofSeconds(300));
		this.failure = "READONLY in a test";
		this.time.advance(Duration.ofSeconds(30));
		assertThat(lines(output, "Could not renew leases")).hasSize(1);
		assertThat(lines(output, "Leases are renewed again")).isEmpty();
	}

	@Test
	void outageThatCostAllLeasesIsNotEndedByLaterOnes(CapturedOutput output) {
		lease(this.store, Duration.ofSeconds(35));
		this.failure = "READONLY in a test";
		this.time.advance(Duration.ofSeconds(40));
		assertThat(lines(output, "Could not renew leases")).hasSize(1);
		this.failure = null;
		this.time.advance(Duration.ofHours(1));
		lease(this.store, Duration.ofSeconds(35));
		this.time.advance(Duration.ofSeconds(30));
		assertThat(lines(output, "Leases are renewed again")).isEmpty();
	}

	@Test
	void outageIsNotEndedByABeatThatHasNoLeaseLeft(CapturedOutput output) {
		BatchRenewal renewal = new BatchRenewal(this.time::nanoTime);
		TestLease lease = lease(this.store, Duration.ofSeconds(35));
		this.failure = "READONLY in a test";
		assertThat(renewal.renew(List.of(lease), Set.of(lease))).isOne();
		this.failure = null;
		assertThat(renewal.renew(List.of(lease), Set.of())).isZero();
		assertThat(lines(output, "Leases are renewed again")).isEmpty();
		assertThat(renewal.renew(List.of(lease), Set.of(lease))).isZero();
		assertThat(lines(output, "Leases are renewed again")).hasSize(1);
	}

	private List<Renewal> renew(List<LiveLease> leases) {
		if (this.failure != null) {
			throw new LeaseUnavailableException(this.failure, null);
		}
		return leases.stream().map((lease) -> Renewal.RENEWED).toList();
	}

	private TestLease lease(LeaseRenewer renewer, Duration duration) {
		TestLease lease = new TestLease(duration, this.time.nanoTime(), new LiveLease.Context(this.heartbeat,
				this.publisher, LossExecutors.of(Runnable::run), this.time::nanoTime, new LeaseClosing(() -> {
				}), renewer));
		this.heartbeat.add(lease);
		return lease;
	}

	private static List<String> lines(CapturedOutput output, String text) {
		return output.getOut().lines().filter((line) -> line.contains(text)).toList();
	}

	/**
	 * A lease without a store.
	 */
	private static final class TestLease extends LiveLease {

		TestLease(Duration duration, long sentAt, Context context) {
			super(new JobKey("job", "digest", "[]"), duration, Instant.EPOCH, 1, sentAt, context);
		}

		@Override
		protected @Nullable LeaseLossCause releaseInStore() {
			return null;
		}

		@Override
		protected void releaseInStoreLater() {
		}

	}

}
