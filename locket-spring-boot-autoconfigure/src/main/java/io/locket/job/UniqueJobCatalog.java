package io.locket.job;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.locket.LockStrategy;
import io.locket.job.InvalidUniqueJobException.Problem;
import io.locket.job.recording.RecordedCall;
import io.locket.key.JobKeyGenerator;
import io.locket.lease.LeaseService;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Every {@link io.locket.UniqueJob} method of every bean. Start-up stops with an
 * {@link InvalidUniqueJobException} when one of them cannot be guarded as it is declared.
 * A bean that is called before that is looked at when it is called, one of which nobody
 * knows the type until it is created when it gets its proxy. Thread-safe.
 */
public final class UniqueJobCatalog implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(UniqueJobCatalog.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final JobBeanScanner scanner;

	private final JobBinder binder;

	private final JobTargets targets;

	private final QueueRules queueRules;

	private final JobIndex index = new JobIndex();

	private final RecordedJobs recordedJobs;

	private final QueuePolicies policies;

	private final UniqueJobAdvisor advisor;

	private final Map<Class<?>, Integer> learned = new ConcurrentHashMap<>();

	/**
	 * Create a catalogue.
	 * @param beanFactory where the beans are
	 * @param advisor the advisor that guards them
	 * @param settings what annotations leave open
	 * @param defaultGenerator makes the keys of jobs that say nothing of theirs
	 */
	public UniqueJobCatalog(ConfigurableListableBeanFactory beanFactory, UniqueJobAdvisor advisor, JobSettings settings,
			Supplier<JobKeyGenerator> defaultGenerator) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
		this.scanner = new JobBeanScanner(beanFactory, advisor);
		this.targets = new JobTargets(beanFactory);
		this.queueRules = new QueueRules(beanFactory, settings);
		JobDefinitionResolver resolver = new JobDefinitionResolver(beanFactory::resolveEmbeddedValue, settings,
				new KeyGenerators(beanFactory, defaultGenerator), new MethodRules(new ProxyKind(beanFactory)));
		this.policies = new QueuePolicies(settings);
		this.binder = new JobBinder(resolver, this.targets, this.index);
		this.recordedJobs = new RecordedJobs(beanFactory, this.index, new DeclaredJobs(resolver, this.index),
				() -> learn(this.scanner.scan()));
	}

	/**
	 * Return the jobs that are known, in the order of their names.
	 * @return the jobs
	 */
	public List<UniqueJobDefinition> jobs() {
		return this.index.all();
	}

	/**
	 * Find a job.
	 * @param name the name of the job, or one of its aliases
	 * @return the job, or empty if there is none of that name
	 */
	public Optional<UniqueJobDefinition> find(String name) {
		return Optional.ofNullable(this.index.named(name)).map(BoundJob::job);
	}

	/**
	 * Find a job, also one that only an interface declares and that was called before.
	 * @param name the name of the job, or one of its aliases
	 * @return the job, or empty if there is none of that name
	 */
	Optional<UniqueJobDefinition> known(String name) {
		return find(name).or(() -> this.recordedJobs.declared(name));
	}

	/**
	 * Find the job of a recorded call.
	 * @param call the call
	 * @return the job, also one that only an interface declares
	 * @throws IllegalArgumentException if it is no job, or if it cannot be told which one
	 */
	UniqueJobDefinition find(RecordedCall call) {
		return this.recordedJobs.find(call);
	}

	/**
	 * Return a job as it is in a queue.
	 * @param job the job
	 * @param queue the queue that it goes to
	 * @return the job, with the strategies of that queue unless it has its own
	 * @throws IllegalArgumentException if it cannot be unique there as it has to be
	 */
	UniqueJobDefinition in(UniqueJobDefinition job, String queue) {
		return this.policies.in(job, queue);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.advisor.checkFromNowOn((type) -> learn(this.scanner.byProxy(type)));
		List<Problem> problems = new ArrayList<>();
		List<BoundJob> jobs = this.binder.bind(this.scanner.scan(), problems);
		List<BoundJob> guarded = jobs.stream().filter((job) -> job.job().lock().guardsDirectCalls()).toList();
		new ProxyRules(this.beanFactory).check(guarded, problems);
		if (!guarded.isEmpty() && this.beanFactory.getBeanNamesForType(LeaseService.class, true, false).length == 0) {
			problems.add(noLeaseService(guarded.size()));
		}
		this.queueRules.check(guarded, problems);
		if (!problems.isEmpty()) {
			throw new InvalidUniqueJobException(problems);
		}
		jobs.forEach(this.index::add);
		log(jobs, guarded);
	}

	/**
	 * Find the job of a call.
	 * @param invocation the call
	 * @return the job
	 * @throws InvalidUniqueJobException if it cannot be guarded as it is declared
	 */
	public UniqueJobDefinition find(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Class<?> type = (target != null) ? AopUtils.getTargetClass(target) : invocation.getMethod().getDeclaringClass();
		Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
		learnProxied(type);
		BoundJob job = lookUp(method, invocation.getMethod(), type, target);
		if (job == null) {
			learn(this.scanner.scan());
			job = lookUp(method, invocation.getMethod(), type, target);
		}
		if (job == null) {
			throw new IllegalStateException("Cannot tell which bean the @UniqueJob method " + method
					+ " was called on. Write a name into the annotation, or call it after the bean was initialized");
		}
		return job.job();
	}

	private @Nullable BoundJob lookUp(Method method, Method called, Class<?> type, @Nullable Object target) {
		BoundJob job = this.targets.choose(this.index.of(method), type, target);
		return (job == null && !called.equals(method)) ? this.targets.choose(this.index.of(called), type, target) : job;
	}

	/**
	 * Learn the beans of a class that were proxied since the last look: one bean alone
	 * would be taken for the one that is called.
	 */
	private void learnProxied(Class<?> type) {
		int proxied = this.advisor.proxiedBeans(type).size();
		if (proxied != this.learned.getOrDefault(type, 0)) {
			learn(this.scanner.byProxy(type));
			this.learned.put(type, proxied);
		}
	}

	private void learn(List<JobBean> beans) {
		List<Problem> problems = new ArrayList<>();
		List<BoundJob> jobs = this.binder.bind(beans, problems);
		if (!problems.isEmpty()) {
			throw new InvalidUniqueJobException(problems);
		}
		jobs.forEach(this.index::add);
	}

	private static Problem noLeaseService(int jobs) {
		return new Problem("@UniqueJob",
				"There is no LeaseService bean, so that the calls of " + jobs + " job(s) cannot be guarded.",
				"Depend on locket-spring-boot-starter and configure spring.data.redis.*; or set "
						+ "locket.lease.store=lock-registry and define a LockRegistry bean; or set "
						+ "locket.enabled=false to run unguarded.");
	}

	private static void log(List<BoundJob> jobs, List<BoundJob> guarded) {
		if (!guarded.isEmpty()) {
			logger.info("Guarding direct calls of " + names(guarded).size() + " job(s)");
		}
		Set<String> unguarded = names(
				jobs.stream().filter((job) -> job.job().lock() == LockStrategy.UNTIL_EXECUTING).toList());
		if (!unguarded.isEmpty()) {
			logger.info("Direct calls are not guarded by UNTIL_EXECUTING, the lock strategy of " + unguarded);
		}
	}

	private static Set<String> names(List<BoundJob> jobs) {
		return jobs.stream().map((job) -> job.job().name()).collect(Collectors.toCollection(LinkedHashSet::new));
	}

}
