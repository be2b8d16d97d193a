package io.locket.job.catalog;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.locket.LockStrategy;
import io.locket.job.definition.InvalidUniqueJobException;
import io.locket.job.definition.InvalidUniqueJobException.Problem;
import io.locket.job.definition.JobDefinitionResolver;
import io.locket.job.definition.JobSettings;
import io.locket.job.definition.KeyGenerators;
import io.locket.job.definition.MethodRules;
import io.locket.job.definition.ProxyKind;
import io.locket.job.definition.QueuePolicies;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.job.recording.RecordedCall;
import io.locket.key.JobKeyGenerator;
import io.locket.lease.LeaseService;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Catalogue of all {@link io.locket.UniqueJob} methods of all beans. Start-up fails with
 * an {@link InvalidUniqueJobException} if one of them cannot be guarded as declared. A
 * bean that is called before is checked when it is called. A bean whose type is unknown
 * before its creation is checked when it is proxied. Thread-safe.
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

	private final SharedJobs sharedJobs;

	private final QueuePolicies policies;

	private final UniqueJobAdvisor advisor;

	private final Map<Class<?>, Integer> knownProxies = new ConcurrentHashMap<>();

	/**
	 * Creates a catalogue.
	 * @param beanFactory the bean factory
	 * @param advisor the advisor that guards the jobs
	 * @param settings the defaults of annotations
	 * @param defaultGenerator the supplier of the key generator of jobs without their own
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
		this.sharedJobs = new SharedJobs(beanFactory, this.index);
		this.policies = new QueuePolicies(settings);
		this.binder = new JobBinder(resolver, this.targets, this.index);
		this.recordedJobs = new RecordedJobs(beanFactory, this.index, new DeclaredJobs(resolver, this.index),
				() -> addBeans(this.scanner.scan()));
	}

	/**
	 * Returns the known jobs, in the order of their names.
	 * @return the jobs
	 */
	public List<UniqueJobDefinition> jobs() {
		return this.index.all();
	}

	/**
	 * Returns the names and aliases of the jobs of a class, its subclasses, or its
	 * implementations.
	 * @param type the class
	 * @return the names and aliases, empty if there are none
	 */
	public Set<String> names(Class<?> type) {
		Set<String> names = new LinkedHashSet<>();
		for (UniqueJobDefinition job : jobs()) {
			if (type.isAssignableFrom(job.method().getDeclaringClass()) || this.index.sharing(job.name())
				.stream()
				.anyMatch((shared) -> isBeanOf(shared.bean().name(), type))) {
				names.add(job.name());
				names.addAll(job.aliases());
			}
		}
		return names;
	}

	private boolean isBeanOf(String bean, Class<?> type) {
		Class<?> target = this.beanFactory.containsBean(bean)
				? AutoProxyUtils.determineTargetClass(this.beanFactory, bean) : null;
		return target != null && type.isAssignableFrom(target);
	}

	/**
	 * Finds a job.
	 * @param name the name of the job, or one of its aliases
	 * @return the job, or empty if there is none of that name
	 */
	public Optional<UniqueJobDefinition> find(String name) {
		return Optional.ofNullable(this.index.named(name)).map(BoundJob::job);
	}

	/**
	 * Finds a job of the bean that runs it when it is queued.
	 * @param name the name of the job, or one of its aliases
	 * @return the job, or empty if there is none of that name, or if several beans have
	 * it and it is ambiguous
	 */
	public Optional<UniqueJobDefinition> findQueued(String name) {
		return Optional.ofNullable(this.sharedJobs.runner(name)).map(BoundJob::job);
	}

	/**
	 * Returns a job of the bean that runs it when it is queued.
	 * @param job the job
	 * @param type the called type, or {@code null} if the job was given by name
	 * @return the job
	 * @throws IllegalArgumentException if the bean is ambiguous, or if it does not have
	 * the type
	 */
	public UniqueJobDefinition queued(UniqueJobDefinition job, @Nullable Class<?> type) {
		return this.sharedJobs.queued(job, type);
	}

	/**
	 * Finds a job, including one that only an interface declares and that was called
	 * before.
	 * @param name the name of the job, or one of its aliases
	 * @return the job, or empty if there is none of that name
	 */
	public Optional<UniqueJobDefinition> known(String name) {
		return find(name).or(() -> this.recordedJobs.declared(name));
	}

	/**
	 * Finds the job of a recorded call.
	 * @param call the call
	 * @return the job, possibly one that only an interface declares
	 * @throws IllegalArgumentException if it is not a job, or if it is ambiguous
	 */
	public UniqueJobDefinition find(RecordedCall call) {
		return this.recordedJobs.find(call);
	}

	/**
	 * Returns a job with the strategies that it has in a queue.
	 * @param job the job
	 * @param queue the target queue
	 * @return the job, with the strategies of that queue unless it has its own
	 * @throws IllegalArgumentException if its strategies are not supported there
	 */
	public UniqueJobDefinition in(UniqueJobDefinition job, String queue) {
		return this.policies.in(job, queue);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.advisor.checkFromNowOn((type) -> addBeans(this.scanner.byProxy(type)));
		List<Problem> problems = new ArrayList<>();
		List<BoundJob> jobs = this.binder.bind(this.scanner.scan(), problems);
		List<BoundJob> guarded = jobs.stream().filter((job) -> job.job().lock().guardsDirectCalls()).toList();
		new ProxyRules(this.beanFactory).check(guarded, problems);
		if (!guarded.isEmpty() && this.beanFactory.getBeanNamesForType(LeaseService.class, true, false).length == 0) {
			problems.add(noLeaseService(guarded.size()));
		}
		this.queueRules.check(guarded, problems);
		this.queueRules.checkParameters(jobs, problems);
		if (!problems.isEmpty()) {
			throw new InvalidUniqueJobException(problems);
		}
		jobs.forEach(this.index::add);
		log(jobs, guarded);
		if (this.queueRules.hasQueue()) {
			names(jobs).stream().map(this.sharedJobs::describe).filter(Objects::nonNull).forEach(logger::warn);
		}
	}

	/**
	 * Finds the job of a call.
	 * @param invocation the call
	 * @return the job
	 * @throws InvalidUniqueJobException if it cannot be guarded as declared
	 */
	public UniqueJobDefinition find(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Class<?> type = (target != null) ? AopUtils.getTargetClass(target) : invocation.getMethod().getDeclaringClass();
		Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
		addProxied(type);
		BoundJob job = lookUp(method, invocation.getMethod(), type, target);
		if (job == null) {
			addBeans(this.scanner.scan());
			job = lookUp(method, invocation.getMethod(), type, target);
		}
		if (job == null) {
			throw new IllegalStateException("Cannot determine the bean on which the @UniqueJob method " + method
					+ " was called. Set a name in the annotation, or call the method after the bean is initialized");
		}
		return job.job();
	}

	private @Nullable BoundJob lookUp(Method method, Method called, Class<?> type, @Nullable Object target) {
		BoundJob job = this.targets.choose(this.index.of(method), type, target);
		return (job == null && !called.equals(method)) ? this.targets.choose(this.index.of(called), type, target) : job;
	}

	/**
	 * Adds the beans of a class that have been proxied since the last check. Otherwise a
	 * single known bean would be mistaken for the called one.
	 */
	private void addProxied(Class<?> type) {
		int proxied = this.advisor.proxiedBeans(type).size();
		if (proxied != this.knownProxies.getOrDefault(type, 0)) {
			addBeans(this.scanner.byProxy(type));
			this.knownProxies.put(type, proxied);
		}
	}

	private void addBeans(List<JobBean> beans) {
		List<Problem> problems = new ArrayList<>();
		List<BoundJob> jobs = this.binder.bind(beans, problems);
		if (!problems.isEmpty()) {
			throw new InvalidUniqueJobException(problems);
		}
		jobs.forEach(this.index::add);
	}

	private static Problem noLeaseService(int jobs) {
		return new Problem("@UniqueJob",
				"There is no LeaseService bean, so the calls of " + jobs + " job(s) cannot be guarded.",
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
		Set<String> unused = names(jobs.stream().filter((job) -> job.job().hasUnusedPeriod()).toList());
		if (!unused.isEmpty()) {
			logger.warn("uniqueFor has no effect for " + unused
					+ ", because their lock strategy, which is that of their queue or of locket.job.lock, accepts every job."
					+ " Write lock = UNTIL_EXPIRED to let a job run once in each period");
		}
	}

	private static Set<String> names(List<BoundJob> jobs) {
		return jobs.stream().map((job) -> job.job().name()).collect(Collectors.toCollection(LinkedHashSet::new));
	}

}
