package io.locket.test.autoconfigure;

import java.time.Clock;

import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.queue.JobConsumerAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.UniqueJobs;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.heartbeat.RunLeases;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.observer.JobObservers;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;
import io.locket.schedule.leader.LeaderLeases;
import io.locket.schedule.memory.InMemoryScheduleStore;
import io.locket.test.LocketTestMode;
import io.locket.test.LocketTester;
import io.locket.test.RecordingJobQueue;
import io.locket.test.TestClock;
import io.locket.test.TestLeases;
import io.locket.test.TestSchedules;
import io.locket.worker.InlineWorker;
import io.locket.worker.run.JobHandlers;
import io.locket.worker.run.QueueRunRenewer;
import io.locket.worker.run.RunParts;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of queue and leases in memory and of the test driver.
 */
@AutoConfiguration(before = { LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class,
		QueueAutoConfiguration.class, JobConsumerAutoConfiguration.class, WorkerAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketProperties.class)
public final class LocketTestAutoConfiguration {

	private static final Log logger = LogFactory.getLog(LocketTestAutoConfiguration.class);

	@Bean
	TestTime locketTestTime() {
		return new TestTime(new TestClock());
	}

	@Bean
	@ConditionalOnMissingBean(Clock.class)
	TestClock locketTestClock(TestTime time) {
		return time.clock();
	}

	@Bean
	LockSpace locketLockSpace(TestTime time) {
		return new LockSpace(time.clock());
	}

	@Bean
	InMemoryLeaseService locketLeaseService(LockSpace space, LeaseSettings settings, JobKeys keys,
			JobEventPublisher events) {
		return new InMemoryLeaseService(space, settings, keys, events, System::nanoTime);
	}

	@Bean
	RecordingJobQueue locketJobQueue(LockSpace space, LocketProperties properties, JobEventPublisher events,
			TestTime time, ArgumentCodec codec, ObjectProvider<UniqueJobs> jobs, ObjectProvider<LocketTester> tester) {
		return new RecordingJobQueue(space, properties.getRetry().getMaxReclaims(), events, time.clock(), codec,
				jobs::getObject, tester::getObject);
	}

	@Bean
	LeaderLeases locketLeaderLeases(InMemoryLeaseService leases) {
		return LeaderLeases.shared(leases);
	}

	@Bean
	InMemoryScheduleStore locketScheduleStore(LockSpace space, RecordingJobQueue queue) {
		return new InMemoryScheduleStore(space, queue);
	}

	/**
	 * Creates the leases of the runs on callers. Their clock stands still, so a body that
	 * blocks or is debugged loses no lease. Only the test revokes leases.
	 */
	@Bean(defaultCandidate = false)
	RunLeases locketCallerRunLeases(JobQueue queue, LeaseThreads threads, LocketProperties properties,
			JobEventPublisher events) {
		LeaseHeartbeat heartbeat = new LeaseHeartbeat(properties.getLease().getHeartbeat(), threads.heartbeat(),
				threads.watch(), threads.notifier(), events, () -> 0);
		return new RunLeases(new QueueRunRenewer(queue), heartbeat, threads, events, () -> 0,
				() -> logger.trace("The last run has ended"));
	}

	@Bean
	InlineWorker locketCallerWorker(WorkerSettings settings, JobQueue queue, JobHandlers handlers, JobKeys keys,
			LeaseThreads threads, @Qualifier("locketCallerRunLeases") RunLeases leases, JobObservers observers) {
		return new InlineWorker(settings, queue, new RunParts(leases, keys, handlers, observers, () -> 0),
				threads.watch(), () -> 0.5);
	}

	@Bean
	TestLeases locketTestLeases(InMemoryLeaseService leases, LockSpace space, LeaseSettings settings, JobKeys keys) {
		return new TestLeases(leases, space, settings, keys);
	}

	@Bean
	LocketTester locketTester(RecordingJobQueue queue, InlineWorker worker, TestLeases leases, TestTime time,
			UniqueJobs jobs, ArgumentCodec codec, WorkerSettings settings, ObjectProvider<TestSchedules> schedules,
			Environment environment) {
		LocketTestMode mode = Binder.get(environment)
			.bind("spring.test.locket.mode", LocketTestMode.class)
			.orElse(LocketTestMode.QUEUED);
		return new LocketTester(queue, worker, leases, time.clock(), jobs, codec,
				settings.groups()
					.stream()
					.flatMap((group) -> group.queues().stream())
					.map(WeightedQueue::name)
					.toList(),
				schedules::getIfAvailable, mode);
	}

	/**
	 * Locks of this process for services that use a {@code LockRegistry}. Without Redis,
	 * Locket provides no registry.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DefaultLockRegistry.class)
	static class LockRegistryConfiguration {

		@Bean
		@ConditionalOnMissingBean(LockRegistry.class)
		DefaultLockRegistry locketLockRegistry() {
			return new DefaultLockRegistry();
		}

	}

}
