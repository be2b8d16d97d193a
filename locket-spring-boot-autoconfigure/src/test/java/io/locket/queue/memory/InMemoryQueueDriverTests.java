package io.locket.queue.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.TestJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunToken;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InMemoryQueueDriver}.
 */
class InMemoryQueueDriverTests {

	private final ManualClock clock = new ManualClock();

	private final LockSpace space = new LockSpace(this.clock);

	private final InMemoryJobQueue queue = new InMemoryJobQueue(this.space, 3, new JobEventPublisher(List.of()));

	private final InMemoryQueueDriver driver = new InMemoryQueueDriver(this.queue);

	private int requests;

	@AfterEach
	void verify() {
		assertThat(this.queue.verify()).isEmpty();
	}

	@Test
	void runsLiveOnWhileTimePasses() {
		this.queue.enqueue(locked("a").build());
		ReservedJob run = take();
		pass(Duration.ofDays(1));
		assertThat(reserve()).isEmpty();
		assertThat(this.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isTrue();
	}

	@Test
	void runThatWasDeadBeforeStaysDead() {
		this.queue.enqueue(locked("a").build());
		take();
		this.clock.advance(TestJob.LEASE);
		pass(Duration.ofSeconds(1));
		assertThat(take().record().reclaims()).isOne();
	}

	@Test
	void workersAreWokenWhenTimeHasPassed() {
		List<String> woken = new ArrayList<>();
		this.queue.enqueue(TestJob.of("a").after(Duration.ofMinutes(1)).build());
		this.queue.listen(woken::add);
		pass(Duration.ofMinutes(1));
		assertThat(woken).contains("q");
	}

	@Test
	void expiredRunGoesBackToItsPlace() {
		this.queue.enqueue(locked("a").build());
		ReservedJob run = take();
		assertThat(this.driver.expire("a")).isTrue();
		assertThat(this.driver.expire("a")).isFalse();
		assertThat(this.queue.renew(List.of(new RunToken("a", run.token()))).get(0).running()).isFalse();
		assertThat(this.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isFalse();
		assertThat(take().record().id()).isEqualTo("a");
	}

	@Test
	void selectedJobsAreReserved() {
		this.queue.enqueue(TestJob.of("a").build());
		this.queue.enqueue(TestJob.of("b").build());
		this.queue.enqueue(TestJob.of("c").build());
		assertThat(this.driver.reserve(request(), Set.of("b", "d")::contains).jobs())
			.extracting((run) -> run.record().id())
			.containsExactly("b");
		assertThat(this.driver.reserve(request(), Set.of("b", "d")::contains).jobs()).isEmpty();
		assertThat(take().record().id()).isEqualTo("a");
	}

	@Test
	void forgottenJobLeavesNothing() {
		TestJob job = locked("a").holdAtLeast(Duration.ofHours(1));
		this.queue.enqueue(job.build());
		ReservedJob run = take();
		assertThat(this.driver.forget("a")).isFalse();
		this.queue.settle(List.of(RunEnd.succeeded(run)), null);
		assertThat(this.driver.forget("a")).isTrue();
		assertThat(this.queue.enqueue(job.build())).isEqualTo(new EnqueueResult.Accepted("a"));
		assertThat(take().record().id()).isEqualTo("a");
		TestJob period = TestJob.of("b").with(LockStrategy.UNTIL_EXPIRED, "b");
		this.queue.enqueue(period.build());
		this.queue.cancel("b");
		this.driver.forget("b");
		assertThat(this.queue.enqueue(period.build())).isEqualTo(new EnqueueResult.Accepted("b"));
	}

	@Test
	void clearedQueueKnowsNothing() {
		this.queue.enqueue(locked("a").build());
		take();
		this.queue.enqueue(TestJob.of("b").in("other").build());
		this.queue.pause("q");
		assertThat(this.driver.jobs()).extracting(JobRecord::state).containsExactly(JobState.RUNNING, JobState.READY);
		this.driver.clear();
		assertThat(this.driver.jobs()).isEmpty();
		assertThat(this.queue.queues()).isEmpty();
		this.queue.enqueue(locked("c").build());
		assertThat(take().record().id()).isEqualTo("c");
	}

	private static TestJob locked(String id) {
		return TestJob.of(id).with(LockStrategy.UNTIL_EXECUTED, "k");
	}

	private void pass(Duration time) {
		this.driver.letPass(time, () -> this.clock.advance(time));
	}

	private ReservedJob take() {
		return reserve().get(0);
	}

	private List<ReservedJob> reserve() {
		return this.queue.reserve(request()).jobs();
	}

	private ReservationRequest request() {
		return new ReservationRequest("r" + ++this.requests, "poller", "worker", "thread",
				List.of(new ReservationRequest.QueueLimit("q", 0)), 1);
	}

}
