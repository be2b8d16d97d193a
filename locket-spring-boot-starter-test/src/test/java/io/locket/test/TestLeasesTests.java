package io.locket.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.locket.JobContext;
import io.locket.LeaseLossCause;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.lease.heartbeat.LossInterrupt;
import io.locket.test.service.Billing;
import io.locket.worker.InlineWorker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TestLeases}: the loss of leases.
 */
@LocketTest
class TestLeasesTests {

	@Autowired
	private Jobs jobs;

	@Autowired
	private LocketTester locket;

	@Autowired
	private LeaseService leases;

	@Autowired
	private Billing billing;

	@BeforeEach
	void reset() {
		this.billing.reset();
	}

	@Test
	void queuedBodyThatLosesItsLeaseIsNotifiedAndRunsAgain() {
		int[] runs = new int[1];
		this.billing.body(() -> {
			if (runs[0]++ == 0) {
				this.locket.loseLease();
				assertThat(JobContext.required().lossCause()).isEqualTo(LeaseLossCause.GONE);
				assertThat(Thread.interrupted()).isTrue();
			}
		});
		this.jobs.enqueue("billing.bill", 1, "2026-05", "");
		DrainedJobs drained = this.locket.drain();
		assertThat(drained).hasRun("billing.bill", "billing.bill");
		assertThat(drained.runs().get(0).counted()).isFalse();
		assertThat(drained.runs().get(1).counted()).isTrue();
	}

	@Test
	void lossIsAwaitedUntilTheCallbacksOfTheBodyHaveRun() {
		assertLossAwaits((action) -> JobContext.required().onLeaseLost(action));
	}

	@Test
	void lossIsAwaitedUntilTheInterruptOfTheBodyHasRun(@Autowired InlineWorker worker) {
		assertLossAwaits((action) -> worker.running().forEach((lease) -> lease.onLost((LossInterrupt) action::run)));
	}

