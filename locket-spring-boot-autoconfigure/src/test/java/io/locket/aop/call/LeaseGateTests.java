package io.locket.aop.call;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.aop.TestLeaseService;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.definition.JobRetry;
import io.locket.job.definition.JobStrategies;
import io.locket.job.definition.JobTimes;
import io.locket.job.definition.ReturnKind;
import io.locket.job.definition.StrategySettings;
import io.locket.job.definition.UniqueJobDefinition;
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
	void unguardedRunsAreLoggedOnceAMinuteForEachJob(CapturedOutput output) throws Exception {
		LeaseGate gate = new LeaseGate(() -> this.leases, OnUnavailable.RUN, new RunningCalls(),
				(job, key, args, options) -> {
				}, new JobEventPublisher(List.of()), this.nanoTime::get);
		this.leases.setUnavailable(true);
		for (int i = 0; i < 4; i++) {
			assertThat(gate.admit(call("first"))).isInstanceOf(Admission.Unguarded.class);
			assertThat(gate.admit(call("second"))).isInstanceOf(Admission.Unguarded.class);
			this.nanoTime.addAndGet(Duration.ofSeconds(31).toNanos());
		}
		assertThat(output.getOut().split("Job first\\S* runs unguarded", -1)).hasSize(3);
		assertThat(output.getOut().split("Job second\\S* runs unguarded", -1)).hasSize(3);
	}

	private static GuardedCall call(String name) throws Exception {
		UniqueJobDefinition job = new UniqueJobDefinition(name, Set.of(), "bean", Runnable.class.getMethod("run"),
				Runnable.class, (call) -> "key", false, "default",
				new JobStrategies(chosen(LockStrategy.WHILE_EXECUTING), chosen(DuplicateStrategy.REJECT),
						chosen(ConflictStrategy.REJECT), null),
				new JobTimes(Duration.ofSeconds(35), Duration.ZERO, Duration.ofSeconds(5), Duration.ZERO, null),
				new JobRetry(5, null, Set.of(), null), StrategySettings.NONE);
		return new GuardedCall(job, new JobKey(name, name, "()"), ReturnKind.VOID, mock(MethodInvocation.class));
	}

	private static <T> JobStrategies.Chosen<T> chosen(T strategy) {
		return new JobStrategies.Chosen<>(strategy, false, null);
	}

}
