package io.locket.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.locket.LeaseUnavailableException;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.ManualScheduler;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.memory.InMemoryHarness;
import io.locket.schedule.memory.InMemoryScheduleStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.AdditionalAnswers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link ProcessSchedules}, with a manually driven clock.
 */
@ExtendWith(OutputCaptureExtension.class)
class ProcessSchedulesTests {

	private final InMemoryHarness queue = new InMemoryHarness();

	private final ManualScheduler scheduler = new ManualScheduler();

	private final InMemoryScheduleStore memory = new InMemoryScheduleStore(this.queue.space(), this.queue.queue());

	private final ScheduleStore store = mock(ScheduleStore.class, AdditionalAnswers.delegatesTo(this.memory));

	private final InMemoryLeaseService allLeases = new InMemoryLeaseService(this.queue.space(),
			new LeaseSettings(Duration.ofSeconds(35), Duration.ofSeconds(2), "test", false, 0), new JobKeys(),
			new JobEventPublisher(List.of()), System::nanoTime);

	private final LeaseService leases = mock(LeaseService.class, AdditionalAnswers.delegatesTo(this.allLeases));

	private final ProcessSchedules own = new ProcessSchedules(this.store, this.leases, this.scheduler);

	@AfterEach
	void close() {
		this.own.close();
		assertThat(this.allLeases.held(10)).isEmpty();
		assertThat(this.queue.store().verify()).isEmpty();
	}

	@Test
	void processWithoutSchedulesHasNoLeaseAndNothingToDo() {
		verify(this.leases, never()).attempt(any());
		assertThat(this.scheduler.size()).isZero();
	}

