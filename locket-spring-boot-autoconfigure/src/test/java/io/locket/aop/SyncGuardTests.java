package io.locket.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.JobContext;
import io.locket.JobKeyException;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import io.locket.LeaseUnavailableException;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for direct calls of synchronous jobs.
 */
@SuppressWarnings("try")
@ExtendWith(OutputCaptureExtension.class)
class SyncGuardTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner().withBean("jobs", Jobs.class);

	@Test
	void voidMethodRunsInsideItsLease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.print(42);
			assertThat(jobs.ran()).containsExactly("print 42 fence 1 key jobs.print[42]");
			assertThat(JobContext.current()).isEmpty();
			assertThat(GuardedContext.leases(context).held(10)).isEmpty();
		});
	}

	@Test
	void voidMethodReturnsWhenKeyIsTaken() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			try (Lease other = GuardedContext.take(context, "jobs.print", 42)) {
				jobs.print(42);
				assertThat(jobs.ran()).isEmpty();
				jobs.print(43);
				assertThat(jobs.ran()).hasSize(1);
			}
			jobs.print(42);
			assertThat(jobs.ran()).hasSize(2);
		});
	}

	@Test
	void optionalIsEmptyWhenKeyIsTaken() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.find(1)).contains("found");
			try (Lease other = GuardedContext.take(context, "jobs.find", 1)) {
				assertThat(jobs.find(1)).isEmpty();
			}
		});
	}

	@Test
	void raiseNamesKeyHolderAndRemainingTime() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.count(1)).isEqualTo(1);
			try (Lease other = GuardedContext.take(context, "jobs.count", 1)) {
				assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> jobs.count(1))
					.withMessageContaining("jobs.count[1]")
					.satisfies((ex) -> {
						assertThat(ex.getKey()).isEqualTo(context.getBean(UniqueJobs.class).keyOf("jobs.count", 1));
						assertThat(ex.getHolder()).isNotNull();
						assertThat(ex.getRemaining()).isEqualTo(Duration.ofSeconds(7));
					});
			}
		});
	}

	@Test
	void waitingCallRunsOnceItsKeyIsFree() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Lease other = GuardedContext.take(context, "jobs.patient");
			Thread releaser = new Thread(other::close);
			releaser.start();
			assertThat(jobs.patient()).isEqualTo("done");
			releaser.join();
		});
	}

	@Test
	void waitFailsWhenTimeIsUp() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			try (Lease other = GuardedContext.take(context, "jobs.impatient")) {
				assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(jobs::impatient);
			}
		});
	}

	@Test
	void bodyFailureIsThrownAndLeaseReleased() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalStateException().isThrownBy(() -> jobs.within(() -> {
				throw new IllegalStateException("body");
			})).withMessage("body");
			assertThat(GuardedContext.leases(context).held(10)).isEmpty();
			assertThat(JobContext.current()).isEmpty();
		});
	}

	@Test
	void duplicateOfTheBodyIsTheBodysFailure() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			try (Lease other = GuardedContext.take(context, "jobs.count", 1)) {
				assertThatExceptionOfType(DuplicateJobException.class)
					.isThrownBy(() -> jobs.within(() -> jobs.self().count(1)))
					.satisfies((ex) -> assertThat(ex.getKey().job()).isEqualTo("jobs.count"));
			}
		});
	}

	@Test
	void failingReleaseDoesNotHideOutcome(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			GuardedContext.leases(context).setReleaseFails(true);
			assertThat(jobs.within(() -> "fine")).isEqualTo("fine");
			assertThatIllegalStateException().isThrownBy(() -> jobs.within(() -> {
				throw new IllegalStateException("body");
			})).withMessage("body");
			assertThat(output).contains("could not be released");
		});
	}

	@Test
	void keyErrorIsThrownAndNothingRuns() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> jobs.keyed(null));
			assertThat(jobs.ran()).isEmpty();
			assertThat(GuardedContext.leases(context).requests()).isEmpty();
		});
	}

	@Test
	void requestHasTheValuesOfTheAnnotation() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).patient();
			LeaseRequest request = GuardedContext.leases(context).requests().get(0);
			assertThat(request.waitTime()).isEqualTo(Duration.ofSeconds(10));
			assertThat(request.holdAtLeast()).isEqualTo(Duration.ofSeconds(2));
			assertThat(request.duration()).isEqualTo(Duration.ofMinutes(1));
		});
	}

	@Test
	void maskedJobKeepsArgumentsOutOfKey() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).secret("4711");
			assertThat(GuardedContext.leases(context).requests().get(0).key().toString()).doesNotContain("4711");
		});
	}

	@Test
	void nestedCallOfSameKeyRunsInsideLease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			long outer = jobs.within(() -> {
				JobContext mine = JobContext.required();
				long nested = jobs.self().within(() -> JobContext.required().fencingToken());
				assertThat(JobContext.required()).isSameAs(mine);
				assertThat(GuardedContext.leases(context).held(10)).hasSize(1);
				return nested;
			});
			assertThat(outer).isEqualTo(1);
			assertThat(GuardedContext.leases(context).requests()).hasSize(1);
			assertThat(GuardedContext.leases(context).releasingThreads()).hasSize(1);
		});
	}

	@Test
	void nestedCallOfOtherKeyTakesItsOwnLease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.within(() -> {
				jobs.self().print(1);
				assertThat(JobContext.required().fencingToken()).isEqualTo(1);
				return "";
			});
			assertThat(jobs.ran()).containsExactly("print 1 fence 2 key jobs.print[1]");
		});
	}

	@Test
	void lostLeaseIsNotInherited() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			TestLeaseService leases = GuardedContext.leases(context);
			jobs.within(() -> {
				JobContext outer = JobContext.required();
				leases.lose(LeaseLossCause.GONE);
				assertThat(outer.isLeaseLost()).isTrue();
				assertThatExceptionOfType(LeaseLostException.class).isThrownBy(outer::ensureLease);
				assertThat(jobs.self().<Long>within(() -> JobContext.required().fencingToken())).isEqualTo(2);
				try (Lease other = GuardedContext.take(context, "within", (Supplier<String>) () -> "")) {
					assertThatExceptionOfType(DuplicateJobException.class)
						.isThrownBy(() -> jobs.self().within(() -> "refused"));
				}
				return "";
			});
			assertThat(leases.held(10)).isEmpty();
		});
	}

	@Test
	void contextOfABodyThatHasEndedDoesNotPassTheCheck() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			JobContext ended = jobs.within(() -> {
				JobContext outer = JobContext.required();
				JobContext nested = jobs.self().within(JobContext::required);
				nested.ensureLease();
				return outer;
			});
			assertThatIllegalStateException().isThrownBy(ended::ensureLease).withMessageContaining("was released");
			assertThat(ended.isLeaseLost()).isFalse();
		});
	}

	@Test
	void contextReportsLoss() {
		this.contextRunner.run((context) -> {
			AtomicInteger told = new AtomicInteger();
			context.getBean(Jobs.class).within(() -> {
				JobContext mine = JobContext.required();
				mine.onLeaseLost(told::incrementAndGet);
				GuardedContext.leases(context).lose(LeaseLossCause.TAKEN);
				assertThat(mine.lossCause()).isEqualTo(LeaseLossCause.TAKEN);
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
				return "";
			});
			assertThat(told).hasValue(1);
		});
	}

	@Test
	void untilExpiredRunsOncePerPeriod() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			UniqueJobs uniqueJobs = context.getBean(UniqueJobs.class);
			assertThat(uniqueJobs.isAvailable("jobs.daily", 1)).isTrue();
			jobs.daily(1);
			jobs.daily(1);
			jobs.daily(2);
			assertThat(jobs.ran()).containsExactly("daily 1", "daily 2");
			assertThat(uniqueJobs.isAvailable("jobs.daily", 1)).isFalse();
			assertThat(GuardedContext.leases(context).held(10)).isEmpty();
		});
	}

	@Test
	void contextIsRequiredOfTheJobThatRuns() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalStateException().isThrownBy(JobContext::required).withMessageContaining("No guarded job");
			assertThatIllegalStateException().isThrownBy(() -> JobContext.required("within"))
				.withMessageContaining("No guarded job")
				.withMessageContaining("'within'");
			jobs.within(() -> {
				assertThat(JobContext.required("within")).isSameAs(JobContext.required());
				assertThatIllegalStateException().isThrownBy(() -> JobContext.required("jobs.unguarded"))
					.withMessageContaining("'within' runs")
					.withMessageContaining("job 'jobs.unguarded' is required");
				return "";
			});
		});
	}

	@Test
	void unguardedStrategySeesNoContextOfItsCaller() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.within(() -> {
				jobs.self().contextless();
				assertThat(JobContext.current()).isPresent();
				return "";
			});
			assertThat(jobs.ran()).containsExactly("contextless Optional.empty");
		});
	}

	@Test
	void resultThatIsStillToComeIsRefusedWhereItsTypeDoesNotTell() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			for (Object result : List.of(new CompletableFuture<>(), Stream.of(1), Mono.just(1), Flux.just(1),
					new FutureTask<>(() -> 1))) {
				assertThatIllegalStateException().isThrownBy(() -> jobs.anything(result))
					.withMessageContaining("declares java.lang.Object")
					.withMessageContaining("Declare CompletableFuture, Mono or Flux");
				assertThat(GuardedContext.leases(context).held(1)).isEmpty();
			}
			assertThat(jobs.anything("done")).isEqualTo("done");
			assertThat(jobs.anything(Optional.of(1))).isEqualTo(Optional.of(1));
		});
	}

	@Test
	void unguardedStrategiesJustRun() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.queued();
			jobs.ordinary();
			assertThat(jobs.ran()).containsExactly("queued", "ordinary");
			assertThat(GuardedContext.leases(context).requests()).isEmpty();
		});
	}

	@Test
	void unavailableStoreFailsTheCall() {
		this.contextRunner.run((context) -> {
			GuardedContext.leases(context).setUnavailable(true);
			Jobs jobs = context.getBean(Jobs.class);
			assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> jobs.print(1));
			assertThat(jobs.ran()).isEmpty();
		});
	}

	@Test
	void unavailableStoreSkipsTheCallIfItCanBeSkipped() {
		this.contextRunner.withPropertyValues("locket.lease.on-unavailable=skip").run((context) -> {
			GuardedContext.leases(context).setUnavailable(true);
			Jobs jobs = context.getBean(Jobs.class);
			jobs.print(1);
			assertThat(jobs.find(1)).isEmpty();
			assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> jobs.count(1));
			assertThat(jobs.ran()).isEmpty();
		});
	}

	@Test
	void unavailableStoreLetsTheCallRunWithoutContext(CapturedOutput output) {
		this.contextRunner.withPropertyValues("locket.lease.on-unavailable=run").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.within(() -> {
				GuardedContext.leases(context).setUnavailable(true);
				jobs.self().unguarded();
				jobs.self().unguarded();
				assertThat(JobContext.current()).isPresent();
				return "";
			});
			assertThat(jobs.ran()).containsExactly("unguarded Optional.empty", "unguarded Optional.empty");
			assertThat(output.getOut().split("Job jobs.unguarded.* runs unguarded", -1)).hasSize(2);
		});
	}

	static class Jobs {

		@Autowired
		@Lazy
		private Jobs self;

		private final List<String> ran = new ArrayList<>();

		List<String> ran() {
			return this.ran;
		}

		Jobs self() {
			return this.self;
		}

		@UniqueJob
		public void print(int id) {
			JobContext context = JobContext.required();
			this.ran.add("print " + id + " fence " + context.fencingToken() + " key " + context.key());
		}

		@UniqueJob
		public Optional<String> find(int id) {
			return Optional.of("found");
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public int count(int id) {
			return 1;
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "10s", leaseFor = "1m", holdAtLeast = "2s")
		public String patient() {
			return "done";
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "1ms")
		public String impatient() {
			return "done";
		}

		@UniqueJob(name = "within", key = "'one'", onConflict = ConflictStrategy.RAISE)
		public <T> T within(Supplier<T> body) {
			return body.get();
		}

		@UniqueJob(key = "#id")
		public void keyed(String id) {
			this.ran.add("keyed");
		}

		@UniqueJob(maskArguments = "true")
		public void secret(String pin) {
			this.ran.add("secret");
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1d")
		public void daily(int id) {
			JobContext.required();
			this.ran.add("daily " + id);
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING)
		public void queued() {
			this.ran.add("queued");
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public void contextless() {
			this.ran.add("contextless " + JobContext.current());
		}

		@UniqueJob(key = "'one'", onConflict = ConflictStrategy.RAISE)
		public Object anything(Object result) {
			return result;
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public void ordinary() {
			this.ran.add("ordinary");
		}

		@UniqueJob
		public void unguarded() {
			this.ran.add("unguarded " + JobContext.current());
		}

	}

}
