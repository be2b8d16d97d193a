package io.locket.schedule.firing;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.ScheduleStore.Configured;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.TestSchedule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for the warnings of {@link LeaderConfiguration} about taken names.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderConfigurationTests {

	private final ScheduleStore store = mock(ScheduleStore.class);

	@Test
	void nameThatAnotherApplicationIsConfiguredWithIsToBeChanged(CapturedOutput output) {
		write("mine", TestSchedule.of("a", ScheduleOrigin.CONFIGURED));
		assertThat(output)
			.contains("The configured schedule 'a' does not fire, because group '" + TestSchedule.GROUP
					+ "', which has a leader, is configured with a schedule of that name: rename one of the two")
			.doesNotContain("Schedules.remove");
	}

	@Test
	void nameThatAnotherApplicationPutIsToBeRemoved(CapturedOutput output) {
		write("mine", TestSchedule.persistent("a"));
		assertThat(output).contains(
				"was put at run time by group '" + TestSchedule.GROUP + "': remove it with Schedules.remove(\"a\")");
	}

	@Test
	void nameThatWasPutInThisApplicationIsLoggedOnce(CapturedOutput output) {
		write(TestSchedule.GROUP, TestSchedule.persistent("a"));
		assertThat(output.getOut().split("was put at run time: remove it", -1)).hasSize(2);
	}

	private void write(String group, ScheduleDefinition there) {
		StoredSchedule stored = new StoredSchedule(there, 1, false, Instant.EPOCH, Instant.EPOCH, null, null);
		given(this.store.configure(any(), any(), any())).willReturn(new Configured(Set.of("a"), Set.of()));
		given(this.store.load()).willReturn(new ScheduleSnapshot(1, Instant.EPOCH, List.of(stored)));
		LeaderConfiguration configuration = new LeaderConfiguration(group, List::of);
		assertThat(configuration.write(this.store, new LeaseProof("x", 1))).isTrue();
		assertThat(configuration.write(this.store, new LeaseProof("x", 1))).isTrue();
	}

}
