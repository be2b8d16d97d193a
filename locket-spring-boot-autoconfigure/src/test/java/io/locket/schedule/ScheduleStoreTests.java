package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.locket.schedule.ScheduleStore.Configured;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the data of a {@link ScheduleStore}.
 */
class ScheduleStoreTests extends AbstractScheduleStoreTests {

	private static final Duration TEN = Duration.ofSeconds(10);

	@Test
	void storeIsEmptyAtFirst() {
		assertThat(this.store.load()).isEqualTo(new ScheduleSnapshot(0, now(), List.of()));
		assertThat(this.store.revision()).isZero();
	}

	@Test
	void everythingOfAScheduleIsKept() {
		ScheduleDefinition cron = new ScheduleDefinition("a.B-1_c", "b.-_1", "billing.bill", "[\"ä\\n\",{\"x\":1}]",
				"invoices", "0 0 4 * * MON-FRI", null, ZoneId.of("Europe/Berlin"), Misfire.ALL, Duration.ofHours(1),
				false, "Bills\nof the \"month\"", ScheduleOrigin.PERSISTENT);
		ScheduleDefinition every = TestSchedule.persistent("b");
		this.store.put(List.of(cron, every), null);
		assertThat(this.store.load().schedules()).extracting(StoredSchedule::definition).containsExactly(cron, every);
		assertThat(find("b"))
			.isEqualTo(new StoredSchedule(every, this.store.revision(), false, now(), now(), null, null));
	}

	@Test
	void putOfWhatIsThereChangesNothing() {
		StoredSchedule first = put("a");
		long revision = this.store.revision();
		advance(SECOND);
		assertThat(put("a")).isEqualTo(first);
		assertThat(this.store.revision()).isEqualTo(revision);
	}

	@Test
	void scheduleWithOtherTimesKeepsItsPauseAndFiresNothingUpToTheChange() {
		StoredSchedule first = put("a");
		advance(SECOND);
		Instant fired = now();
		fire("a", fired);
		this.store.pause("a");
		advance(SECOND);
		this.store.put(List.of(TestSchedule.every("a", Duration.ofSeconds(20))), null);
		StoredSchedule changed = find("a");
		assertThat(changed.revision()).isGreaterThan(first.revision()).isEqualTo(this.store.revision());
		assertThat(changed.paused()).isTrue();
		assertThat(changed.knownSince()).isEqualTo(first.knownSince());
		assertThat(changed.firesAfter()).isEqualTo(now());
		assertThat(changed.lastFired()).isEqualTo(fired);
	}

