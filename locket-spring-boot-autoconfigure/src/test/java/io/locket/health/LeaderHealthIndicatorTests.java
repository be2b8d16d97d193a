package io.locket.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.locket.LeaseHolder;
import io.locket.LeaseUnavailableException;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.Leadership;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link LeaderHealthIndicator} with a manual clock.
 */
class LeaderHealthIndicatorTests {

	private static final Duration TTL = Duration.ofMinutes(3);

	private static final LeaseHolder OTHER = new LeaseHolder("host/1/other", "locket-leader", Instant.EPOCH, 7);

	private final Leadership leadership = mock(Leadership.class);

	private final LeaderElection election = mock(LeaderElection.class);

	private boolean away;

	private long now;

	private final LeaderHealthIndicator indicator = new LeaderHealthIndicator(this.leadership, this.election, TTL,
			() -> this.away, () -> this.now);

	LeaderHealthIndicatorTests() {
		given(this.election.taskTime()).willReturn(Duration.ZERO);
	}

	@Test
	void leaderItselfDoesNotCallTheStore() {
		given(this.leadership.term()).willReturn(5L);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("leader", "this process").containsEntry("term", 5L);
		then(this.leadership).should(never()).leader();
	}

	@Test
	void healthIsDownWhileTheTaskOfTheLeaderDoesNotReturn() {
		given(this.leadership.term()).willReturn(5L);
		given(this.election.taskTime()).willReturn(TTL.multipliedBy(2), TTL.multipliedBy(2).plusMillis(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("leader", "this process");
		assertThat(health.getDetails().get("stalled")).asString()
			.startsWith("The thread locket-leader fires no schedules and has not returned for 360 s");
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
		this.away = true;
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void healthIsUpWhileAnotherProcessLeads() {
		given(this.leadership.leader()).willReturn(Optional.of(OTHER));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("leader", "host/1/other").containsEntry("term", 7L);
	}

	@Test
	void healthIsUpWhileThereIsNothingToLeadFor() {
		given(this.election.isIdle()).willReturn(true);
		this.indicator.health();
		pass(TTL.multipliedBy(2));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("leader")).asString().startsWith("none is needed");
		then(this.leadership).should(never()).leader();
	}

	@Test
	void healthIsDownOnceThereWasNoLeaderForLongerThanALeaseLasts() {
		given(this.leadership.leader()).willReturn(Optional.empty());
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		pass(TTL);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		pass(Duration.ofMillis(1));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails().get("leader")).asString().startsWith("none for 180s");
		assertThat(health.getDetails().get("reason")).asString().contains("No process fires the schedules");
	}

	@Test
	void timeWithoutALeaderBeginsAnewAfterATerm() {
		given(this.leadership.leader()).willReturn(Optional.empty())
			.willReturn(Optional.of(OTHER))
			.willReturn(Optional.empty());
		this.indicator.health();
		pass(TTL);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		pass(TTL);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		pass(TTL);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		pass(Duration.ofMillis(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
		given(this.leadership.term()).willReturn(8L);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		given(this.leadership.term()).willReturn(0L);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void timeWithoutALeaderBeginsAnewAfterALeaderThatOneOfManyChecksFinds() {
		given(this.leadership.leader()).willReturn(Optional.empty())
			.willReturn(Optional.of(OTHER))
			.willReturn(Optional.empty());
		assertThatTheTimeBeginsAnewAfterTheSecondCheck();
	}

	@Test
	void timeWithoutALeaderBeginsAnewAfterATimeWithoutSchedules() {
		given(this.leadership.leader()).willReturn(Optional.empty());
		given(this.election.isIdle()).willReturn(false, true, false);
		assertThatTheTimeBeginsAnewAfterTheSecondCheck();
	}

	private void assertThatTheTimeBeginsAnewAfterTheSecondCheck() {
		this.indicator.health();
		pass(TTL.dividedBy(2));
		this.indicator.health();
		pass(TTL.dividedBy(2));
		this.indicator.health();
		pass(TTL);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		pass(Duration.ofMillis(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void checksThatAreFarApartDoNotShowThatThereWasNoLeader() {
		given(this.leadership.leader()).willReturn(Optional.empty());
		this.indicator.health();
		pass(Duration.ofHours(1));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("leader")).asString().startsWith("none for 0s");
		pass(TTL);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		pass(Duration.ofMillis(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void leaderIsNotKnownWhenTheStoreDoesNotReply() {
		given(this.leadership.leader()).willThrow(new LeaseUnavailableException("no reply", null));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health.getDetails()).containsKeys("reason", "error");
	}

	@Test
	void storeThatHasJustNotRepliedIsNotCalled() {
		this.away = true;
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UNKNOWN);
		then(this.leadership).should(never()).leader();
	}

	private void pass(Duration duration) {
		this.now += duration.toNanos();
	}

}
