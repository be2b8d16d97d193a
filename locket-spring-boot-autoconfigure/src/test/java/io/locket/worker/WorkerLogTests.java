package io.locket.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.event.JobReclaimed;
import io.locket.event.JobReturned;
import io.locket.event.QuietWarnings;
import io.locket.worker.RunningBody.Interruption;
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
 * Tests for what a worker says, and how often, with its time driven by hand.
 */
@ExtendWith(OutputCaptureExtension.class)
class WorkerLogTests {

	private final AtomicLong time = new AtomicLong();

	@Test
	void outageIsSaidAtOnceThenOnceAMinuteAndWhenItIsOver(CapturedOutput output) {
		OutageLog log = new OutageLog(this.time::get);
		for (int second = 0; second < 121; second++) {
			log.failed(new IllegalStateException("gone"));
			this.time.addAndGet(Duration.ofSeconds(1).toNanos());
		}
		assertThat(occurrences(output, "Calls of the queue fail")).isEqualTo(3);
		log.answered();
		log.answered();
		assertThat(occurrences(output, "answers again, after 121 s")).isEqualTo(1);
		log.failed(new IllegalStateException("gone"));
		assertThat(occurrences(output, "Calls of the queue fail")).isEqualTo(4);
	}

	@Test
	void jobThatIsTakenFromADeadWorkerIsSaid(CapturedOutput output) {
		ReclaimLog log = new ReclaimLog();
		log.onEvent(new JobReturned("id-1", "billing.bill", "invoices", Duration.ofSeconds(1)));
		log.onEvent(new JobReclaimed("id-2", "billing.bill", "invoices", 3, Duration.ZERO));
		assertThat(output).doesNotContain("id-1")
			.contains("Job billing.bill (id-2) is back in its place in queue invoices")
			.contains("(time 3)");
	}

	@Test
	void warningIsSaidOnceAMinuteForEachSubject(CapturedOutput output) {
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
	void bodyThatIgnoresAnInterruptIsSaid(CapturedOutput output) {
		List<Runnable> scheduled = new ArrayList<>();
		RunningBodies bodies = new RunningBodies(scheduler(scheduled));
		RunningBody ignoring = bodies.begin("job ignoring");
		RunningBody ended = bodies.begin("job ended");
		bodies.interrupt(ignoring, Interruption.TIMEOUT);
		bodies.interrupt(ended, Interruption.LOST);
		assertThat(ended.end()).isEqualTo(Interruption.LOST);
		scheduled.forEach(Runnable::run);
		assertThat(output).contains("job ignoring on thread").doesNotContain("job ended on thread");
		assertThat(ignoring.end()).isEqualTo(Interruption.TIMEOUT);
	}

	@Test
	void bodyIsInterruptedOnlyWhileItRuns() {
		RunningBodies bodies = new RunningBodies(scheduler(new ArrayList<>()));
		RunningBody body = bodies.begin("job");
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
		assertThat(bodies.begin("job").end()).isEqualTo(Interruption.SHUTDOWN);
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

}
