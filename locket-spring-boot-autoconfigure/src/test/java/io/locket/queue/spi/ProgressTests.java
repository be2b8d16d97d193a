package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.JobProgress;
import io.locket.queue.TestJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the progress of runs.
 */
class ProgressTests extends AbstractQueueTests {

	@Test
	void progressIsKeptWithTheJobUntilAnotherRunBegins() {
		ReservedJob job = start("a");
		assertThat(this.user.find("a").progress()).isNull();
		this.user.advance(Duration.ofSeconds(2));
		tell(job, 3, 10, "half way");
		JobProgress told = new JobProgress(3, 10, "half way", this.harness.now());
		assertThat(this.user.find("a").progress()).isEqualTo(told);
		this.user.renew(job);
		this.user.fail(job);
		assertThat(this.user.find("a").progress()).isEqualTo(told);
		this.user.advance(Duration.ofSeconds(1));
		ReservedJob again = this.user.take();
		assertThat(again.record().progress()).isNull();
		assertThat(this.user.find("a").progress()).isNull();
		tell(again, 1, 0, null);
		this.user.succeed(again);
		assertThat(this.user.find("a").progress()).isEqualTo(new JobProgress(1, 0, null, this.harness.now()));
	}

	@Test
	void runThatHasLostItsJobReportsNothing() {
		ReservedJob stale = start("a");
		ReservedJob ended = start("b");
		this.user.succeed(ended);
		this.user.advance(TestJob.LEASE);
		this.user.serve();
		ReservedJob current = this.user.take();
		tell(current, 5, 10, null);
		tell(stale, 9, 10, "stale");
		tell(ended, 9, 10, "ended");
		this.queue.progress(List.of(new RunProgress(new RunToken("unknown", stale.token()), 1, 2, null)));
		assertThat(this.user.find("a").progress()).extracting(JobProgress::done).isEqualTo(5L);
		assertThat(this.user.find("b").progress()).isNull();
		assertThat(this.user.state("b")).isEqualTo(JobState.SUCCEEDED);
	}

	@ParameterizedTest
	@EnumSource
	void lastReportIsStoredWithTheEndOfTheRun(RunEnd.Kind kind) {
		ReservedJob job = start("a");
		tell(job, 3, 10, "half way");
		this.user.advance(Duration.ofSeconds(2));
		RunEnd end = end(job, kind).withProgress(progress(job, 10, 10, "all of\nit"));
		JobProgress last = new JobProgress(10, 10, "all of\nit", this.harness.now());
		assertThat(this.user.end(end).counted()).isTrue();
		assertThat(this.user.find("a").progress()).isEqualTo(last);
		this.user.advance(Duration.ofMillis(200));
		this.user.end(end);
		this.user.end(end(job, kind).withProgress(progress(job, 11, 11, null)));
		tell(job, 4, 10, null);
		assertThat(this.user.find("a").progress()).isEqualTo(last);
	}

	@Test
	void endWithoutAReportKeepsWhatIsStored() {
		ReservedJob job = start("a");
		tell(job, 3, 10, null);
		this.user.advance(Duration.ofSeconds(2));
		Instant told = this.user.find("a").progress().at();
		this.user.succeed(job);
		assertThat(this.user.find("a").progress()).isEqualTo(new JobProgress(3, 10, null, told));
	}

	@Test
	void endOfARunThatHasLostItsJobStoresNoReport() {
		ReservedJob stale = start("a");
		this.user.advance(TestJob.LEASE);
		this.user.serve();
		assertThat(this.user.end(RunEnd.succeeded(stale).withProgress(progress(stale, 9, 10, "stale"))).counted())
			.isFalse();
		assertThat(this.user.find("a").progress()).isNull();
		ReservedJob current = this.user.take();
		this.user.end(RunEnd.succeeded(stale).withProgress(progress(stale, 9, 10, "stale")));
		assertThat(this.user.find("a").progress()).isNull();
		assertThat(current.record().progress()).isNull();
	}

	@Test
	void endTakesNoReportOfAnotherRun() {
		ReservedJob job = start("a");
		ReservedJob other = start("b");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RunEnd.succeeded(job).withProgress(progress(other, 1, 2, null)))
			.withMessageContaining("same run");
	}

	@Test
	void progressIsKeptCharacterByCharacter() {
		ReservedJob job = start("a");
		String message = "\"50 %\" \\ of\n{1: 2}  \u20ac \ud83d\ude00 ";
		tell(job, Long.MAX_VALUE, Long.MAX_VALUE - 1, message);
		tell(job, Long.MAX_VALUE, Long.MAX_VALUE - 1, message);
		assertThat(this.user.find("a").progress())
			.isEqualTo(new JobProgress(Long.MAX_VALUE, Long.MAX_VALUE - 1, message, this.harness.now()));
		assertThat(this.user.find("a").arguments()).isEqualTo(job.record().arguments());
	}

	@Test
	void manyRunsAreReportedByOneCall() {
		List<ReservedJob> running = List.of(start("a"), start("b"), start("c"));
		this.queue.progress(running.stream().map((job) -> progress(job, 7, 8, job.record().id())).toList());
		for (String id : List.of("a", "b", "c")) {
			assertThat(this.user.find(id).progress()).isEqualTo(new JobProgress(7, 8, id, this.harness.now()));
		}
	}

	@Test
	void jobThatIsReplacedForgetsHowFarItWas() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		ReservedJob job = this.user.take();
		tell(job, 3, 10, null);
		this.user.fail(job);
		this.user
			.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k").onDuplicate(DuplicateStrategy.REPLACE));
		assertThat(this.user.find("a").progress()).isNull();
	}

	private static RunEnd end(ReservedJob job, RunEnd.Kind kind) {
		return new RunEnd(job.record().id(), job.token(), kind, Duration.ofMinutes(1), "it broke");
	}

	private ReservedJob start(String id) {
		this.user.enqueue(TestJob.of(id));
		return this.user.take();
	}

	private void tell(ReservedJob job, long done, long total, @Nullable String message) {
		this.queue.progress(List.of(progress(job, done, total, message)));
	}

	private static RunProgress progress(ReservedJob job, long done, long total, @Nullable String message) {
		return new RunProgress(new RunToken(job.record().id(), job.token()), done, total, message);
	}

}
