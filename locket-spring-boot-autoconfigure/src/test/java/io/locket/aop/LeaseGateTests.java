package io.locket.aop;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.event.JobEventPublisher;
import io.locket.job.ReturnKind;
import io.locket.job.StrategySettings;
import io.locket.job.UniqueJobDefinition;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaseGate}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaseGateTests {

	private final TestLeaseService leases = new TestLeaseService();

	private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 1);

	@Test
	void unguardedRunsAreSaidOnceAMinuteForEachJob(CapturedOutput output) throws Exception {
		LeaseGate gate = new LeaseGate(() -> this.leases, OnUnavailable.RUN, new RunningCalls(),
				(job, key, args, options) -> {
				}, new JobEventPublisher(List.of()), this.nanoTime::get);
		this.leases.setUnavailable(true);
		for (int i = 0; i < 4; i++) {
			assertThat(gate.ask(call("first"))).isInstanceOf(Admission.Unguarded.class);
			assertThat(gate.ask(call("second"))).isInstanceOf(Admission.Unguarded.class);
			this.nanoTime.addAndGet(Duration.ofSeconds(31).toNanos());
		}
		assertThat(output.getOut().split("Job first\\S* runs unguarded", -1)).hasSize(3);
		assertThat(output.getOut().split("Job second\\S* runs unguarded", -1)).hasSize(3);
	}

	private static GuardedCall call(String name) throws Exception {
		UniqueJobDefinition job = new UniqueJobDefinition(name, Set.of(), "bean", Runnable.class.getMethod("run"),
				(call) -> "key", false, "default", LockStrategy.WHILE_EXECUTING, DuplicateStrategy.REJECT,
				ConflictStrategy.REJECT, ConflictStrategy.PARK, Duration.ofSeconds(35), null, Duration.ZERO,
				Duration.ofSeconds(5), Duration.ZERO, null, 5, null, Set.of(), null, StrategySettings.NONE);
		return new GuardedCall(job, new JobKey(name, name, "()"), ReturnKind.VOID, mock(MethodInvocation.class));
	}

}
