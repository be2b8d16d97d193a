package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import io.locket.event.publish.JobEventPublisher;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.TestSchedule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for the detection by {@link ScheduleRunner} that its task is needed.
 */
class ScheduleRunnerTests {

	private final ScheduleStore store = mock(ScheduleStore.class);

	@Test
	void configuredScheduleIsADutyOfTheProcess() {
		ScheduleRunner runner = runner("other", TestSchedule.of("a", ScheduleOrigin.CONFIGURED));
		assertThat(runner.isOwn()).isTrue();
		assertThat(runner.isNeeded()).isTrue();
		then(this.store).shouldHaveNoInteractions();
	}

	@Test
	void storeThatNeverHadAScheduleIsNotLoaded() {
		ScheduleRunner runner = runner(TestSchedule.GROUP);
		assertThat(runner.isOwn()).isFalse();
		assertThat(runner.isNeeded()).isFalse();
		then(this.store).should(never()).load();
	}

	@Test
	void scheduleOfTheGroupNeedsALeaderWhicheverProcessPutIt() {
		ScheduleRunner runner = runner(TestSchedule.GROUP);
		for (ScheduleOrigin origin : ScheduleOrigin.values()) {
			stored(origin.ordinal() + 1, TestSchedule.of("a", origin));
			assertThat(runner.isNeeded()).isTrue();
		}
		assertThat(runner.isOwn()).isFalse();
	}

	@Test
	void scheduleOfAnotherGroupIsLoadedOnceForEachRevision() {
		ScheduleRunner runner = runner("other");
		stored(1, TestSchedule.persistent("a"));
		assertThat(runner.isNeeded()).isFalse();
		assertThat(runner.isNeeded()).isFalse();
		then(this.store).should().load();
		stored(2, TestSchedule.persistent("a"), TestSchedule.persistent("b"));
		assertThat(runner.isNeeded()).isFalse();
		then(this.store).should(times(2)).load();
	}

	private void stored(long revision, ScheduleDefinition... definitions) {
		given(this.store.revision()).willReturn(revision);
		given(this.store.load()).willReturn(new ScheduleSnapshot(revision, Instant.EPOCH,
				Arrays.stream(definitions)
					.map((definition) -> new StoredSchedule(definition, revision, false, Instant.EPOCH, Instant.EPOCH,
							null, null))
					.toList()));
	}

	private ScheduleRunner runner(String group, ScheduleDefinition... configured) {
		return new ScheduleRunner(this.store, (template, id) -> FiringTrial.job(id).build(), () -> List.of(configured),
				new FiringSettings(group, Duration.ofSeconds(30), Duration.ofSeconds(5)),
				new JobEventPublisher(List.of()), System::nanoTime);
	}

}
