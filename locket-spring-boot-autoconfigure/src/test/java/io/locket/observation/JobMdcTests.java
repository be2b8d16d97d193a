package io.locket.observation;

import java.time.Duration;
import java.util.Map;

import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import io.locket.observer.RunOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobMdc}.
 */
class JobMdcTests {

	private final JobMdc mdc = new JobMdc();

	@AfterEach
	void clear() {
		MDC.clear();
	}

	@Test
	void queuedRunIsDescribedUntilItLeavesItsThread() {
		RunObservation run = this.mdc.running(queued());
		assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of(JobMdc.JOB, "billing.bill", JobMdc.QUEUE, "invoices",
				JobMdc.ID, "id-1", JobMdc.KEY, "(42)", JobMdc.ATTEMPT, "2"));
		run.leave();
		run.end(RunOutcome.SUCCEEDED, null);
		assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
	}

	@Test
	void whatWasThereBeforeIsRestored() {
		MDC.put(JobMdc.JOB, "of the application");
		MDC.put("other", "stays");
		RunObservation run = this.mdc.running(queued());
		assertThat(MDC.get(JobMdc.JOB)).isEqualTo("billing.bill");
		run.leave();
		assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of(JobMdc.JOB, "of the application", "other", "stays"));
	}

	@Test
	void directCallInsideAQueuedRunHasNothingOfThat() {
		RunObservation outer = this.mdc.running(queued());
		RunObservation inner = this.mdc.running(JobRun.direct(TestRun.direct("letters.send", "(7)"), false));
		assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of(JobMdc.JOB, "letters.send", JobMdc.KEY, "(7)"));
		inner.leave();
		assertThat(MDC.get(JobMdc.ID)).isEqualTo("id-1");
		assertThat(MDC.get(JobMdc.KEY)).isEqualTo("(42)");
		outer.leave();
		assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
	}

	private static JobRun queued() {
		return new JobRun(TestRun.queued("billing.bill", "(42)"), false, Duration.ZERO, null);
	}

}
