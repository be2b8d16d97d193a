package io.locket.actuate;

import java.util.Optional;

import io.locket.JobKeyException;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SchedulesSection}.
 */
class SchedulesSectionTests {

	private final Schedules schedules = mock(Schedules.class);

	private final SchedulesSection section = new SchedulesSection(this.schedules);

	static RuntimeException[] failures() {
		return new RuntimeException[] { new JobKeyException("no key for secret", null),
				new UnreadableArgumentsException("cannot read secret") };
	}

	@ParameterizedTest
	@MethodSource("failures")
	void triggerWithInvalidArgumentsDoesNotShowThem(RuntimeException failure) {
		given(this.schedules.get("nightly")).willReturn(Optional.of(mock(ScheduleStatus.class)));
		given(this.schedules.triggerNow("nightly")).willThrow(failure);
		assertThatIllegalArgumentException().isThrownBy(() -> trigger("nightly"))
			.withMessageContaining("'nightly'")
			.withMessageNotContaining("secret")
			.withNoCause();
	}

	@Test
	void unknownScheduleIsNotTriggered() {
		given(this.schedules.get("never")).willReturn(Optional.empty());
		assertThatExceptionOfType(UnknownEntryException.class).isThrownBy(() -> trigger("never"));
	}

	private void trigger(String name) {
		this.section.write(EndpointWrite.SCHEDULE_TRIGGERED, name, null);
	}

}
