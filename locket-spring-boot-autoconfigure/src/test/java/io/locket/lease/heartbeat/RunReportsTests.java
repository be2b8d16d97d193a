package io.locket.lease.heartbeat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import io.locket.JobKey;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.ManualScheduler;
import io.locket.testing.LogLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunReports}, with manual time.
 */
@ExtendWith(OutputCaptureExtension.class)
class RunReportsTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final ManualScheduler time = new ManualScheduler();

	private final ManualScheduler reporting = new ManualScheduler();

	private final List<List<RunRenewer.Report>> calls = new ArrayList<>();

	private boolean unreachable;

	private Runnable onReport = () -> {
	};

	private Executor losses = Runnable::run;

	private final JobEventPublisher publisher = new JobEventPublisher(List.of());

	private final LeaseHeartbeat heartbeat = new LeaseHeartbeat(Duration.ofSeconds(10), this.time, this.time,
			Runnable::run, this.publisher, this.time::nanoTime);

	private final RunLeases leases = new RunLeases(
			new LiveLease.Context(this.heartbeat, this.publisher, LossExecutors.of((task) -> this.losses.execute(task)),
					this.reporting::nanoTime, new LeaseClosing(this.calls::clear), (leases) -> List.of()),
			new Store(), this.reporting);

	@Test
	void firstReportIsSentAtOnceAndThenTheLatestEachSecond() {
		RunLease lease = begin(0);
		lease.report(1, 10, "one");
		assertThat(this.calls).isEmpty();
		this.reporting.advance(Duration.ZERO);
		assertThat(this.calls).containsExactly(List.of(new RunRenewer.Report(lease, 1, 10, "one")));
		for (int i = 2; i <= 9; i++) {
			lease.report(i, 10, null);
			this.reporting.advance(Duration.ofMillis(100));
		}
		assertThat(this.calls).hasSize(1);
		this.reporting.advance(Duration.ofMillis(200));
		assertThat(this.calls).hasSize(2);
		assertThat(this.calls.get(1)).containsExactly(new RunRenewer.Report(lease, 9, 10, null));
		this.reporting.advance(Duration.ofMinutes(1));
		assertThat(this.calls).hasSize(2);
		assertThat(this.reporting.size()).isZero();
		lease.report(10, 10, null);
		this.reporting.advance(Duration.ZERO);
		assertThat(this.calls).hasSize(3);
	}

	@Test
	void allRunsOfTheProcessShareOneCallASecondOfAHundred() {
		List<RunLease> running = new ArrayList<>();
		for (int i = 0; i < 250; i++) {
			running.add(begin(i));
		}
		for (int second = 0; second < 5; second++) {
			running.forEach((lease) -> lease.report(1, 0, null));
			this.reporting.advance(SECOND);
		}
		assertThat(this.calls).hasSizeBetween(5, 6).allMatch((batch) -> batch.size() == 100);
		assertThat(this.calls.stream().flatMap(List::stream).map(RunRenewer.Report::run).distinct()).hasSize(250);
	}

	@Test
	void runThatHasEndedReportsNothing() {
		RunLease lease = begin(0);
		lease.report(1, 10, null);
		lease.close();
		lease.report(2, 10, null);
		this.reporting.advance(SECOND);
		assertThat(this.calls).isEmpty();
		assertThat(this.reporting.size()).isZero();
	}

	@Test
	void reportWithoutAReplyIsDroppedWithoutAWarning(CapturedOutput output) {
		RunLease lease = begin(0);
		this.unreachable = true;
		lease.report(1, 10, null);
		this.reporting.advance(Duration.ofMinutes(1));
		assertThat(this.calls).hasSize(1);
		this.unreachable = false;
		lease.report(2, 10, null);
		this.reporting.advance(SECOND);
		assertThat(this.calls.get(1)).extracting(RunRenewer.Report::done).containsExactly(2L);
		assertThat(LogLines.warnings(output)).isEmpty();
		assertThat(output).doesNotContain("no reply");
	}

	/**
	 * Threads are short, as they may be in an outage.
	 */
	@Test
	void lossThatIsDetectedByAReportAndCannotBeNotifiedStopsNoOtherReport() {
		RunLease lost = begin(0);
		lost.report(1, 10, null);
		this.reporting.hold(Duration.ofHours(1));
		this.losses = (task) -> {
			throw new OutOfMemoryError("unable to create native thread");
		};
		this.reporting.advance(Duration.ZERO);
		RunLease other = begin(1);
		other.report(1, 10, null);
		this.reporting.advance(SECOND);
		assertThat(this.calls).containsExactly(List.of(new RunRenewer.Report(other, 1, 10, null)));
	}

	@Test
	void reportDoesNotFailAndIsReplacedByTheNextWhenNoThreadCanBeStarted() {
		RunLease lease = begin(0);
		this.reporting.refuse(1);
		lease.report(1, 10, null);
		lease.report(2, 10, null);
		this.reporting.advance(SECOND);
		assertThat(this.calls).containsExactly(List.of(new RunRenewer.Report(lease, 2, 10, null)));
		lease.report(3, 10, null);
		this.reporting.advance(SECOND);
		assertThat(this.calls).hasSize(2);
	}

	@Test
	void reportIsLeftForTheEndOfItsRunUntilTheStoreHasIt() {
		RunLease lease = begin(0);
		assertThat(lease.unsentReport()).isNull();
		lease.report(1, 10, null);
		assertThat(lease.unsentReport()).isEqualTo(new RunRenewer.Report(lease, 1, 10, null));
		this.onReport = () -> assertThat(lease.unsentReport()).extracting(RunRenewer.Report::done).isEqualTo(1L);
		this.reporting.advance(Duration.ZERO);
		assertThat(this.calls).hasSize(1);
		assertThat(lease.unsentReport()).isNull();
		this.onReport = () -> lease.report(3, 10, null);
		lease.report(2, 10, null);
		this.reporting.advance(SECOND);
		assertThat(lease.unsentReport()).extracting(RunRenewer.Report::done).isEqualTo(3L);
		this.unreachable = true;
		this.onReport = () -> {
		};
		this.reporting.advance(SECOND);
		assertThat(this.calls).hasSize(3);
		assertThat(lease.unsentReport()).extracting(RunRenewer.Report::done).isEqualTo(3L);
		lease.close();
		lease.report(4, 10, null);
		assertThat(lease.unsentReport()).extracting(RunRenewer.Report::done).isEqualTo(3L);
	}

	@Test
	void reportAfterTheEndOfTheThreadsHarmsNothing() {
		RunLeases ended = new RunLeases(
				new LiveLease.Context(this.heartbeat, this.publisher, LossExecutors.of(Runnable::run),
						this.reporting::nanoTime, new LeaseClosing(this.calls::clear), (leases) -> List.of()),
				new Store(), endedScheduler());
		RunLease lease = ended.begin(grant(0)).orElseThrow();
		lease.report(1, 10, null);
		assertThat(lease.isHeld()).isTrue();
		assertThat(this.calls).isEmpty();
	}

	private static ScheduledExecutorService endedScheduler() {
		ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
		scheduler.shutdownNow();
		return scheduler;
	}

	private RunLease begin(int number) {
		return this.leases.begin(grant(number)).orElseThrow();
	}

	private RunLeases.Grant grant(int number) {
		return new RunLeases.Grant("id" + number, "token" + number, new JobKey("job", "digest" + number, "[]"), 7, true,
				Instant.EPOCH, Duration.ofHours(1), this.reporting.nanoTime(), false);
	}

	private final class Store implements RunRenewer {

		@Override
		public List<Result> renew(List<RunLease> runs) {
			throw new UnsupportedOperationException("No time passes for the heartbeat");
		}

		@Override
		public void report(List<Report> runs) {
			RunReportsTests.this.calls.add(runs);
			RunReportsTests.this.onReport.run();
			if (RunReportsTests.this.unreachable) {
				throw new IllegalStateException("no reply");
			}
		}

	}

}
