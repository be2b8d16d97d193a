package io.locket.autoconfigure.job;

import java.util.Locale;

import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.autoconfigure.lease.LockRegistryLeaseAutoConfiguration;
import io.locket.autoconfigure.properties.LeaseStore;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.WorkerGroupSpec;
import io.locket.queue.spi.JobQueue;
import io.locket.schedule.leader.LeaderElection;
import io.locket.worker.InlineWorker;
import io.locket.worker.WorkerLifecycle;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Check of the properties that decide which beans exist. If an application was processed
 * ahead of time, these beans depend on the values at that time, and other values would
 * have no effect. It runs before workers and leader start.
 */
final class AheadOfTimeCheck implements SmartInitializingSingleton {

	private final LocketProperties properties;

	private final ListableBeanFactory beanFactory;

	private final boolean processed;

	/**
	 * Creates a check.
	 * @param properties the properties of this start
	 * @param beanFactory the beans that were decided ahead of time
	 * @param processed whether the application was processed ahead of time
	 */
	AheadOfTimeCheck(LocketProperties properties, ListableBeanFactory beanFactory, boolean processed) {
		this.properties = properties;
		this.beanFactory = beanFactory;
		this.processed = processed;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.processed) {
			PropertyProblems problems = new PropertyProblems();
			check(problems);
			problems.throwIfAny();
		}
	}

	private void check(PropertyProblems problems) {
		if (!this.properties.isEnabled()) {
			add(problems, "locket.enabled", false, "with Locket");
		}
		checkStore(problems);
		boolean works = has(JobQueue.class) && !has(InlineWorker.class);
		boolean worker = this.properties.getWorker().isEnabled();
		if (has(WorkerLifecycle.class) && !worker) {
			add(problems, "locket.worker.enabled", false, "with workers");
		}
		boolean served = !WorkerGroupSpec.of(this.properties.getWorker()).isEmpty();
		if (works && !has(WorkerLifecycle.class) && worker && served) {
			add(problems, "locket.worker.queues", this.properties.getWorker().getQueues(), "without workers");
		}
		Boolean leader = this.properties.getLeader().getEnabled();
		if (has(LeaderElection.class) && Boolean.FALSE.equals(leader)) {
			add(problems, "locket.leader.enabled", false, "with the election of a leader");
		}
		if (works && !has(LeaderElection.class) && Boolean.TRUE.equals(leader)) {
			add(problems, "locket.leader.enabled", true, "without the election of a leader");
		}
	}

	/**
	 * Checks the store of the leases, unless the application or its test has another one.
	 */
	private void checkStore(PropertyProblems problems) {
		LeaseStore store = has(LockRegistryLeaseAutoConfiguration.class) ? LeaseStore.LOCK_REGISTRY : LeaseStore.REDIS;
		LeaseStore configured = this.properties.getLease().getStore();
		if (configured != store && this.beanFactory.containsBean("locketLeaseService") && !has(InlineWorker.class)) {
			add(problems, "locket.lease.store", text(configured), "with " + text(store));
		}
	}

	private static String text(LeaseStore store) {
		return store.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private boolean has(Class<?> type) {
		return this.beanFactory.getBeanNamesForType(type, true, false).length > 0;
	}

	private static void add(PropertyProblems problems, String property, Object value, String state) {
		problems.add(property, value,
				"has no effect, because the application was processed ahead of time " + state + ".",
				"Process the application with this value, or start it without -Dspring.aot.enabled=true.");
	}

}
