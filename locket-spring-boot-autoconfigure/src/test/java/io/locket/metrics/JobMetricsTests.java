package io.locket.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.event.EnqueueRefused;
import io.locket.event.EnqueueUnavailable;
import io.locket.event.JobDuplicated;
import io.locket.event.JobEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobEvent;
import io.locket.event.JobMoved;
import io.locket.event.JobParked;
import io.locket.event.JobPromoted;
import io.locket.event.JobReclaimed;
import io.locket.event.JobReplaced;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.event.JobStarted;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobMetrics}.
 */
class JobMetricsTests {

	private static final String JOB = "billing.bill";

	private static final Duration RAN = Duration.ofMillis(300);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final JobMetrics metrics = new JobMetrics();

	@BeforeEach
	void bind() {
		this.metrics.bindTo(this.registry);
	}

	@Test
	void enqueuesAreCountedByWhatCameOfThem() {
		publish(new JobEnqueued("1", JOB, "invoices", Duration.ZERO), new JobEnqueued("2", JOB, "invoices", RAN),
				new JobEnqueued("3", JOB, "default", Duration.ZERO),
				new JobDuplicated("4", JOB, "invoices", "1", DuplicateStrategy.REJECT),
				new JobReplaced("1", JOB, "invoices", "5"), new EnqueueUnavailable("6", JOB, "invoices", "down"),
				new EnqueueRefused("7", JOB, "invoices", "closed"));
		assertThat(enqueues("invoices", "accepted")).isEqualTo(2);
		assertThat(enqueues("default", "accepted")).isOne();
		assertThat(enqueues("invoices", "duplicate")).isOne();
		assertThat(enqueues("invoices", "replaced")).isOne();
		assertThat(enqueues("invoices", "unavailable")).isOne();
		assertThat(enqueues("invoices", "refused")).isOne();
	}

	@Test
	void conflictsWhileEnqueuingAreCountedByStrategy() {
		publish(new JobDuplicated("4", JOB, "invoices", "1", DuplicateStrategy.REJECT),
				new JobDuplicated("5", JOB, "default", null, DuplicateStrategy.REJECT),
				new JobDuplicated("6", JOB, "invoices", "1", DuplicateStrategy.RAISE),
				new JobDuplicated("7", JOB, "invoices", "1", DuplicateStrategy.REPLACE),
				new JobReplaced("1", JOB, "invoices", "8"));
		assertThat(conflicts("enqueue", "reject")).isEqualTo(2);
		assertThat(conflicts("enqueue", "raise")).isOne();
		assertThat(conflicts("enqueue", "replace")).isEqualTo(2);
	}

	@Test
	void conflictsOfRunsAreCountedByStrategy() {
		publish(new JobParked("1", JOB, "invoices"), new JobParked("1", JOB, "invoices"), started(true), started(false),
				new JobEnded("2", JOB, "invoices", JobState.DISCARDED, null, null),
				new JobRetried("3", JOB, "invoices", 0, RAN, null, null));
		assertThat(conflicts("run", "park")).isEqualTo(2);
		assertThat(conflicts("run", "raise")).isOne();
		assertThat(conflicts("run", "reject")).isOne();
		assertThat(conflicts("run", "reschedule")).isOne();
	}

	@Test
	void waitingIsTimedWhenJobsAreHandedOut() {
		publish(started(false), started(true));
		Timer waiting = this.registry.get("locket.job.waiting").tags("job", JOB, "queue", "invoices").timer();
		assertThat(waiting.count()).isEqualTo(2);
		assertThat(waiting.totalTime(TimeUnit.SECONDS)).isEqualTo(8);
	}

