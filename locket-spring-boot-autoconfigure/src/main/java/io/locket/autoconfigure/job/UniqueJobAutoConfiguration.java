package io.locket.autoconfigure.job;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.locket.aop.UniqueJobInterceptor;
import io.locket.aop.call.LeaseGate;
import io.locket.aop.call.RefusedCalls;
import io.locket.aop.call.RunningCalls;
import io.locket.autoconfigure.ConfiguredSchedules;
import io.locket.autoconfigure.LocketBaseConfiguration;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.PropertySpellingCheck;
import io.locket.autoconfigure.lease.LocketRedis;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.UniqueJobs;
import io.locket.job.catalog.UniqueJobAdvisor;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.key.JobKeyGenerator;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseService;
import io.locket.observer.JobObservers;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for {@link io.locket.UniqueJob} methods.
 */
@AutoConfiguration(afterName = { "io.locket.autoconfigure.lease.LeaseAutoConfiguration",
		"org.springframework.boot.autoconfigure.aop.AopAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketProperties.class)
@Import({ AutoProxyRegistrar.class, LocketBaseConfiguration.class })
public final class UniqueJobAutoConfiguration {

	private static final String INTERCEPTOR = "locketUniqueJobInterceptor";

	private static final String RELEASE_EXECUTOR = "locketReleaseExecutor";

	private static final int RELEASE_THREADS = 4;

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static UniqueJobAdvisor locketUniqueJobAdvisor() {
		return new UniqueJobAdvisor(INTERCEPTOR);
	}

	@Bean
	static PropertySpellingCheck locketPropertySpellingCheck(Environment environment) {
		return new PropertySpellingCheck(environment);
	}

	@Bean
	static ParentContextCheck locketParentContextCheck() {
		return new ParentContextCheck();
	}

	@Bean
	UniqueJobCatalog locketUniqueJobCatalog(ConfigurableListableBeanFactory beanFactory, UniqueJobAdvisor advisor,
			LocketProperties properties, ObjectProvider<JobKeyGenerator> generator) {
		return new UniqueJobCatalog(beanFactory, advisor, JobSettingsMapper.map(properties),
				new DefaultKeyGenerator(beanFactory, generator));
	}

	@Bean
	AheadOfTimeCheck locketAheadOfTimeCheck(LocketProperties properties, ListableBeanFactory beanFactory) {
		return new AheadOfTimeCheck(properties, beanFactory, AotDetector.useGeneratedArtifacts());
	}

	@Bean
	UnknownQueueNotice locketUnknownQueueNotice(LocketProperties properties, UniqueJobCatalog catalog,
			ListableBeanFactory beanFactory) {
		return new UnknownQueueNotice(properties, catalog,
				() -> beanFactory.getBeanNamesForType(JobQueue.class, true, false).length > 0);
	}

	@Bean
	@ConditionalOnBean(LocketInstance.class)
	StartLine locketStartLine(LocketInstance instance, LocketProperties properties, UniqueJobCatalog catalog,
			ObjectProvider<LocketRedis> redis, ObjectProvider<ConfiguredSchedules> schedules) {
		return new StartLine(instance, properties, catalog, redis, schedules);
	}

	@Bean
	RunningCalls locketRunningCalls() {
		return new RunningCalls();
	}

	@Bean(INTERCEPTOR)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	UniqueJobInterceptor locketUniqueJobInterceptor(UniqueJobCatalog catalog, JobKeys keys,
			ObjectProvider<LeaseService> leases, LocketProperties properties, RunningCalls calls,
			ObjectProvider<RefusedCalls> refused, JobObservers observers, JobEventPublisher events,
			BeanFactory beanFactory) {
		LeaseGate gate = new LeaseGate(leases::getObject, properties.getLease().getOnUnavailable(), calls,
				(job, key, args, options) -> refused.getObject().enqueue(job, key, args, options), events,
				System::nanoTime);
		return new UniqueJobInterceptor(catalog, keys, gate, properties.getLease().getOnLost().getDirect(), observers,
				events, beanFactory.getBean(RELEASE_EXECUTOR, ExecutorService.class));
	}

	@Bean
	@ConditionalOnMissingBean
	UniqueJobs locketUniqueJobs(UniqueJobCatalog catalog, JobKeys keys, ObjectProvider<ArgumentCodec> codecs,
			ObjectProvider<JobStore> stores, ObjectProvider<LeaseService> leases) {
		return new UniqueJobs(catalog, keys, codecs.getIfAvailable(ArgumentCodec::new), stores::getIfAvailable,
				leases::getObject);
	}

	/**
	 * Creates the executor of blocking releases, for results that complete on threads
	 * that must not block. After a shutdown, releases that were submitted before still
	 * run.
	 */
	@Bean(name = RELEASE_EXECUTOR, autowireCandidate = false, destroyMethod = "shutdown")
	ExecutorService locketReleaseExecutor() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("locket-release-");
		threads.setDaemon(true);
		ThreadPoolExecutor executor = new ThreadPoolExecutor(RELEASE_THREADS, RELEASE_THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

}
