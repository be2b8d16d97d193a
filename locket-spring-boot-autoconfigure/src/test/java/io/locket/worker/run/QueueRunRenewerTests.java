package io.locket.worker.run;

import java.util.List;

import io.locket.LeaseLossCause;
import io.locket.lease.heartbeat.BatchRefusedException;
import io.locket.lease.heartbeat.RunLease;
import io.locket.lease.heartbeat.RunRenewer.Report;
import io.locket.lease.heartbeat.RunRenewer.Result;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.RunsRefusedException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link QueueRunRenewer}.
 */
class QueueRunRenewerTests {

	private static final RunToken ONE = new RunToken("one", "t1");

	private static final RunToken TWO = new RunToken("two", "t2");

	private final JobQueue queue = mock(JobQueue.class);

	private final QueueRunRenewer renewer = new QueueRunRenewer(this.queue);

	private final List<RunLease> runs = List.of(run(ONE), run(TWO));

	@Test
	void renewalHasAResultForEachRun() {
		given(this.queue.renew(List.of(ONE, TWO)))
			.willReturn(List.of(new RunRenewal(false, null, false), new RunRenewal(true, LeaseLossCause.TAKEN, true)));
		assertThat(this.renewer.renew(this.runs)).containsExactly(new Result(false, null, false),
				new Result(true, LeaseLossCause.TAKEN, true));
	}

	@Test
	void refusalOfSeveralRunsIsARefusedBatch() {
		RunsRefusedException refused = new RunsRefusedException(new QueueUnavailableException("slot moves", null));
		given(this.queue.renew(List.of(ONE, TWO))).willThrow(refused);
		assertThatExceptionOfType(BatchRefusedException.class).isThrownBy(() -> this.renewer.renew(this.runs))
			.withCause(refused);
	}

	@Test
	void otherFailureOfTheQueueIsPassedOn() {
		QueueUnavailableException failure = new QueueUnavailableException("no reply", null);
		given(this.queue.renew(List.of(ONE, TWO))).willThrow(failure);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.renewer.renew(this.runs))
			.isSameAs(failure);
	}

	@Test
	void progressIsReportedByTokens() {
		this.renewer.report(List.of(new Report(this.runs.get(1), 3, 10, "copying")));
		then(this.queue).should().progress(List.of(new RunProgress(TWO, 3, 10, "copying")));
	}

	private static RunLease run(RunToken token) {
		RunLease run = mock(RunLease.class);
		given(run.run()).willReturn(token.id());
		given(run.token()).willReturn(token.token());
		return run;
	}

}