	@Test
	void runsThatComeBackAreTimedByOutcome() {
		publish(new JobRetried("1", JOB, "invoices", 1, RAN, "IllegalStateException: no", RAN),
				new JobRetried("2", JOB, "invoices", 0, RAN, null, RAN), new JobReturned("3", JOB, "invoices", RAN),
				new JobReclaimed("4", JOB, "invoices", 1, RAN));
		for (String outcome : List.of("failed", "deferred", "returned", "reclaimed")) {
			assertThat(executions(outcome).count()).as(outcome).isOne();
			assertThat(executions(outcome).totalTime(TimeUnit.MILLISECONDS)).as(outcome).isEqualTo(300);
		}
		assertThat(this.registry.find("locket.job.conflicts").meters()).isEmpty();
		assertThat(this.registry.find("locket.job.ended").meters()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "SCHEDULED|READY|PARKED|RETRY|RUNNING")
	void endsAreCountedAndThoseOfRunsAreTimed(JobState state) {
		String name = state.name().toLowerCase(Locale.ROOT);
		publish(new JobEnded("1", JOB, "invoices", state, RAN, null),
				new JobEnded("2", JOB, "invoices", state, null, null));
		assertThat(this.registry.get("locket.job.ended")
			.tags("job", JOB, "queue", "invoices", "state", name)
			.counter()
			.count()).isEqualTo(2);
		assertThat(executions(name).count()).isOne();
		assertThat(executions(name).totalTime(TimeUnit.MILLISECONDS)).isEqualTo(300);
		assertThat(this.registry.find("locket.job.conflicts").meters()).hasSize((state == JobState.DISCARDED) ? 1 : 0);
	}

	@Test
	void whatMayGoWrongWithAJobBeginsAtZero() {
		publish(new JobEnqueued("1", JOB, "invoices", Duration.ZERO));
		assertThat(enqueues("invoices", "unavailable")).isZero();
		publish(started(false));
		assertThat(this.registry.get("locket.job.ended")
			.tags("job", JOB, "queue", "invoices", "state", "dead")
			.counter()
			.count()).isZero();
		assertThat(executions("reclaimed").count()).isZero();
	}

	@Test
	void movesAndPromotionsAreNotCounted() {
		publish(new JobMoved("1", JOB, "invoices", "default"), new JobPromoted("1", JOB, "invoices"));
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void eventsThatAreNotRecordedDoNotDisplaceThoseThatAre() {
		JobMetrics unbound = new JobMetrics();
		for (int i = 0; i < EventMetrics.MAX_EARLY_EVENTS + 1; i++) {
			unbound.onEvent(new JobPromoted("1", JOB, "invoices"));
		}
		unbound.onEvent(new JobEnqueued("1", JOB, "invoices", Duration.ZERO));
		unbound.bindTo(this.registry);
		assertThat(enqueues("invoices", "accepted")).isOne();
	}

	@Test
	void namesBeyondTheBoundAreCountedTogether() {
		for (int i = 0; i < TagValues.MAX_VALUES + 5; i++) {
			publish(new JobEnqueued("1", JOB, "queue-" + i, Duration.ZERO));
		}
		assertThat(this.registry.find("locket.job.enqueues").tag("outcome", "accepted").meters())
			.hasSize(TagValues.MAX_VALUES + 1);
		assertThat(enqueues("(other)", "accepted")).isEqualTo(5);
	}

	private static JobStarted started(boolean refused) {
		return new JobStarted("1", JOB, "invoices", "host/1/a", 1, Duration.ofSeconds(4), refused);
	}

	private void publish(JobEvent... events) {
		List.of(events).forEach(this.metrics::onEvent);
	}

	private double enqueues(String queue, String outcome) {
		return this.registry.get("locket.job.enqueues")
			.tags("job", JOB, "queue", queue, "outcome", outcome)
			.counter()
			.count();
	}

	private double conflicts(String phase, String strategy) {
		return this.registry.get("locket.job.conflicts")
			.tags("job", JOB, "phase", phase, "strategy", strategy)
			.counter()
			.count();
	}

	private Timer executions(String outcome) {
		return this.registry.get("locket.job.executions")
			.tags("job", JOB, "queue", "invoices", "outcome", outcome)
			.timer();
	}

}
