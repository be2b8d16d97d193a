package io.locket.schedule.leader;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import io.locket.LeaseHolder;
import io.locket.LeaseUnavailableException;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeadershipEvent;
import io.locket.event.LeadershipGained;
import io.locket.event.LeadershipLost;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.TestLease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.AdditionalAnswers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaderElection} and {@link Leadership} on leases in memory.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderElectionTests {

	private static final LeaderTask REST = (lease) -> () -> Duration.ofHours(1);

	private final LockSpace space = new LockSpace(Clock.systemUTC());

	private final List<Process> processes = new ArrayList<>();

	/**
	 * Threads of contexts that other tests keep.
	 */
	private final Set<Thread> keptAliveByOthers = keepAliveThreads();

	@AfterEach
	void stop() {
		this.processes.forEach((process) -> process.election.stop());
	}

	@Test
	void oneOfTwoProcessesLeads() {
		Process one = start("one");
		await().until(one.leadership::isLeader);
		Process two = start("two");
		assertThat(one.leadership.term()).isPositive();
		assertThat(two.leadership.isLeader()).isFalse();
		assertThat(two.leadership.term()).isZero();
		assertThat(two.leadership.leader()).get().extracting(LeaseHolder::instance).isEqualTo("one");
		assertThat(two.leadership.leader()).get()
			.extracting(LeaseHolder::fencingToken)
			.isEqualTo(one.leadership.term());
		await().until(() -> !one.events().isEmpty());
		assertThat(one.events()).containsExactly(new LeadershipGained(one.leadership.term()));
		assertThat(two.events()).isEmpty();
	}

	@Test
	void leaderThatStopsResignsAndIsSucceeded() {
		Process one = start("one");
		await().until(one.leadership::isLeader);
		long term = one.leadership.term();
		Process two = start("two");
		one.election.stop();
		assertThat(one.leadership.isLeader()).isFalse();
		assertThat(one.events()).containsExactly(new LeadershipGained(term), new LeadershipLost(term, true));
		await().until(two.leadership::isLeader);
		assertThat(two.leadership.term()).isGreaterThan(term);
		assertThat(one.leadership.leader()).get().extracting(LeaseHolder::instance).isEqualTo("two");
	}

	@Test
	void leaderThatLosesItsLeaseIsNotifiedAndIsACandidateAgain() {
		Process one = start("one");
		await().until(one.leadership::isLeader);
		long term = one.leadership.term();
		one.leases.forceRelease(one.leadership.key().digest());
		await().until(() -> one.events().size() == 3);
		assertThat(one.events()).containsExactly(new LeadershipGained(term), new LeadershipLost(term, false),
				new LeadershipGained(one.leadership.term()));
		assertThat(one.leadership.term()).isGreaterThan(term);
	}

	@Test
	void followerThatStopsIsNoCandidateAnyMore() {
		Process one = start("one");
		await().until(one.leadership::isLeader);
		Process two = start("two");
		two.election.stop();
		assertThat(two.election.isRunning()).isFalse();
		one.election.stop();
		assertThat(two.leadership.leader()).isEmpty();
		assertThat(two.events()).isEmpty();
	}

	@Test
	void processMayBeStoppedAndStartedAgain() {
		Process one = start("one");
		one.election.start();
		await().until(one.leadership::isLeader);
		long term = one.leadership.term();
		one.election.stop();
		one.election.stop();
		one.election.start();
		await().until(one.leadership::isLeader);
		assertThat(one.leadership.term()).isGreaterThan(term);
	}

	@Test
	void processThatTakesNoPartKnowsWhoLeads() {
		Process one = start("one");
		await().until(one.leadership::isLeader);
		Leadership observer = new Leadership(leases("two", new JobEventPublisher(List.of())), "namespace", "group");
		assertThat(observer.isLeader()).isFalse();
		assertThat(observer.leader()).get().extracting(LeaseHolder::instance).isEqualTo("one");
	}

	@Test
	void followerLogsOnceWhoLeads(CapturedOutput output) {
		Process one = start("one");
		await().until(one.leadership::isLeader);
		Process two = start("two");
		String line = "This process follows: instance 'one' leads in term " + one.leadership.term();
		await().until(() -> output.toString().contains(line));
		one.election.stop();
		await().until(two.leadership::isLeader);
		one.election.start();
		await().until(() -> output.toString().contains("This process follows: instance 'two' leads"));
		assertThat(output.toString().split("This process follows", -1)).hasSize(3);
	}

	@Test
	void followerThatHasLedLogsAgainWhoLeads(CapturedOutput output) {
		Semaphore duty = new Semaphore(0);
		Process one = start("one");
		await().until(one.leadership::isLeader);
		Process two = start(new Process("two", (lease) -> () -> {
			duty.acquireUninterruptibly();
			return Duration.ofHours(1);
		}));
		await().until(() -> output.toString().contains("This process follows"));
		one.election.stop();
		await().until(two.leadership::isLeader);
		one.election.start();
		two.leases.forceRelease(two.leadership.key().digest());
		await().until(one.leadership::isLeader);
		duty.release(100);
		String line = "This process follows: instance 'one' leads in term " + one.leadership.term();
		await().until(() -> output.toString().contains(line));
	}

	@Test
	void processWithNothingToLeadForTakesNoPartUntilThereIs() {
		Need need = new Need();
		ElectionEntry entry = new ElectionEntry(need, Duration.ofMillis(1), Duration.ofHours(1));
		Thread thread = new Thread(entry::await);
		thread.start();
		await().until(() -> need.checks.get() > 2);
		assertThat(entry.isOpen()).isFalse();
		need.needed = true;
		await().until(() -> !thread.isAlive());
		assertThat(entry.isOpen()).isTrue();
	}

	@Test
	void processWithNothingToLeadForStopsAtOnce(CapturedOutput output) {
		Need need = new Need();
		Process one = start(new Process("one", need));
		await().until(() -> need.checks.get() > 0);
		one.election.stop();
		assertThat(one.election.isRunning()).isFalse();
		assertThat(one.events()).isEmpty();
		assertThat(output).doesNotContain("hangs and does not end");
	}

	@Test
	void processThatFindsADutyOfOthersIsNotKeptAliveByIt() {
		Need need = new Need();
		need.needed = true;
		Process one = start(new Process("one", need));
		await().until(one.leadership::isLeader);
		assertThat(one.election.isIdle()).isFalse();
		assertThat(keepAlive()).isEmpty();
	}

	@Test
	void checkThatFailsIsLoggedOnceAndRepeated(CapturedOutput output) {
		Need need = new Need();
		need.failure = new IllegalStateException("no reply");
		ElectionEntry entry = new ElectionEntry(need, Duration.ofHours(1), Duration.ofMillis(1));
		Thread thread = new Thread(entry::await);
		thread.start();
		await().until(() -> need.checks.get() > 2);
		thread.interrupt();
		need.needed = true;
		need.failure = null;
		await().until(() -> !thread.isAlive());
		assertThat(entry.isOpen()).isTrue();
		assertThat(output.toString().split("Could not determine whether there are schedules", -1)).hasSize(2);
	}

	@Test
	void checkThatFailsWithAnErrorIsRepeated() {
		Need need = new Need();
		need.failure = new NoClassDefFoundError("missing");
		ElectionEntry entry = new ElectionEntry(need, Duration.ofHours(1), Duration.ofMillis(1));
		Thread thread = new Thread(entry::await);
		thread.start();
		await().until(() -> need.checks.get() > 0);
		need.needed = true;
		need.failure = null;
		await().until(() -> !thread.isAlive());
		assertThat(entry.isOpen()).isTrue();
	}

	@Test
	void processThatGetsADutyTakesPartAtOnceAndStaysAliveUntilItIsStopped() {
		Need need = new Need();
		Process one = start(new Process("one", need));
		await().until(() -> need.checks.get() == 1);
		assertThat(one.election.isIdle()).isTrue();
		assertThat(one.leadership.leader()).isEmpty();
		assertThat(keepAlive()).isEmpty();
		one.election.enter();
		await().until(one.leadership::isLeader);
		assertThat(keepAlive()).hasSize(1).noneMatch(Thread::isDaemon);
		one.election.stop();
		await().until(() -> keepAlive().isEmpty());
		one.election.start();
		assertThat(keepAlive()).hasSize(1);
		await().until(one.leadership::isLeader);
		one.election.stop();
		await().until(() -> keepAlive().isEmpty());
	}

	@Test
	void processWithADutyOfItsOwnStaysAliveUntilItIsStopped() {
		Process one = start("one");
		Thread thread = keepAlive().get(0);
		thread.interrupt();
		await().until(one.leadership::isLeader);
		assertThat(thread.isAlive()).isTrue();
		one.election.stop();
		await().until(() -> !thread.isAlive());
	}

	private List<Thread> keepAlive() {
		return keepAliveThreads().stream().filter((thread) -> !this.keptAliveByOthers.contains(thread)).toList();
	}

	private static Set<Thread> keepAliveThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals(KeepAlive.THREAD))
			.collect(Collectors.toSet());
	}

	@Test
	void interruptByOtherCodeEndsNoTerm() {
		Process one = start("one");
		await().until(one.leadership::isLeader);
		long term = one.leadership.term();
		Thread thread = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((candidate) -> candidate.getName().equals("locket-leader"))
			.findFirst()
			.orElseThrow();
		thread.interrupt();
		await().until(() -> !thread.isInterrupted() && thread.getState() == Thread.State.TIMED_WAITING);
		assertThat(one.leadership.term()).isEqualTo(term);
	}

	@Test
	void processCallsAgainWhenTheStoreDoesNotReply() {
		AtomicInteger failures = new AtomicInteger(2);
		Process one = new Process("one");
		LeaseService flaky = mock(LeaseService.class, AdditionalAnswers.delegatesTo(one.leases));
		willAnswer((invocation) -> {
			if (failures.getAndDecrement() > 0) {
				throw new LeaseUnavailableException("no reply", null);
			}
			return one.leases.attempt(invocation.getArgument(0));
		}).given(flaky).attempt(any());
		LeaderCandidate candidate = new LeaderCandidate(flaky, one.leadership, LeaseRequest.of(one.leadership.key()),
				REST, open(), one.publisher, Duration.ofMillis(1), System::nanoTime);
		Thread thread = new Thread(candidate);
		thread.start();
		await().until(one.leadership::isLeader);
		assertThat(failures).hasValue(-1);
		candidate.stop();
		await().until(() -> !thread.isAlive());
		assertThat(one.events()).last().isInstanceOf(LeadershipLost.class);
	}

	@Test
	void requestThatFailsWithAnErrorIsRepeated() {
		Process one = new Process("one");
		LeaseService flaky = mock(LeaseService.class, AdditionalAnswers.delegatesTo(one.leases));
		willThrow(new NoClassDefFoundError("missing")).willAnswer((call) -> one.leases.attempt(call.getArgument(0)))
			.given(flaky)
			.attempt(any());
		LeaderCandidate candidate = new LeaderCandidate(flaky, one.leadership, LeaseRequest.of(one.leadership.key()),
				REST, open(), one.publisher, Duration.ofMillis(1), System::nanoTime);
		Thread thread = new Thread(candidate);
		thread.start();
		await().until(one.leadership::isLeader);
		candidate.stop();
		await().until(() -> !thread.isAlive());
	}

	@Test
	void processWhoseLeasesAreClosedStandsNoMore() {
		Process one = new Process("one");
		one.leases.close();
		LeaderCandidate candidate = new LeaderCandidate(one.leases, one.leadership,
				LeaseRequest.of(one.leadership.key()), REST, open(), one.publisher, Duration.ofHours(1),
				System::nanoTime);
		candidate.run();
		assertThat(one.events()).isEmpty();
	}

	@Test
	void leaderDoesItsDutyAgainAndAgainAndAnewInEachTerm() {
		List<Long> terms = new CopyOnWriteArrayList<>();
		AtomicInteger done = new AtomicInteger();
		Process one = new Process("one", (lease) -> {
			terms.add(lease.fencingToken());
			return () -> {
				done.incrementAndGet();
				return Duration.ofMillis(1);
			};
		});
		start(one);
		await().until(() -> done.get() > 3);
		assertThat(terms).containsExactly(one.leadership.term());
		one.leases.forceRelease(one.leadership.key().digest());
		await().until(() -> terms.size() == 2);
		one.election.stop();
		int last = done.get();
		assertThat(one.leadership.isLeader()).isFalse();
		start("other");
		await().until(() -> !one.leadership.leader().isEmpty());
		assertThat(done).hasValue(last);
	}

	@Test
	void timeOfATaskThatDoesNotReturnGrows() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		Semaphore end = new Semaphore(0);
		Process one = new Process("one", (lease) -> () -> {
			begun.countDown();
			end.acquireUninterruptibly();
			return Duration.ofHours(1);
		});
		assertThat(one.election.taskTime()).isZero();
		start(one);
		begun.await();
		Duration first = one.election.taskTime();
		assertThat(first).isPositive();
		await().until(() -> one.election.taskTime().compareTo(first) > 0);
		end.release();
		await().until(() -> one.election.taskTime().isZero());
		assertThat(one.leadership.isLeader()).isTrue();
	}

	@Test
	void leaderWhoseDutyFailsGivesItsLeaseBackAndStandsAgain(CapturedOutput output) {
		AtomicInteger failures = new AtomicInteger(1);
		Process one = new Process("one", (lease) -> () -> {
			if (failures.getAndDecrement() > 0) {
				throw new OutOfMemoryError("no room for schedules");
			}
			return Duration.ofHours(1);
		});
		start(one);
		await().until(() -> one.events().size() == 3);
		assertThat(one.events()).hasOnlyElementsOfTypes(LeadershipGained.class, LeadershipLost.class);
		assertThat(one.leadership.isLeader()).isTrue();
		assertThat(output).contains("failed to perform the leader's task").contains("no room for schedules");
		assertThat(output).doesNotContain("Could not determine the leader");
	}

	@Test
	void listenerThatBlocksHoldsUpNoDutyAndNoHandOver() {
		Semaphore blocked = new Semaphore(0);
		AtomicInteger done = new AtomicInteger();
		Process one = new Process("one", (lease) -> () -> {
			done.incrementAndGet();
			return Duration.ofMillis(1);
		});
		one.listener = (event) -> blocked.acquireUninterruptibly();
		start(one);
		await().until(() -> done.get() > 3);
		Process two = start("two");
		one.election.stop();
		await().until(two.leadership::isLeader);
		assertThat(one.events()).isEmpty();
		blocked.release(100);
		await().until(() -> one.events().size() == 2);
		assertThat(one.events()).hasExactlyElementsOfTypes(LeadershipGained.class, LeadershipLost.class);
	}

	@Test
	void stopLetsTheFiringInFlightEndWithoutAnInterrupt() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		List<Boolean> interrupted = new CopyOnWriteArrayList<>();
		Process one = new Process("one", (lease) -> () -> {
			begun.countDown();
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			interrupted.add(Thread.currentThread().isInterrupted());
			return Duration.ofHours(1);
		});
		start(one);
		begun.await();
		Thread stop = new Thread(one.election::stop);
		stop.start();
		await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
		end.countDown();
		stop.join();
		assertThat(interrupted).containsExactly(false);
		assertThat(one.leadership.leader()).isEmpty();
		assertThat(one.events()).last()
			.isEqualTo(new LeadershipLost(((LeadershipEvent) one.events().get(0)).term(), true));
	}

	@Test
	void dutyThatTakesTooLongIsInterrupted() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch never = new CountDownLatch(1);
		AtomicInteger interrupts = new AtomicInteger();
		Process one = new Process("one", (lease) -> () -> {
			begun.countDown();
			try {
				never.await();
			}
			catch (InterruptedException ex) {
				interrupts.incrementAndGet();
			}
			return Duration.ofHours(1);
		}, Duration.ofMillis(20));
		start(one);
		begun.await();
		one.election.stop();
		await().until(() -> one.events().size() == 2);
		assertThat(interrupts).hasValue(1);
	}

	@Test
	void interruptOfTheTaskDoesNotPreventTheRelease() {
		AtomicReference<Boolean> interrupted = new AtomicReference<>();
		Lease lease = mock();
		given(lease.isHeld()).willReturn(true);
		willAnswer((call) -> {
			interrupted.set(Thread.currentThread().isInterrupted());
			return null;
		}).given(lease).close();
		LeaseService service = mock();
		given(service.attempt(any())).willReturn(new LeaseAttempt.Acquired(lease));
		Process one = new Process("one");
		AtomicReference<LeaderCandidate> candidate = new AtomicReference<>();
		candidate
			.set(new LeaderCandidate(service, one.leadership, LeaseRequest.of(one.leadership.key()), (held) -> () -> {
				candidate.get().stop();
				Thread.currentThread().interrupt();
				throw new IllegalStateException("interrupted");
			}, open(), one.publisher, Duration.ofHours(1), System::nanoTime));
		candidate.get().run();
		assertThat(interrupted).hasValue(false);
	}

	@Test
	void interruptOfTheStopIsKept() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		Semaphore duty = new Semaphore(0);
		Process one = start(new Process("one", (lease) -> () -> {
			begun.countDown();
			duty.acquireUninterruptibly();
			return Duration.ofHours(1);
		}));
		begun.await();
		Thread.currentThread().interrupt();
		one.election.stop();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(one.election.isRunning()).isFalse();
		duty.release(100);
		await().until(() -> one.leadership.leader().isEmpty());
	}

	@Test
	void leaseOfADutyThatHangsIsReleasedByTheStopAndTheStatusOfALaterTermStays(CapturedOutput output)
			throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		Semaphore hang = new Semaphore(0);
		AtomicReference<Thread> stuck = new AtomicReference<>();
		Process one = new Process("one", (lease) -> () -> {
			if (stuck.compareAndSet(null, Thread.currentThread())) {
				begun.countDown();
				hang.acquireUninterruptibly();
			}
			return Duration.ofHours(1);
		}, Duration.ofMillis(20));
		start(one);
		begun.await();
		one.election.stop();
		assertThat(one.leadership.isLeader()).isFalse();
		assertThat(one.leadership.leader()).isEmpty();
		assertThat(output).contains("The thread locket-leader hangs").contains("acquireUninterruptibly");
		one.election.start();
		await().until(one.leadership::isLeader);
		hang.release();
		stuck.get().join();
		assertThat(one.leadership.isLeader()).isTrue();
		await().until(() -> one.events().size() == 3);
		assertThat(one.events()).hasExactlyElementsOfTypes(LeadershipGained.class, LeadershipLost.class,
				LeadershipGained.class);
	}

	@Test
	void endOfAnOldTermDoesNotEndALaterOne() {
		Process one = new Process("one");
		Lease first = lease(1);
		Lease second = lease(2);
		one.leadership.begin(first);
		one.leadership.begin(second);
		one.leadership.end(first);
		assertThat(one.leadership.term()).isEqualTo(2);
		one.leadership.end(second);
		assertThat(one.leadership.term()).isZero();
	}

	private static Lease lease(long token) {
		return new TestLease(new LeaseProof("digest", token));
	}

	private static ElectionEntry open() {
		return new ElectionEntry(REST, Duration.ofHours(1), Duration.ofHours(1));
	}

	private Process start(String instance) {
		return start(new Process(instance));
	}

	private Process start(Process process) {
		this.processes.add(process);
		process.election.start();
		return process;
	}

	private InMemoryLeaseService leases(String instance, JobEventPublisher events) {
		return new InMemoryLeaseService(this.space,
				new LeaseSettings(Duration.ofSeconds(35), Duration.ofSeconds(2), instance, false, 0), new JobKeys(),
				events, System::nanoTime);
	}

	/**
	 * Task that is not the process's own.
	 */
	private static final class Need implements LeaderTask {

		private final AtomicInteger checks = new AtomicInteger();

		private volatile boolean needed;

		private volatile Throwable failure;

		@Override
		public Term begin(Lease lease) {
			return () -> Duration.ofHours(1);
		}

		@Override
		public boolean isOwn() {
			return false;
		}

		@Override
		public boolean isNeeded() {
			this.checks.incrementAndGet();
			if (this.failure != null) {
				ReflectionUtils.rethrowRuntimeException(this.failure);
			}
			return this.needed;
		}

	}

	private final class Process {

		private final List<JobEvent> all = new CopyOnWriteArrayList<>();

		private final JobEventPublisher publisher = new JobEventPublisher(List.of(this::tell));

		private volatile JobEventListener listener = (event) -> {
		};

		private final InMemoryLeaseService leases;

		private final Leadership leadership;

		private final LeaderElection election;

		Process(String instance) {
			this(instance, REST);
		}

		Process(String instance, LeaderTask task) {
			this(instance, task, Duration.ofSeconds(10));
		}

		Process(String instance, LeaderTask task, Duration patience) {
			this.leases = leases(instance, this.publisher);
			this.leadership = new Leadership(this.leases, "namespace", "group");
			this.election = new LeaderElection(this.leases, this.leadership, Duration.ofMinutes(3), task,
					new LeaderEvents(this.publisher), patience);
		}

		private void tell(JobEvent event) {
			if (event instanceof LeadershipEvent) {
				this.listener.onEvent(event);
				this.all.add(event);
			}
		}

		List<JobEvent> events() {
			return this.all;
		}

	}

}