	@Test
	void schedulesEndWithTheProcess() {
		put("a");
		put("b");
		assertThat(names()).containsExactly("a", "b");
		assertThat(this.allLeases.held(10)).hasSize(1);
		this.own.close();
		assertThat(names()).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> put("c")).withMessageContaining("This process stops");
		assertThat(this.scheduler.isShutdown()).isTrue();
	}

	@Test
	void schedulesOfALostLeaseArePutAgainAtOnce() {
		put("a");
		put("b");
		this.memory.pause("b");
		loseLease();
		assertThat(names()).isEmpty();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("a", "b");
		assertThat(this.memory.load().schedules().get(1).paused()).isTrue();
	}

	@Test
	void schedulesThatOthersSweptAwayWhileTheProcessWasFrozenArePutAgain() {
		put("a");
		loseLease();
		this.memory.replaceAll(TestSchedule.GROUP, List.of());
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("a");
	}

	@Test
	void scheduleThatAnotherProcessRemovedStaysRemoved() {
		put("a");
		put("b");
		assertThat(this.memory.remove("a")).isTrue();
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		loseLease();
		this.memory.replaceAll(TestSchedule.GROUP, List.of());
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("b");
	}

	@Test
	void scheduleThatAnotherProcessRemovedStaysRemovedIfTheCheckGetsNoReply() {
		put("a");
		put("b");
		this.memory.remove("a");
		willAnswer((call) -> {
			this.memory.restore(call.getArgument(0), call.getArgument(1));
			throw new QueueUnavailableException("no reply", null);
		}).willAnswer(AdditionalAnswers.delegatesTo(this.memory)).given(this.store).restore(any(), any());
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.plus(ProcessSchedules.RETRY));
		assertThat(names()).containsExactly("b");
		loseLease();
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		assertThat(names()).containsExactly("b");
	}

	@Test
	void logNamesTheSchedulesThatWerePutAgain(CapturedOutput output) {
		put("a");
		put("b");
		this.memory.remove("a");
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(output).contains("Put again, after the lease of this process was lost: [b]");
		this.memory.remove("b");
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).isEmpty();
		assertThat(output.getAll().split("Put again", -1)).hasSize(2);
	}

	@Test
	void scheduleThatAnotherProcessReplacedStaysReplaced() {
		put("a");
		put("b");
		this.memory.put(List.of(TestSchedule.persistent("a")), null);
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(origins()).containsExactly(ScheduleOrigin.PERSISTENT, ScheduleOrigin.TRANSIENT);
		this.memory.remove("a");
		loseLease();
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		assertThat(names()).containsExactly("b");
	}

	@Test
	void scheduleThatIsForgottenIsNotPutAgain() {
		put("a");
		put("b");
		assertThat(this.own.giveUp(Set.of("a"), () -> this.memory.remove("a"))).isTrue();
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("b");
	}

	@Test
	void scheduleIsKeptIfItsRemovalIsRefusedOrGetsNoReply() {
		put("a");
		assertThatIllegalArgumentException().isThrownBy(() -> this.own.giveUp(Set.of("a"), () -> {
			throw new IllegalArgumentException("taken");
		}));
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.own.giveUp(Set.of("a"), () -> {
			throw new QueueUnavailableException("no reply", null);
		}));
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("a");
	}

	@Test
	void removalWithoutAReplyThatHappenedIsDetectedAlsoIfTheLeaseIsLostBefore() {
		put("a");
		put("b");
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.own.giveUp(Set.of("a"), () -> {
			this.memory.remove("a");
			throw new QueueUnavailableException("no reply", null);
		}));
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("b");
	}

	@Test
	void scheduleIsKeptIfItsReplacementIsRefused() {
		put("a");
		willThrow(new IllegalArgumentException("taken")).willAnswer(AdditionalAnswers.delegatesTo(this.memory))
			.given(this.store)
			.put(any(), any());
		assertThatIllegalArgumentException().isThrownBy(() -> put("a"));
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("a");
	}

	@Test
	void scheduleThatAFailOverLostIsPutAgainAlsoIfTheRevisionHasGrownSince() {
		put("a");
		put("b");
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		this.memory.forget("a");
		this.memory.put(List.of(TestSchedule.persistent("other")), null);
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		assertThat(names()).containsExactly("a", "b", "other");
	}

	@Test
	void moreSchedulesThanFitIntoACallArePutAgain() {
		IntStream.rangeClosed(0, ScheduleStore.MOST).forEach((i) -> put("s" + i));
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).hasSize(ScheduleStore.MOST + 1);
		this.memory.remove("s" + ScheduleStore.MOST);
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).hasSize(ScheduleStore.MOST);
	}

	@Test
	void idleProcessReadsTheRevisionOnly() {
		put("a");
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		clearInvocations(this.store, this.leases);
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.multipliedBy(6));
		verify(this.store, times(6)).revision();
		verify(this.store, never()).restore(any(), any());
		verify(this.leases, never()).attempt(any());
	}

	@Test
	void processWhoseSchedulesAreAllGonePollsNoMore() {
		put("a");
		this.memory.remove("a");
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.multipliedBy(2));
		assertThat(this.scheduler.size()).isZero();
	}

	@Test
	void storeThatDoesNotReplyIsCalledAgainWithOneWarning(CapturedOutput output) {
		put("a");
		willThrow(new QueueUnavailableException("no reply", null)).given(this.store).restore(any(), any());
		loseLease();
		this.scheduler.advance(ProcessSchedules.RETRY.multipliedBy(5));
		assertThat(names()).isEmpty();
		willAnswer(AdditionalAnswers.delegatesTo(this.memory)).given(this.store).restore(any(), any());
		this.scheduler.advance(ProcessSchedules.RETRY);
		assertThat(names()).containsExactly("a");
		assertThat(output.getOut().split("Could not check the schedules", -1)).hasSize(2);
	}

	@Test
	void checkThatFailsWithAnErrorIsRepeated() {
		put("a");
		willThrow(new NoClassDefFoundError("missing")).given(this.store).restore(any(), any());
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).isEmpty();
		willAnswer(AdditionalAnswers.delegatesTo(this.memory)).given(this.store).restore(any(), any());
		this.scheduler.advance(ProcessSchedules.RETRY);
		assertThat(names()).containsExactly("a");
	}

	@Test
	void leaseThatCannotBeTakenIsRequestedAgain() {
		put("a");
		willThrow(new LeaseUnavailableException("no reply", null)).given(this.leases).attempt(any());
		loseLease();
		this.scheduler.advance(ProcessSchedules.RETRY.multipliedBy(3));
		assertThat(names()).isEmpty();
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> put("b"));
		willAnswer(AdditionalAnswers.delegatesTo(this.allLeases)).given(this.leases).attempt(any());
		this.scheduler.advance(ProcessSchedules.RETRY);
		assertThat(names()).containsExactly("a");
	}

	@Test
	void leaseThatIsLostAgainWhileSchedulesArePutIsTakenAgain() {
		put("a");
		willAnswer((call) -> {
			loseLease();
			return this.memory.restore(call.getArgument(0), call.getArgument(1));
		}).willAnswer(AdditionalAnswers.delegatesTo(this.memory)).given(this.store).restore(any(), any());
		loseLease();
		this.scheduler.advance(ProcessSchedules.RETRY);
		assertThat(names()).containsExactly("a");
	}

	@Test
	void putOfAProcessThatDoesNotYetKnowThatItsLeaseIsLostPutsAllAgain() {
		put("a");
		willAnswer((call) -> {
			loseLease();
			this.memory.put(call.getArgument(0), call.getArgument(1));
			return null;
		}).willAnswer(AdditionalAnswers.delegatesTo(this.memory)).given(this.store).put(any(), any());
		put("b");
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("a", "b");
	}

	@Test
	void putThatDetectsTheLossPutsTheOthersAgainAtOnce() {
		put("a");
		willThrow(new IllegalStateException("lost")).willAnswer(AdditionalAnswers.delegatesTo(this.memory))
			.given(this.store)
			.put(any(), any());
		put("b");
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("a", "b");
	}

	@Test
	void putsThatFollowEachOtherDoNotDelayTheChecks() {
		put("a");
		this.memory.remove("a");
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.dividedBy(2));
		put("b");
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.dividedBy(2));
		this.memory.forget("a");
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("b");
	}

	@Test
	void putBeginsTheChecksAgainAfterAllSchedulesWereGone() {
		put("a");
		this.memory.remove("a");
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.multipliedBy(2));
		put("b");
		assertThat(this.scheduler.size()).isEqualTo(1);
	}

	@Test
	void putBeginsTheChecksIfTheyCouldNotBegin() {
		this.scheduler.discard(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> put("a"));
		put("b");
		assertThat(this.scheduler.size()).isEqualTo(1);
	}

	@Test
	void leaseThatTheStoreDoesNotKnowIsReplacedBeforeTheHeartbeatDetectsTheLoss() {
		put("a");
		willThrow(new IllegalStateException("lost")).willAnswer(AdditionalAnswers.delegatesTo(this.memory))
			.given(this.store)
			.restore(any(), any());
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.plus(ProcessSchedules.RETRY));
		verify(this.leases, times(2)).attempt(any());
		assertThat(names()).containsExactly("a");
	}

	@Test
	void changeDuringACheckIsDetectedByTheNextOne() {
		put("a");
		put("b");
		willAnswer((call) -> {
			Set<String> taken = this.memory.restore(call.getArgument(0), call.getArgument(1));
			this.memory.remove("a");
			return taken;
		}).willAnswer(AdditionalAnswers.delegatesTo(this.memory)).given(this.store).restore(any(), any());
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.multipliedBy(2));
		this.memory.forget("a");
		loseLease();
		this.scheduler.advance(Duration.ZERO);
		assertThat(names()).containsExactly("b");
	}

	@Test
	void pollThatDetectsTheLossForgetsNothing() {
		put("a");
		willAnswer((call) -> {
			loseLease();
			return this.memory.restore(call.getArgument(0), call.getArgument(1));
		}).willAnswer(AdditionalAnswers.delegatesTo(this.memory)).given(this.store).restore(any(), any());
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL.plus(ProcessSchedules.RETRY));
		assertThat(names()).containsExactly("a");
	}

	@Test
	void storeThatHasForgottenWritesGetsThemAgain() {
		put("a");
		put("b");
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		this.memory.forget("b");
		willAnswer((call) -> 1L).given(this.store).revision();
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		assertThat(names()).containsExactly("a", "b");
	}

	@Test
	void scheduleThatIsRefusedIsNotPutLater() {
		put("a");
		willThrow(new IllegalArgumentException("taken")).willAnswer(AdditionalAnswers.delegatesTo(this.memory))
			.given(this.store)
			.put(any(), any());
		assertThatIllegalArgumentException().isThrownBy(() -> put("b"));
		willThrow(new QueueUnavailableException("no reply", null))
			.willAnswer(AdditionalAnswers.delegatesTo(this.memory))
			.given(this.store)
			.put(any(), any());
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> put("c"));
		loseLease();
		this.scheduler.advance(ProcessSchedules.CHECK_INTERVAL);
		assertThat(names()).containsExactly("a");
	}

	private void put(String name) {
		this.own.put(TestSchedule.of(name, ScheduleOrigin.TRANSIENT));
	}

	private void loseLease() {
		for (HeldLease held : this.allLeases.held(10)) {
			this.allLeases.forceRelease(held.digest());
		}
	}

	private List<String> names() {
		return this.memory.load().schedules().stream().map(StoredSchedule::name).toList();
	}

	private List<ScheduleOrigin> origins() {
		return this.memory.load().schedules().stream().map((schedule) -> schedule.definition().origin()).toList();
	}

}
