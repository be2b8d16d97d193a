package io.locket.worker.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.JobState;
import io.locket.event.JobReclaimed;
import io.locket.event.JobReturned;
import io.locket.log.QuietWarnings;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.FakeJobQueue;
import io.locket.worker.reservation.ReclaimLog;
import io.locket.worker.run.RunningBody.Interruption;
import io.locket.worker.settings.RetrySettings;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for the log of a worker, with a manually driven clock.
 */
@ExtendWith(OutputCaptureExtension.class)
class WorkerLogTests {

	private final AtomicLong time = new AtomicLong();

	@Test
	void jobThatIsTakenFromADeadWorkerIsLogged(CapturedOutput output) {
		ReclaimLog log = new ReclaimLog();
		log.onEvent(new JobReturned("id-1", "billing.bill", "invoices", Duration.ofSeconds(1)));
		log.onEvent(new JobReclaimed("id-2", "billing.bill", "invoices", 3, Duration.ZERO));
		assertThat(output).doesNotContain("id-1")
			.contains("Job billing.bill (id-2) is back in its place in queue invoices")
			.contains("(reclaim 3)");
	}

	@Test
	void endThatDoesNotCountIsLoggedWithTheFateOfTheJob(CapturedOutput output) {
		HeldRuns runs = new HeldRuns(mock(), mock(), mock());
		FakeJobQueue queue = new FakeJobQueue();
		for (JobState state : Arrays.asList(JobState.READY, JobState.CANCELLED, null)) {
			HeldRun run = new HeldRun(queue.reserved("q", "job-of-" + state, Duration.ofSeconds(1)), null);
			runs.end(List.of(run.ended(RunEnd.succeeded(run.job()))),
					List.of(new EndResult(run.job().record().id(), false, state)));
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains("does not count"))).satisfiesExactly(
				(line) -> assertThat(line).contains("job-of-READY").contains("is READY now, and may run again"),
				(line) -> assertThat(line).contains("is CANCELLED now, and does not run again"),
				(line) -> assertThat(line).contains("no longer in the store and does not run again")
					.doesNotContain("null now"));
	}

	@Test
	void warningIsLoggedOnceAMinuteForEachSubject(CapturedOutput output) {
		QuietWarnings warnings = new QuietWarnings(LogFactory.getLog(getClass()), this.time::get);
		for (int i = 0; i < 3; i++) {
			warnings.warn("a", "about a");
			warnings.warn("b", "about b");
		}
		assertThat(occurrences(output, "about a")).isEqualTo(1);
		assertThat(occurrences(output, "about b")).isEqualTo(1);
		this.time.addAndGet(Duration.ofMinutes(1).toNanos());
		warnings.warn("a", "about a");
		assertThat(occurrences(output, "about a")).isEqualTo(2);
	}

	@Test
	void bodyThatIgnoresAnInterruptIsLogged(CapturedOutput output) {
		List<Runnable> scheduled = new ArrayList<>();
		RunningBodies bodies = new RunningBodies(scheduler(scheduled));
		RunningBody ignoring = bodies.begin(job("ignoring"));
		RunningBody ended = bodies.begin(job("ended"));
		bodies.interrupt(ignoring, Interruption.TIMEOUT);
		bodies.interrupt(ended, Interruption.LOST);
		assertThat(ended.end()).isEqualTo(Interruption.LOST);
		scheduled.forEach(Runnable::run);
		assertThat(output).contains("job ignoring (id-of-ignoring) on thread").doesNotContain("job ended");
		assertThat(ignoring.end()).isEqualTo(Interruption.TIMEOUT);
	}

	@Test
	void bodyIsInterruptedOnlyWhileItRuns() {
		RunningBodies bodies = new RunningBodies(scheduler(new ArrayList<>()));
		RunningBody body = bodies.begin(job("any"));
		bodies.interrupt(body, Interruption.LOST);
		bodies.interrupt(body, Interruption.TIMEOUT);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(body.end()).isEqualTo(Interruption.LOST);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		bodies.interrupt(body, Interruption.SHUTDOWN);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void bodyThatBeginsDuringAShutdownIsInterrupted() {
		RunningBodies bodies = new RunningBodies(scheduler(new ArrayList<>()));
		bodies.interruptAll();
		assertThat(bodies.begin(job("any")).end()).isEqualTo(Interruption.SHUTDOWN);
	}

	@Test
	void delaysGrowUpToTheirBound() {
		RetrySettings settings = new RetrySettings(Duration.ofSeconds(10), 2, Duration.ofSeconds(60), 0.5);
		assertThat(settings.delay(null, 0, 0.5)).isEqualTo(Duration.ofSeconds(10));
		assertThat(settings.delay(null, 2, 0.5)).isEqualTo(Duration.ofSeconds(40));
		assertThat(settings.delay(null, 500, 0.5)).isEqualTo(Duration.ofSeconds(60));
		assertThat(settings.delay(null, 0, 0)).isEqualTo(Duration.ofSeconds(5));
		assertThat(settings.delay(null, 0, 1)).isEqualTo(Duration.ofSeconds(15));
		assertThat(settings.delay(Duration.ofSeconds(1), 1, 0.5)).isEqualTo(Duration.ofSeconds(2));
		assertThat(settings.delay(Duration.ofSeconds(90), 3, 0.5)).isEqualTo(Duration.ofSeconds(90));
	}

	private static ScheduledExecutorService scheduler(List<Runnable> scheduled) {
		ScheduledExecutorService scheduler = mock();
		given(scheduler.schedule(any(Runnable.class), anyLong(), any())).willAnswer((call) -> {
			scheduled.add(call.getArgument(0));
			return null;
		});
		return scheduler;
	}

	private static int occurrences(CapturedOutput output, String text) {
		return output.getOut().split(text, -1).length - 1;
	}

	private static JobRecord job(String name) {
		return FakeJobQueue.record("id-of-" + name, "q", name, Duration.ofSeconds(35), 0, JobRecord.VERSION);
	}

}
