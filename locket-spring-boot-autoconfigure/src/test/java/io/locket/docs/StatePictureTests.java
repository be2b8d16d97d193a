package io.locket.docs;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.queue.QueueHarness;
import io.locket.queue.QueueUnderTest;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the picture of the states in docs/how-a-job-lives.md. Each action is applied
 * to a job in each situation. The transitions that follow are those of the picture.
 */
class StatePictureTests {

	private static final String JOB = "job";

	private static final List<Consumer<LifeTrial>> SITUATIONS = List.of((job) -> job.enqueue("a", LifeTrial.HOUR),
			(job) -> job.enqueue("a", Duration.ZERO), StatePictureTests::parked, StatePictureTests::running,
			StatePictureTests::retried, StatePictureTests::setAside, StatePictureTests::deferredLongAgo);

	private static final List<Consumer<LifeTrial>> ACTIONS = List.of(LifeTrial::take, (job) -> job.take(JOB),
			(job) -> job.pass(LifeTrial.HOUR), (job) -> job.pass(LifeTrial.DAYS), LifeTrial::free, LifeTrial::runNow,
			LifeTrial::move, (job) -> job.reschedule(LifeTrial.HOUR), (job) -> job.reschedule(LifeTrial.HOUR.negated()),
			LifeTrial::cancel, LifeTrial::remove, (job) -> job.end(RunEnd::succeeded), StatePictureTests::fail,
			(job) -> job.end((run) -> RunEnd.dead(run, "it broke")), (job) -> job.end(RunEnd::returned),
			(job) -> job.end((run) -> RunEnd.defer(run, LifeTrial.HOUR, "unknown")),
			(job) -> job.end((run) -> RunEnd.unknown(run, "unknown")), StatePictureTests::loseTheLease,
			StatePictureTests::comeBackBesideAnEqualJob, StatePictureTests::failAfterACancellation,
			StatePictureTests::failAfterARemoval);

	private final StatePicture picture = StatePicture.read();

	@Test
	void statesOfThePictureAreThoseOfTheCode() {
		assertThat(this.picture.states()).isEqualTo(names((state) -> true));
		assertThat(this.picture.waiting()).isEqualTo(names(JobState::isWaiting));
		assertThat(this.picture.ended()).isEqualTo(names(JobState::isEnded));
	}

	private static Set<String> names(Predicate<JobState> filter) {
		return Arrays.stream(JobState.values())
			.filter(filter)
			.map(JobState::name)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@ParameterizedTest
	@EnumSource(QueueUnderTest.class)
	void transitionsOfThePictureAreThoseOfTheQueue(QueueUnderTest implementation) {
		Set<String> transitions = new TreeSet<>();
		for (Consumer<LifeTrial> situation : SITUATIONS) {
			ACTIONS.forEach((action) -> run(implementation, ConflictStrategy.PARK, transitions, situation, action));
			for (ConflictStrategy onConflict : List.of(ConflictStrategy.PARK, ConflictStrategy.REJECT,
					ConflictStrategy.RAISE, ConflictStrategy.RESCHEDULE)) {
				run(implementation, onConflict, transitions, situation, StatePictureTests::takeWhileTheKeyIsHeld);
			}
		}
		assertThat(transitions).isEqualTo(this.picture.transitions());
	}

	private static void run(QueueUnderTest implementation, ConflictStrategy onConflict, Set<String> transitions,
			Consumer<LifeTrial> situation, Consumer<LifeTrial> action) {
		try (QueueHarness harness = implementation.create()) {
			LifeTrial job = new LifeTrial(harness, onConflict, transitions);
			situation.accept(job);
			action.accept(job);
			assertThat(harness.store().verify()).isEmpty();
		}
	}

	private static void parked(LifeTrial job) {
		job.enqueue("a", Duration.ZERO);
		takeWhileTheKeyIsHeld(job);
	}

	private static void running(LifeTrial job) {
		job.enqueue("a", Duration.ZERO);
		job.take();
	}

	private static void retried(LifeTrial job) {
		running(job);
		fail(job);
	}

	private static void setAside(LifeTrial job) {
		job.enqueue("a", Duration.ZERO);
		job.take(JOB);
	}

	/**
	 * The job was deferred for days.
	 */
	private static void deferredLongAgo(LifeTrial job) {
		running(job);
		job.end((run) -> RunEnd.defer(run, LifeTrial.DAYS, "unknown"));
		job.pass(LifeTrial.DAYS);
	}

	private static void takeWhileTheKeyIsHeld(LifeTrial job) {
		if (!job.isRunning()) {
			job.hold();
		}
		job.take();
	}

	private static void fail(LifeTrial job) {
		job.end((run) -> RunEnd.retry(run, LifeTrial.HOUR, "it broke"));
	}

	private static void loseTheLease(LifeTrial job) {
		job.lose();
		job.end(RunEnd::succeeded);
	}

	private static void comeBackBesideAnEqualJob(LifeTrial job) {
		if (job.isRunning()) {
			job.enqueue("b", LifeTrial.HOUR);
			job.end(RunEnd::returned);
		}
	}

	private static void failAfterACancellation(LifeTrial job) {
		job.cancel();
		fail(job);
	}

	private static void failAfterARemoval(LifeTrial job) {
		job.remove();
		fail(job);
	}

}
