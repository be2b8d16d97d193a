package io.locket.actuate;

import java.time.Instant;
import java.util.Optional;

import io.locket.LeaseHolder;
import io.locket.actuate.LeaderSection.LeaderDescriptor;
import io.locket.schedule.leader.Leadership;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaderSection}.
 */
class LeaderSectionTests {

	private static final Instant SINCE = Instant.parse("2026-11-22T10:00:00Z");

	private final Leadership leadership = mock(Leadership.class);

	private final LeaderSection section = new LeaderSection(this.leadership);

	@BeforeEach
	void nameGroup() {
		given(this.leadership.group()).willReturn("group");
	}

	@Test
	void leaderIsAnotherProcess() {
		given(this.leadership.leader()).willReturn(Optional.of(new LeaseHolder("other", "thread", SINCE, 7)));
		assertThat(this.section.leader()).isEqualTo(new LeaderDescriptor("group", "other", SINCE, 7L, false));
	}

	@Test
	void leaderIsThisProcess() {
		given(this.leadership.leader()).willReturn(Optional.of(new LeaseHolder("this", "thread", SINCE, 7)));
		given(this.leadership.isLeader()).willReturn(true);
		assertThat(this.section.leader().thisInstance()).isTrue();
	}

	@Test
	void processWhoseLeaseIsGoneStillShowsItsOwnState() {
		given(this.leadership.leader()).willReturn(Optional.empty());
		given(this.leadership.isLeader()).willReturn(true);
		assertThat(this.section.leader()).isEqualTo(new LeaderDescriptor("group", null, null, null, true));
	}

}