	@Test
	void changedScheduleOfAProcessThatComesBackStaysPaused() {
		LeaseProof process = this.harness.hold("process", TTL);
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT)), process);
		this.store.pause("t");
		this.harness.release(process);
		LeaseProof next = this.harness.hold("process", TTL);
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT, true, "changed")), next);
		assertThat(find("t").paused()).isTrue();
	}

	@Test
	void persistentScheduleDoesNotTakeOverThePauseOfAProcessThatHasEnded() {
		LeaseProof process = this.harness.hold("process", TTL);
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT)), process);
		this.store.pause("t");
		this.harness.release(process);
		advance(SECOND);
		StoredSchedule put = put("t");
		assertThat(put.paused()).isFalse();
		assertThat(put.knownSince()).isEqualTo(now());
	}

	@Test
	void pauseAndResumeTellWhetherTheScheduleIsThere() {
		put("a");
		long revision = this.store.revision();
		assertThat(this.store.pause("a")).isTrue();
		assertThat(find("a").paused()).isTrue();
		long paused = this.store.revision();
		assertThat(paused).isGreaterThan(revision);
		assertThat(this.store.pause("a")).isTrue();
		assertThat(this.store.revision()).isEqualTo(paused);
		assertThat(this.store.resume("a")).isTrue();
		assertThat(find("a").paused()).isFalse();
		assertThat(this.store.pause("nobody")).isFalse();
		assertThat(this.store.resume("nobody")).isFalse();
	}

	@Test
	void removedScheduleIsGone() {
		put("a");
		put("b");
		long revision = this.store.revision();
		assertThat(this.store.remove("a")).isTrue();
		assertThat(names()).containsExactly("b");
		long removed = this.store.revision();
		assertThat(removed).isGreaterThan(revision);
		assertThat(this.store.remove("a")).isFalse();
		assertThat(this.store.revision()).isEqualTo(removed);
	}

	@Test
	void replaceAllRemovesPersistentSchedulesOnly() {
		LeaseProof process = this.harness.hold("process", TTL);
		this.store.configure(this.leader, TestSchedule.GROUP, List.of(TestSchedule.of("c", ScheduleOrigin.CONFIGURED)));
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT), TestSchedule.persistent("a"),
				TestSchedule.persistent("b")), process);
		this.store.replaceAll(TestSchedule.GROUP, List.of(TestSchedule.persistent("b"), TestSchedule.persistent("d")));
		assertThat(names()).containsExactly("b", "c", "d", "t");
		this.store.replaceAll(TestSchedule.GROUP, List.of());
		assertThat(names()).containsExactly("c", "t");
	}

	@Test
	void configuredSchedulesAreThoseOfTheLastLeader() {
		put("p");
		assertThat(configure("a", "b")).isEmpty();
		advance(SECOND);
		fire("b", now());
		long revision = this.store.revision();
		this.leader = this.harness.hold("leader", TTL);
		assertThat(configure("a", "b")).isEmpty();
		assertThat(this.store.revision()).isEqualTo(revision);
		assertThat(configure("b", "c")).isEmpty();
		assertThat(names()).containsExactly("b", "c", "p");
		assertThat(find("b").lastFired()).isEqualTo(now());
		assertThat(configure()).isEmpty();
		assertThat(names()).containsExactly("p");
	}

	@Test
	void configuredScheduleThatComesBackIsAsItWas() {
		configure("a", "b");
		Instant known = now();
		advance(TEN);
		Instant fired = now();
		fire("a", fired);
		this.store.pause("a");
		advance(SECOND);
		StoredSchedule before = find("b");
		assertThat(configure(List.of()).ended()).containsExactlyInAnyOrder("a", "b");
		assertThat(names()).isEmpty();
		assertThat(this.store.find("a").schedules()).isEmpty();
		assertThat(fire(TestSchedule.firing(before, known.plus(TEN)))).isEqualTo(FiringResult.Refused.CHANGED);
		long revision = this.store.revision();
		assertThat(revision).isGreaterThan(before.revision());
		assertThat(configure(List.of()).ended()).isEmpty();
		assertThat(this.store.revision()).isEqualTo(revision);
		advance(TEN);
		assertThat(configure("a", "b")).isEmpty();
		StoredSchedule back = find("a");
		assertThat(back.paused()).isTrue();
		assertThat(back.lastFired()).isEqualTo(fired);
		assertThat(back.knownSince()).isEqualTo(known);
		assertThat(back.revision()).isGreaterThan(revision);
		assertThat(find("b").firesAfter()).as("times that were missed meanwhile are made up").isEqualTo(known);
		assertThat(find("b").paused()).isFalse();
	}

	@Test
	void endedScheduleIsContinuedForAnHourAndAPausedOneForAWeek() {
		this.leader = this.harness.hold("leader", Duration.ofDays(30));
		configure("a", "paused");
		Instant known = now();
		this.store.pause("paused");
		configure();
		advance(Duration.ofHours(1).minus(SECOND));
		assertThat(names()).isEmpty();
		configure("a", "paused");
		assertThat(find("a").knownSince()).isEqualTo(known);
		configure();
		advance(Duration.ofHours(1));
		assertThat(names()).isEmpty();
		configure("a", "paused");
		assertThat(find("a").knownSince()).isEqualTo(now());
		assertThat(find("paused").knownSince()).isEqualTo(known);
		configure();
		advance(Duration.ofDays(7).minus(SECOND));
		assertThat(names()).isEmpty();
		configure("paused");
		assertThat(find("paused").paused()).isTrue();
		configure();
		advance(Duration.ofDays(7));
		assertThat(names()).isEmpty();
		configure("paused");
		assertThat(find("paused").paused()).isFalse();
	}

	@Test
	void transientScheduleThatHasEndedIsKnownForAnHourAndAPausedOneForAWeek() {
		List<ScheduleDefinition> definitions = List.of(TestSchedule.of("a", ScheduleOrigin.TRANSIENT),
				TestSchedule.of("paused", ScheduleOrigin.TRANSIENT),
				TestSchedule.of("removed", ScheduleOrigin.TRANSIENT));
		LeaseProof process = this.harness.hold("process", TTL);
		this.store.put(definitions, process);
		Instant known = now();
		this.store.pause("paused");
		this.store.remove("removed");
		this.harness.release(process);
		assertThat(names()).isEmpty();
		advance(Duration.ofHours(1));
		assertThat(names()).isEmpty();
		process = this.harness.hold("process", TTL);
		assertThat(this.store.restore(definitions, process)).isEmpty();
		assertThat(find("a").knownSince()).isEqualTo(now());
		assertThat(find("paused").paused()).isTrue();
		assertThat(find("paused").knownSince()).isEqualTo(known);
		this.harness.release(process);
		assertThat(names()).isEmpty();
		advance(Duration.ofDays(7));
		assertThat(names()).isEmpty();
		this.store.put(definitions, this.harness.hold("process", TTL));
		assertThat(find("paused").paused()).isFalse();
	}

	@Test
	void endedScheduleIsPausedResumedAndRemovedByItsName() {
		configure("a", "b", "c");
		this.store.pause("b");
		configure();
		assertThat(this.store.pause("a")).isFalse();
		assertThat(this.store.resume("b")).isFalse();
		assertThat(this.store.remove("c")).isFalse();
		advance(SECOND);
		configure("a", "b", "c");
		assertThat(find("a").paused()).isTrue();
		assertThat(find("b").paused()).isFalse();
		assertThat(find("c").knownSince()).isEqualTo(now());
	}

	@Test
	void endedScheduleIsContinuedAtRunTimeAndByItsGroupOnly() {
		configure("a", "b");
		this.store.pause("a");
		this.store.pause("b");
		configure();
		advance(SECOND);
		assertThat(put("a").paused()).isTrue();
		assertThat(this.store.remove("a")).isTrue();
		assertThat(put("a").paused()).isFalse();
		LeaseProof other = this.harness.hold("other", TTL);
		assertThat(this.store.configure(other, "other", List.of(other("b"))).taken()).isEmpty();
		assertThat(find("b").paused()).isFalse();
		assertThat(find("b").knownSince()).isEqualTo(now());
		assertThat(configure("b")).containsExactly("b");
	}

	@Test
	void endedScheduleWithOtherTimesFiresNothingUpToItsReturn() {
		configure("a");
		configure();
		advance(SECOND);
		configure(List.of(new ScheduleDefinition("a", TestSchedule.GROUP, "job", "[1]", null, null, SECOND,
				ZoneOffset.UTC, Misfire.LATEST, null, true, null, ScheduleOrigin.CONFIGURED)));
		assertThat(find("a").firesAfter()).isEqualTo(now());
	}

	@Test
	void processThatDoesNotLeadConfiguresNothing() {
		LeaseProof former = this.leader;
		this.leader = this.harness.hold("leader", TTL);
		configure("a");
		assertThat(this.store.configure(former, TestSchedule.GROUP, List.of())).isNull();
		assertThat(names()).containsExactly("a");
	}

	@Test
	void scheduleOfRunTimeKeepsItsNameFromTheConfiguration() {
		put("a");
		assertThat(configure("a", "b")).containsExactly("a");
		assertThat(find("a").definition().origin()).isEqualTo(ScheduleOrigin.PERSISTENT);
		assertThat(names()).containsExactly("a", "b");
		this.store.remove("a");
		assertThat(configure("a", "b")).isEmpty();
		assertThat(find("a").definition().origin()).isEqualTo(ScheduleOrigin.CONFIGURED);
	}

	@Test
	void configuredScheduleIsPausedAndNotRemovedAtRunTime() {
		configure("a");
		long revision = this.store.revision();
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.remove("a"))
			.withMessageContaining("'a' is configured");
		assertThat(names()).containsExactly("a");
		assertThat(this.store.revision()).isEqualTo(revision);
		assertThat(this.store.pause("a")).isTrue();
		assertThat(configure("a")).isEmpty();
		assertThat(find("a").paused()).isTrue();
	}

	@Test
	void runTimeTakesOverANameThatIsConfiguredElsewhere() {
		configure("a", "b");
		StoredSchedule configured = find("a");
		this.store.pause("a");
		advance(SECOND);
		put("a");
		StoredSchedule put = find("a");
		assertThat(put.definition().origin()).isEqualTo(ScheduleOrigin.PERSISTENT);
		assertThat(put.paused()).isTrue();
		assertThat(put.firesAfter()).isEqualTo(configured.firesAfter());
		this.store.replaceAll(TestSchedule.GROUP, List.of(TestSchedule.persistent("a"), TestSchedule.persistent("b")));
		assertThat(configure("a", "b")).containsExactly("a", "b");
		assertThat(names()).containsExactly("a", "b");
	}

	@Test
	void groupHasItsSchedulesForItself() {
		put("p");
		configure("c");
		LeaseProof other = this.harness.hold("other", TTL);
		assertThat(this.store.configure(other, "other", List.of(other("c"), other("d"))).taken()).containsExactly("c");
		assertThat(names()).containsExactly("c", "d", "p");
		long revision = this.store.revision();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.put(List.of(TestSchedule.persistent("x"), TestSchedule.persistent("d")), null))
			.withMessageContaining("'d' belongs to group 'other'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.replaceAll(TestSchedule.GROUP, List.of(TestSchedule.persistent("d"))))
			.withMessageContaining("'d' belongs to group 'other'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.replaceAll("other", List.of(TestSchedule.persistent("d"))))
			.withMessageContaining("is of group 'group', and not of 'other'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.configure(this.leader, TestSchedule.GROUP, List.of(other("d"))));
		assertThat(this.store.revision()).isEqualTo(revision);
		this.store.replaceAll("other", List.of());
		assertThat(this.store.configure(other, "other", List.of())).isEqualTo(new Configured(Set.of(), Set.of("d")));
		assertThat(names()).containsExactly("c", "p");
		assertThat(this.store.pause("c")).isTrue();
	}

	@Test
	void configuredSchedulesOfAGroupWithoutALeaderCanBeTakenOver() {
		LeaseProof other = this.harness.hold("other", TTL);
		this.store.configure(other, "other", List.of(other("a"), other("b"), other("c")));
		StoredSchedule before = find("a");
		assertThat(configure("a")).containsExactly("a");
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.remove("b"))
			.withMessageContaining("'b' is configured");
		this.harness.release(other);
		assertThat(configure("a")).isEmpty();
		assertThat(find("a").definition().group()).isEqualTo(TestSchedule.GROUP);
		assertThat(find("a").knownSince()).isEqualTo(before.knownSince());
		assertThat(this.store.remove("b")).isTrue();
		put("c");
		assertThat(find("c").definition().origin()).isEqualTo(ScheduleOrigin.PERSISTENT);
		assertThat(names()).containsExactly("a", "c");
	}

	private static ScheduleDefinition other(String name) {
		return new ScheduleDefinition(name, "other", "job", "[1]", null, null, Duration.ofSeconds(10), ZoneOffset.UTC,
				Misfire.LATEST, null, true, null, ScheduleOrigin.CONFIGURED);
	}

	@Test
	void scheduleThatFiresAsBeforeMakesUpForWhatItMissedBeforeTheChange() {
		StoredSchedule first = put("a");
		advance(SECOND);
		this.store.put(List.of(TestSchedule.of("a", ScheduleOrigin.PERSISTENT, true, "new")), null);
		assertThat(find("a").firesAfter()).isEqualTo(first.firesAfter());
		assertThat(find("a").definition().description()).isEqualTo("new");
		this.store.put(List.of(TestSchedule.of("a", ScheduleOrigin.PERSISTENT, false, "new")), null);
		assertThat(find("a").firesAfter()).isEqualTo(first.firesAfter());
		advance(SECOND);
		put("a");
		assertThat(find("a").firesAfter()).isEqualTo(now());
	}

	@Test
	void scheduleInAnotherZoneFiresNothingUpToTheChange() {
		this.store.put(List.of(cron("0 0 4 * * *", "UTC")), null);
		for (ScheduleDefinition changed : List.of(cron("0 0 5 * * *", "UTC"), cron("0 0 5 * * *", "Asia/Tokyo"))) {
			advance(SECOND);
			this.store.put(List.of(changed), null);
			assertThat(find("a").firesAfter()).isEqualTo(now());
		}
	}

	private static ScheduleDefinition cron(String cron, String zone) {
		return new ScheduleDefinition("a", TestSchedule.GROUP, "job", "[1]", null, cron, null, ZoneId.of(zone),
				Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT);
	}

	@Test
	void scheduleIsFoundByItsName() {
		put("a");
		StoredSchedule b = put("b");
		assertThat(this.store.find("b")).isEqualTo(new ScheduleSnapshot(this.store.revision(), now(), List.of(b)));
		assertThat(this.store.find("c").schedules()).isEmpty();
		LeaseProof process = this.harness.hold("process", TTL);
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT)), process);
		assertThat(this.store.find("t").schedules()).hasSize(1);
		this.harness.release(process);
		assertThat(this.store.find("t").schedules()).isEmpty();
	}

	@Test
	void revisionIsNoneThatMayHaveBeenThereBefore() {
		put("a");
		long revision = this.store.revision();
		assertThat(revision).isGreaterThanOrEqualTo(now().toEpochMilli());
		put("b");
		assertThat(this.store.revision()).isEqualTo(revision + 1);
		advance(Duration.ofHours(1));
		this.store.remove("b");
		assertThat(this.store.revision()).isEqualTo(now().toEpochMilli());
	}

	@Test
	void tooManySchedulesAtOnceAreRefused() {
		List<ScheduleDefinition> many = IntStream.rangeClosed(0, ScheduleStore.MOST)
			.mapToObj((i) -> TestSchedule.persistent("s" + i))
			.toList();
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.put(many, null))
			.withMessageContaining("At most 5000");
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.replaceAll(TestSchedule.GROUP, many));
	}

	@Test
	void resumedScheduleForgetsWhatAClockThatWasAheadHasDone() {
		for (boolean paused : new boolean[] { false, true }) {
			put("a");
			this.leader = this.harness.hold("leader", Duration.ofDays(3));
			advance(Duration.ofDays(1));
			assertThat(fire("a", now())).isEqualTo(accepted("a", now()));
			if (paused) {
				this.store.pause("a");
			}
			advance(Duration.ofDays(-1));
			assertThat(this.store.resume("a")).isTrue();
			StoredSchedule resumed = find("a");
			assertThat(resumed.firesAfter()).isEqualTo(now());
			assertThat(resumed.lastFired()).isNull();
			assertThat(resumed.lastResult()).isNull();
			assertThat(resumed.revision()).isEqualTo(this.store.revision());
			advance(SECOND);
			assertThat(fire("a", now())).isEqualTo(accepted("a", now()));
			this.store.remove("a");
		}
	}

	@Test
	void resumedScheduleKeepsTheTimeSinceWhenItIsKnown() {
		StoredSchedule first = put("a");
		advance(SECOND);
		this.store.pause("a");
		advance(SECOND);
		this.store.resume("a");
		assertThat(find("a").firesAfter()).isEqualTo(now());
		assertThat(find("a").knownSince()).as("the times of an interval count from it").isEqualTo(first.knownSince());
	}

	@Test
	void resumedScheduleWhoseTimesWereChangedByAClockThatWasAheadFires() {
		StoredSchedule first = put("a");
		advance(Duration.ofDays(1));
		this.store.put(List.of(TestSchedule.every("a", Duration.ofSeconds(20))), null);
		advance(Duration.ofDays(-1));
		assertThat(find("a").firesAfter()).isAfter(now());
		assertThat(this.store.resume("a")).isTrue();
		assertThat(find("a").firesAfter()).isEqualTo(now());
		assertThat(find("a").knownSince()).isEqualTo(first.knownSince());
	}

	@Test
	void namesWithoutAScheduleAreUnknown() {
		put("a");
		long revision = this.store.revision();
		for (String name : List.of("unknown", ":revision", "no name")) {
			assertThat(this.store.find(name).schedules()).as(name).isEmpty();
			assertThat(this.store.pause(name)).as(name).isFalse();
			assertThat(this.store.resume(name)).as(name).isFalse();
			assertThat(this.store.remove(name)).as(name).isFalse();
		}
		assertThat(this.store.revision()).isEqualTo(revision);
	}

	@Test
	void resumedScheduleThatWasChangedByAClockThatWasAheadFires() {
		advance(Duration.ofDays(1));
		put("a");
		advance(Duration.ofDays(-1));
		this.store.resume("a");
		assertThat(find("a").firesAfter()).isEqualTo(now());
		assertThat(find("a").knownSince()).as("the times of an interval count from it").isEqualTo(now());
		long revision = this.store.revision();
		advance(SECOND);
		assertThat(this.store.resume("a")).isTrue();
		assertThat(this.store.revision()).isEqualTo(revision);
		assertThat(find("a").firesAfter()).isEqualTo(now().minus(SECOND));
	}

	@Test
	void sameTransientScheduleOfAnotherProcessKeepsWhatIsKnownOfIt() {
		LeaseProof process = this.harness.hold("process", TTL);
		ScheduleDefinition definition = TestSchedule.of("t", ScheduleOrigin.TRANSIENT);
		this.store.put(List.of(definition), process);
		Instant known = now();
		advance(SECOND);
		Instant fired = now();
		fire("t", fired);
		this.store.pause("t");
		this.harness.release(process);
		advance(SECOND);
		LeaseProof next = this.harness.hold("next", TTL);
		this.store.put(List.of(definition), next);
		StoredSchedule back = find("t");
		assertThat(back.paused()).isTrue();
		assertThat(back.knownSince()).isEqualTo(known);
		assertThat(back.lastFired()).isEqualTo(fired);
		assertThat(back.firesAfter()).isEqualTo(now());
		this.harness.release(next);
		LeaseProof last = this.harness.hold("last", TTL);
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT, true, "other")), last);
		assertThat(find("t").paused()).isFalse();
		assertThat(find("t").lastFired()).isNull();
	}

	@Test
	void transientScheduleNeedsItsProcess() {
		ScheduleDefinition definition = TestSchedule.of("t", ScheduleOrigin.TRANSIENT);
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.put(List.of(definition), null));
		LeaseProof process = this.harness.hold("process", TTL);
		this.harness.release(process);
		assertThatIllegalStateException()
			.isThrownBy(() -> this.store.put(List.of(TestSchedule.persistent("a"), definition), process));
		assertThat(names()).isEmpty();
	}

	@Test
	void nameOfATransientScheduleIsFreeWhenItsProcessHasEnded() {
		LeaseProof process = this.harness.hold("process", TTL);
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT)), process);
		assertThat(configure("t")).containsExactly("t");
		this.harness.release(process);
		assertThat(this.store.pause("t")).isFalse();
		assertThat(this.store.remove("t")).isFalse();
		advance(SECOND);
		assertThat(configure("t")).isEmpty();
		assertThat(find("t").knownSince()).isEqualTo(now());
	}

	@Test
	void transientScheduleBelongsToWhoPutItLast() {
		LeaseProof one = this.harness.hold("one", TTL);
		LeaseProof two = this.harness.hold("two", TTL);
		ScheduleDefinition definition = TestSchedule.of("t", ScheduleOrigin.TRANSIENT);
		this.store.put(List.of(definition), one);
		this.store.put(List.of(definition), two);
		this.harness.release(one);
		assertThat(names()).containsExactly("t");
		this.harness.release(two);
		assertThat(names()).isEmpty();
	}

	@Test
	void processThatComesBackFindsItsSchedulesAsTheyWere() {
		LeaseProof process = this.harness.hold("process", TTL);
		ScheduleDefinition definition = TestSchedule.of("t", ScheduleOrigin.TRANSIENT);
		this.store.put(List.of(definition), process);
		Instant known = now();
		advance(SECOND);
		Instant fired = now();
		fire("t", fired);
		this.store.pause("t");
		this.harness.release(process);
		assertThat(names()).isEmpty();
		configure("c");
		this.store.replaceAll(TestSchedule.GROUP, List.of());
		configure();
		advance(SECOND);
		long revision = this.store.revision();
		LeaseProof next = this.harness.hold("process", TTL);
		assertThat(this.store.restore(List.of(definition), next)).isEmpty();
		StoredSchedule back = find("t");
		assertThat(back.paused()).isTrue();
		assertThat(back.knownSince()).isEqualTo(known);
		assertThat(back.lastFired()).isEqualTo(fired);
		assertThat(back.firesAfter()).isEqualTo(now());
		long restored = this.store.revision();
		assertThat(restored).isGreaterThan(revision);
		assertThat(this.store.restore(List.of(definition), next)).isEmpty();
		assertThat(this.store.revision()).isEqualTo(restored);
	}

	@Test
	void processThatComesBackFindsARemovalThoughALeaderHasBegunMeanwhile() {
		LeaseProof process = this.harness.hold("process", TTL);
		ScheduleDefinition definition = TestSchedule.of("t", ScheduleOrigin.TRANSIENT);
		this.store.put(List.of(definition), process);
		assertThat(this.store.remove("t")).isTrue();
		this.harness.release(process);
		configure();
		this.store.replaceAll(TestSchedule.GROUP, List.of());
		LeaseProof next = this.harness.hold("process", TTL);
		assertThat(this.store.restore(List.of(definition), next)).containsExactly("t");
		assertThat(names()).isEmpty();
	}

	@Test
	void processThatComesBackLeavesWhatIsThereUnchanged() {
		LeaseProof process = this.harness.hold("process", TTL);
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT)), process);
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT, true, "later")), process);
		StoredSchedule later = find("t");
		assertThat(this.store.restore(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT)), process)).isEmpty();
		assertThat(find("t")).isEqualTo(later);
	}

	@Test
	void processThatComesBackTakesNoNameAway() {
		LeaseProof process = this.harness.hold("process", TTL);
		LeaseProof other = this.harness.hold("other", TTL);
		List<ScheduleDefinition> definitions = List.of("c", "p", "t", "gone")
			.stream()
			.map((name) -> TestSchedule.of(name, ScheduleOrigin.TRANSIENT))
			.toList();
		this.store.put(definitions, process);
		this.harness.release(process);
		configure("c");
		put("p");
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT)), other);
		LeaseProof next = this.harness.hold("process", TTL);
		assertThat(this.store.restore(definitions, next)).containsExactlyInAnyOrder("c", "p", "t");
		assertThat(this.store.load().schedules()).extracting((schedule) -> schedule.definition().origin())
			.containsExactly(ScheduleOrigin.CONFIGURED, ScheduleOrigin.TRANSIENT, ScheduleOrigin.PERSISTENT,
					ScheduleOrigin.TRANSIENT);
		this.harness.release(other);
		assertThat(names()).containsExactly("c", "gone", "p");
		assertThat(this.store.restore(definitions, next)).containsExactlyInAnyOrder("c", "p", "t");
	}

	@Test
	void processThatComesBackDoesNotRestoreWhatASuccessorHadAndLost() {
		LeaseProof process = this.harness.hold("process", TTL);
		List<ScheduleDefinition> definitions = List.of("removed", "replaced", "configured", "again")
			.stream()
			.map((name) -> TestSchedule.of(name, ScheduleOrigin.TRANSIENT))
			.toList();
		this.store.put(definitions, process);
		put("removed");
		assertThat(this.store.remove("removed")).isTrue();
		put("replaced");
		this.store.replaceAll(TestSchedule.GROUP, List.of());
		assertThat(this.store.remove("again")).isTrue();
		put("again");
		this.store.put(List.of(TestSchedule.every("again", SECOND)), null);
		assertThat(this.store.remove("again")).isTrue();
		this.harness.release(process);
		configure("configured");
		configure();
		LeaseProof next = this.harness.hold("process", TTL);
		assertThat(this.store.restore(definitions, next)).containsExactlyInAnyOrder("removed", "replaced", "configured",
				"again");
		assertThat(names()).isEmpty();
	}

	@Test
	void firingOfAnEndedScheduleDoesNotFreeItsNameForAnEarlierProcess() {
		LeaseProof process = this.harness.hold("process", TTL);
		LeaseProof other = this.harness.hold("other", TTL);
		List<ScheduleDefinition> definitions = List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT));
		this.store.put(definitions, process);
		this.store.put(definitions, other);
		Instant known = now();
		advance(SECOND);
		StoredSchedule planned = find("t");
		this.harness.release(other);
		assertThat(fire(TestSchedule.firing(planned, now()))).isEqualTo(FiringResult.Refused.CHANGED);
		assertThat(this.store.restore(definitions, process)).containsExactly("t");
		assertThat(names()).isEmpty();
		LeaseProof next = this.harness.hold("other", TTL);
		assertThat(this.store.restore(definitions, next)).isEmpty();
		assertThat(find("t").knownSince()).isEqualTo(known);
	}

	@Test
	void scheduleWhoseProcessHangsIsRemovedAndPaused() {
		LeaseProof process = this.harness.hold("process", TTL);
		List<ScheduleDefinition> definitions = List.of(TestSchedule.of("a", ScheduleOrigin.TRANSIENT),
				TestSchedule.of("b", ScheduleOrigin.TRANSIENT), TestSchedule.of("c", ScheduleOrigin.TRANSIENT));
		this.store.put(definitions, process);
		this.store.pause("c");
		this.harness.release(process);
		assertThat(this.store.remove("a")).isFalse();
		assertThat(this.store.pause("b")).isFalse();
		assertThat(this.store.resume("c")).isFalse();
		LeaseProof next = this.harness.hold("process", TTL);
		assertThat(this.store.restore(definitions, next)).containsExactly("a");
		assertThat(names()).containsExactly("b", "c");
		assertThat(find("b").paused()).isTrue();
		assertThat(find("c").paused()).isFalse();
	}

	@Test
	void processWithoutItsLeaseRestoresNothing() {
		LeaseProof process = this.harness.hold("process", TTL);
		ScheduleDefinition definition = TestSchedule.of("t", ScheduleOrigin.TRANSIENT);
		this.store.put(List.of(definition), process);
		this.harness.release(process);
		assertThatIllegalStateException().isThrownBy(() -> this.store.restore(List.of(definition), process));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.restore(List.of(TestSchedule.persistent("p")), process));
		assertThat(names()).isEmpty();
	}

	@Test
	void removalOfATransientScheduleIsKnownHoweverOftenItsProcessChecks() {
		LeaseProof process = this.harness.hold("process", TTL);
		List<ScheduleDefinition> definitions = List.of(TestSchedule.of("a", ScheduleOrigin.TRANSIENT),
				TestSchedule.of("b", ScheduleOrigin.TRANSIENT));
		this.store.put(definitions.subList(0, 1), process);
		assertThat(this.store.remove("a")).isTrue();
		assertThat(this.store.remove("a")).isFalse();
		assertThat(this.store.pause("a")).isFalse();
		assertThat(this.store.find("a").schedules()).isEmpty();
		this.store.replaceAll(TestSchedule.GROUP, List.of());
		configure();
		for (int i = 0; i < 3; i++) {
			assertThat(this.store.restore(definitions, process)).containsExactly("a");
			assertThat(names()).containsExactly("b");
		}
	}

	@Test
	void scheduleThatWasRemovedBeginsAnewWhenItIsPutAgain() {
		LeaseProof process = this.harness.hold("process", TTL);
		List<ScheduleDefinition> definitions = List.of(TestSchedule.of("a", ScheduleOrigin.TRANSIENT));
		this.store.put(definitions, process);
		this.store.pause("a");
		this.store.remove("a");
		advance(SECOND);
		this.store.put(definitions, process);
		assertThat(find("a").paused()).isFalse();
		assertThat(find("a").knownSince()).isEqualTo(now());
		this.store.remove("a");
		put("a");
		assertThat(find("a").definition().origin()).isEqualTo(ScheduleOrigin.PERSISTENT);
		assertThat(this.store.restore(definitions, process)).containsExactly("a");
		assertThat(names()).containsExactly("a");
	}

	@Test
	void originsAndNamesAreChecked() {
		ScheduleDefinition configured = TestSchedule.of("a", ScheduleOrigin.CONFIGURED);
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.put(List.of(configured), null));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.replaceAll(TestSchedule.GROUP, List.of(configured)));
		assertThatIllegalArgumentException().isThrownBy(
				() -> this.store.configure(this.leader, TestSchedule.GROUP, List.of(TestSchedule.persistent("a"))));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.put(List.of(TestSchedule.persistent("a"), TestSchedule.persistent("a")), null))
			.withMessageContaining("same name 'a'");
		assertThat(names()).isEmpty();
	}

	private Set<String> configure(String... names) {
		return configure(
				List.of(names).stream().map((name) -> TestSchedule.of(name, ScheduleOrigin.CONFIGURED)).toList())
			.taken();
	}

	private Configured configure(List<ScheduleDefinition> definitions) {
		return this.store.configure(this.leader, TestSchedule.GROUP, definitions);
	}

}
