package io.locket.autoconfigure.job;

import java.util.List;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.autoconfigure.lease.LockRegistryLeaseAutoConfiguration;
import io.locket.autoconfigure.properties.LeaseStore;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.lease.LeaseService;
import io.locket.queue.spi.JobQueue;
import io.locket.schedule.leader.LeaderElection;
import io.locket.worker.InlineWorker;
import io.locket.worker.WorkerLifecycle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link AheadOfTimeCheck}.
 */
class AheadOfTimeCheckTests {

	private final LocketProperties properties = new LocketProperties();

	private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

	@BeforeEach
	void addQueue() {
		this.beans.addBean("locketJobQueue", mock(JobQueue.class));
	}

	@Test
	void beansThatWereDecidedOtherwiseStopTheStart() {
		addWorkerAndElection();
		this.properties.setEnabled(false);
		this.properties.getWorker().setEnabled(false);
		this.properties.getLeader().setEnabled(false);
		assertThat(problems()).extracting(Problem::toString)
			.hasSize(3)
			.allSatisfy((problem) -> assertThat(problem).contains(
					"=false has no effect, because the application was" + " processed ahead of time with ",
					"Process the application with this value"));
	}

	@Test
	void beansThatAreMissingStopTheStart() {
		this.properties.getWorker().setQueues(List.of("urgent"));
		this.properties.getLeader().setEnabled(true);
		assertThat(problems()).extracting(Problem::toString)
			.satisfiesExactly((worker) -> assertThat(worker).startsWith("locket.worker.queues=[urgent] has no effect"),
					(leader) -> assertThat(leader).startsWith("locket.leader.enabled=true has no effect"));
	}

	@Test
	void beansThatFitAreAccepted() {
		new AheadOfTimeCheck(this.properties, this.beans, true).afterSingletonsInstantiated();
		addWorkerAndElection();
		this.properties.getWorker().setQueues(List.of("urgent"));
		this.properties.getLeader().setEnabled(true);
		new AheadOfTimeCheck(this.properties, this.beans, true).afterSingletonsInstantiated();
	}

	@Test
	void testThatRunsJobsItselfNeedsNoWorker() {
		this.beans.addBean("locketCallerWorker", mock(InlineWorker.class));
		this.properties.getWorker().setQueues(List.of("urgent"));
		this.properties.getLeader().setEnabled(true);
		new AheadOfTimeCheck(this.properties, this.beans, true).afterSingletonsInstantiated();
	}

	@Test
	void storeThatWasDecidedOtherwiseStopsTheStart() {
		this.beans.addBean("locketLeaseService", mock(LeaseService.class));
		this.properties.getLease().setStore(LeaseStore.LOCK_REGISTRY);
		assertThat(problems()).singleElement()
			.asString()
			.startsWith("locket.lease.store=lock-registry has no effect, because the application was processed ahead"
					+ " of time with redis.");
		this.beans.addBean("lockRegistryLeases", new LockRegistryLeaseAutoConfiguration());
		new AheadOfTimeCheck(this.properties, this.beans, true).afterSingletonsInstantiated();
		this.properties.getLease().setStore(LeaseStore.REDIS);
		assertThat(problems()).singleElement()
			.asString()
			.startsWith("locket.lease.store=redis has no effect, because the application was processed ahead of time"
					+ " with lock-registry.");
		this.beans.addBean("locketCallerWorker", mock(InlineWorker.class));
		new AheadOfTimeCheck(this.properties, this.beans, true).afterSingletonsInstantiated();
	}

	@Test
	void storeOfTheApplicationIsUsedWhateverIsConfigured() {
		this.beans.addBean("leases", mock(LeaseService.class));
		this.properties.getLease().setStore(LeaseStore.LOCK_REGISTRY);
		new AheadOfTimeCheck(this.properties, this.beans, true).afterSingletonsInstantiated();
	}

	@Test
	void conditionsAreReadAtTheStartOtherwise() {
		addWorkerAndElection();
		this.properties.getWorker().setEnabled(false);
		this.beans.addBean("locketLeaseService", mock(LeaseService.class));
		this.properties.getLease().setStore(LeaseStore.LOCK_REGISTRY);
		new AheadOfTimeCheck(this.properties, this.beans, false).afterSingletonsInstantiated();
	}

	private void addWorkerAndElection() {
		this.beans.addBean("locketWorker", mock(WorkerLifecycle.class));
		this.beans.addBean("locketLeaderElection", mock(LeaderElection.class));
	}

	private List<Problem> problems() {
		return catchThrowableOfType(InvalidLocketConfigurationException.class,
				() -> new AheadOfTimeCheck(this.properties, this.beans, true).afterSingletonsInstantiated())
			.getProblems();
	}

}