	/**
	 * Loses the lease of a body. The action of the loss ends when this thread waits, or
	 * when the loss has returned without waiting.
	 */
	private void assertLossAwaits(Consumer<Runnable> registration) {
		Thread body = Thread.currentThread();
		AtomicBoolean returned = new AtomicBoolean();
		CompletableFuture<Boolean> awaited = new CompletableFuture<>();
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			registration.accept(() -> awaited.complete(waits(body, returned)));
			this.locket.loseLease();
			returned.set(true);
			assertThat(Thread.interrupted()).isTrue();
		});
		this.jobs.enqueue("billing.send", "a");
		assertThat(this.locket.drain()).hasRun("billing.send", "billing.send");
		assertThat(awaited.join()).isTrue();
	}

	private static boolean waits(Thread thread, AtomicBoolean returned) {
		int seen = 0;
		while (seen < 10_000 && !returned.get()) {
			seen += (thread.getState() == Thread.State.TIMED_WAITING) ? 1 : 0;
			Thread.onSpinWait();
		}
		return !returned.get();
	}

	@Test
	void bodyOfAnUnlockedJobCanLoseItsRunLease() {
		int[] runs = new int[1];
		this.billing.body(() -> {
			if (runs[0]++ == 0) {
				this.locket.loseLease("billing.send", "a");
				throw new InterruptedException();
			}
		});
		this.jobs.enqueue("billing.send", "a");
		assertThat(this.locket.drain()).hasRun("billing.send", "billing.send");
	}

	@Test
	void directCallLosesItsLeaseFromAnotherThread() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch told = new CountDownLatch(1);
		this.billing.body(() -> {
			JobContext.required().onLeaseLost(told::countDown);
			started.countDown();
			told.await();
			assertThat(JobContext.required().isLeaseLost()).isTrue();
			this.billing.done().add("lost");
		});
		Thread caller = new Thread(() -> {
			try {
				this.billing.export("2026-05");
			}
			catch (Exception ex) {
				this.billing.done().add(ex.toString());
			}
		});
		caller.start();
		started.await();
		assertThatIllegalStateException().isThrownBy(() -> this.locket.loseLease("billing.export", "2026-06"))
			.withMessageContaining("2026-05");
		this.locket.loseLease("billing.export", "2026-05");
		caller.join(10_000);
		assertThat(this.billing.done()).containsExactly("export 2026-05", "lost");
	}

	@Test
	void leaseIsLostByBodiesOnly() {
		assertThatIllegalStateException().isThrownBy(() -> this.locket.loseLease())
			.withMessageContaining("No guarded job runs");
	}

	@Test
	void innermostOfSeveralBodiesWithoutAKeyLosesItsLease() {
		List<JobContext> contexts = new ArrayList<>();
		List<JobContext> lost = new ArrayList<>();
		this.billing.body(() -> {
			contexts.add(JobContext.required());
			if (contexts.size() < 10) {
				this.jobs.enqueue("billing.send", "inner");
				this.locket.drain();
			}
			else if (contexts.size() == 10) {
				this.locket.loseLease();
				assertThat(Thread.interrupted()).isTrue();
				contexts.stream().filter(JobContext::isLeaseLost).forEach(lost::add);
			}
		});
		this.jobs.enqueue("billing.send", "outer");
		this.locket.drain();
		assertThat(lost).containsExactly(contexts.get(9));
		assertThat(contexts).hasSize(11);
	}

	@Test
	void leaseOfAnotherProcessIsNotLostWithThoseOfBodies() throws Exception {
		Lease other = this.locket.occupy("billing.export", "2026-05");
		this.billing.body(() -> {
			this.locket.loseLease("billing.export");
			assertThat(JobContext.required().isLeaseLost()).isTrue();
		});
		this.billing.export("2026-06");
		assertThat(this.billing.done()).containsExactly("export 2026-06");
		assertThat(this.leases.held(10)).extracting(HeldLease::digest).containsExactly(other.key().digest());
		other.close();
	}

	@Test
	void leaseIsLostOnce() {
		List<RuntimeException> failures = new ArrayList<>();
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			this.locket.loseLease();
			try {
				this.locket.loseLease();
			}
			catch (IllegalStateException ex) {
				failures.add(ex);
			}
		});
		this.jobs.enqueue("billing.send", "a");
		this.locket.drain();
		assertThat(failures).singleElement()
			.satisfies((failure) -> assertThat(failure)
				.hasMessageContaining("holds no lease that it can lose. It has lost it before"));
	}

	@Test
	void minimumHoldOfABodyThatHasEndedIsNoLease() throws Exception {
		this.billing.export("2026-05");
		assertThatIllegalStateException().isThrownBy(() -> this.locket.loseLease("billing.export", "2026-05"))
			.withMessageContaining("No such body");
		assertThat(this.leases.held(10)).hasSize(1);
	}

	@Test
	void claimOfADirectCallIsNotLost() throws Exception {
		this.billing.body(() -> assertThatIllegalStateException().isThrownBy(this.locket::loseLease)
			.withMessageContaining("holds no lease that it can lose"));
		this.billing.digest("2026-05");
		assertThat(this.billing.done()).hasSize(1);
		this.billing.digest("2026-05");
		assertThat(this.billing.done()).hasSize(1);
	}

	@Test
	void leaseOfANamedJobIsLostOnce() {
		List<RuntimeException> failures = new ArrayList<>();
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			this.locket.loseLease("billing.send", "a");
			try {
				this.locket.loseLease("billing.send", "a");
			}
			catch (IllegalStateException ex) {
				failures.add(ex);
			}
		});
		this.jobs.enqueue("billing.send", "a");
		assertThat(this.locket.drain()).hasRun("billing.send", "billing.send");
		assertThat(failures).singleElement()
			.satisfies((failure) -> assertThat(failure)
				.hasMessageContaining("No such body of job 'billing.send' runs and holds a lease"));
	}

	@Test
	void onlyTheQueuedBodyWithTheGivenArgumentsLosesItsLease() {
		assertThat(leasesLostByInnerBody(JobRequest.of("billing.send", "b"), "mails",
				() -> this.locket.loseLease("billing.send", "a")))
			.containsExactly(false, true);
	}

	@Test
	void onlyTheQueuedBodyOfTheGivenJobLosesItsLease() {
		assertThat(leasesLostByInnerBody(JobRequest.of("billing.export", "a"), "default",
				() -> this.locket.loseLease("billing.send")))
			.containsExactly(false, true);
	}

	/**
	 * Runs a job inside the body of another one, whose lease is lost meanwhile.
	 * @return whether the lease of the inner and of the outer body is lost
	 */
	private List<Boolean> leasesLostByInnerBody(JobRequest inner, String queue, Runnable loss) {
		List<Boolean> lost = new ArrayList<>();
		this.billing.body(() -> {
			JobContext outer = JobContext.required();
			this.billing.body(() -> {
				this.billing.body(() -> {
				});
				loss.run();
				lost.add(JobContext.required().isLeaseLost());
			});
			this.jobs.enqueue(inner);
			this.locket.drain(queue);
			lost.add(outer.isLeaseLost());
			assertThat(Thread.interrupted()).isTrue();
		});
		this.jobs.enqueue("billing.send", "a");
		this.locket.drain();
		return lost;
	}

	@Test
	void onlyTheDirectCallOfTheGivenJobLosesItsLease() throws Exception {
		List<Boolean> lost = new ArrayList<>();
		this.billing.body(() -> {
			JobContext outer = JobContext.required();
			this.billing.body(() -> {
				this.locket.loseLease("billing.export");
				lost.add(JobContext.required().isLeaseLost());
			});
			this.billing.export("2026-05");
			lost.add(outer.isLeaseLost());
		});
		this.billing.all(0);
		assertThat(lost).containsExactly(true, false);
	}

	@Test
	void leaseThatAnotherProcessTookAfterTheLossIsNotRevoked() throws Exception {
		List<Lease> others = new ArrayList<>();
		this.billing.body(() -> {
			this.locket.loseLease();
			others.add(this.locket.occupy("billing.export", "2026-05"));
			assertThatIllegalStateException().isThrownBy(this.locket::loseLease);
		});
		this.billing.export("2026-05");
		assertThat(others).singleElement().matches(Lease::isHeld);
	}

}
