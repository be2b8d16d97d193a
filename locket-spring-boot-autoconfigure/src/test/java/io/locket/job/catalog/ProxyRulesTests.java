package io.locket.job.catalog;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.JobContext;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.job.UniqueJobs;
import io.locket.job.definition.InvalidUniqueJobException;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.testing.LazyInitialization;
import jakarta.annotation.PostConstruct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the proxying of beans and the discovery of annotations.
 */
@SuppressWarnings("try")
class ProxyRulesTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner();

	@Test
	void beanIsProxiedByClassAlsoWithoutAutoConfiguredAop() {
		this.contextRunner.withPropertyValues("spring.aop.auto=false")
			.withBean("mailer", Mailer.class, SmtpMailer::new)
			.run((context) -> {
				assertThat(AopUtils.isCglibProxy(context.getBean("mailer"))).isTrue();
				context.getBean(Mailer.class).send("a");
				assertThat(keys(context)).containsExactly("mailer.send[\"a\"]");
			});
	}

	@Test
	void annotationOnInterfaceGuardsJdkProxy() {
		this.contextRunner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("mailer", Mailer.class, SmtpMailer::new)
			.run((context) -> {
				assertThat(AopUtils.isJdkDynamicProxy(context.getBean("mailer"))).isTrue();
				context.getBean(Mailer.class).send("a");
				assertThat(keys(context)).containsExactly("mailer.send[\"a\"]");
			});
	}

	@Test
	void annotationOnClassGuardsJdkProxy() {
		this.contextRunner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("task", Task.class, () -> new Job("x"))
			.run((context) -> {
				assertThat(AopUtils.isJdkDynamicProxy(context.getBean("task"))).isTrue();
				context.getBean("task", Task.class).run("a");
				assertThat(keys(context)).containsExactly("task.run[\"a\"]");
			});
	}

	@Test
	void annotationOnGenericInterfaceIsFound() {
		this.contextRunner.withBean("handler", StringHandler.class).run((context) -> {
			Handler<String> handler = context.getBean(StringHandler.class);
			handler.handle("a");
			assertThat(keys(context)).containsExactly("handler.handle[\"a\"]");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void annotationOnInterfaceOfInheritedImplementationIsFound(boolean byClass) {
		this.contextRunner.withPropertyValues("spring.aop.proxy-target-class=" + byClass)
			.withBean("mailer", InheritingMailer.class)
			.run((context) -> {
				assertThat(AopUtils.isCglibProxy(context.getBean("mailer"))).isEqualTo(byClass);
				assertThat(context.getBean(UniqueJobs.class).isExclusive("mailer.send")).isTrue();
				context.getBean("mailer", Mailer.class).send("a");
				assertThat(keys(context)).containsExactly("mailer.send[\"a\"]");
			});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void annotationOnGenericInterfaceOfInheritedImplementationIsFound(boolean byClass) {
		this.contextRunner.withPropertyValues("spring.aop.proxy-target-class=" + byClass)
			.withBean("handler", InheritingHandler.class)
			.run((context) -> {
				Handler<String> handler = handler(context);
				handler.handle("a");
				assertThat(keys(context)).containsExactly("handler.handle[\"a\"]");
			});
	}

	@SuppressWarnings("unchecked")
	private static Handler<String> handler(ApplicationContext context) {
		return context.getBean("handler", Handler.class);
	}

	@Test
	void metaAnnotationPassesItsAttributes() {
		this.contextRunner.withBean("jobs", MetaJobs.class).withPropertyValues("job.name=nightly").run((context) -> {
			context.getBean(MetaJobs.class).report(1, 2);
			assertThat(keys(context)).containsExactly("nightly(2)");
			assertThat(context.getBean(UniqueJobs.class).job("nightly").onConflict()).isEqualTo(ConflictStrategy.RAISE);
		});
	}

	@Test
	void overloadsWithNamesAreJobsOfTheirOwn() {
		this.contextRunner.withBean("jobs", NamedOverloads.class).run((context) -> {
			context.getBean(NamedOverloads.class).run(1);
			context.getBean(NamedOverloads.class).run("a");
			assertThat(keys(context)).containsExactly("jobs.run[1]", "byText[\"a\"]");
		});
	}

	@Test
	void beansOfOneClassAreNamedApart() {
		this.contextRunner.withBean("east", Job.class, "east").withBean("west", Job.class, "west").run((context) -> {
			context.getBean("east", Job.class).run("a");
			context.getBean("west", Job.class).run("a");
			assertThat(keys(context)).containsExactly("east.run[\"a\"]", "west.run[\"a\"]");
			assertThat(context.getBean(UniqueJobs.class).jobs()).extracting(UniqueJobDefinition::name)
				.containsExactly("east.run", "west.run");
		});
	}

	@Test
	void beansOfOneClassThatAreCalledEarlyAreNamedApart() {
		this.contextRunner.withUserConfiguration(EarlyCalls.class)
			.run((context) -> assertThat(keys(context)).containsExactly("east.run[\"early\"]", "west.run[\"early\"]"));
	}

	@Test
	void namedJobIsSharedByBeansOfOneClass() {
		this.contextRunner.withBean("east", NamedJob.class).withBean("west", NamedJob.class).run((context) -> {
			context.getBean("east", NamedJob.class).run();
			try (Lease other = GuardedContext.take(context, "shared")) {
				context.getBean("west", NamedJob.class).run();
			}
			assertThat(keys(context)).containsExactly("shared[]", "shared[]", "shared[]");
		});
	}

	@Test
	void prototypeIsGuarded() {
		this.contextRunner.withUserConfiguration(Prototypes.class).run((context) -> {
			context.getBean("prototype", Job.class).run("a");
			context.getBean("prototype", Job.class).run("b");
			assertThat(keys(context)).containsExactly("prototype.run[\"a\"]", "prototype.run[\"b\"]");
		});
	}

	@Test
	void scopedProxyIsNamedAsUsersKnowIt() {
		this.contextRunner.withUserConfiguration(Scoped.class).run((context) -> {
			context.getBean("scoped", Job.class).run("a");
			assertThat(keys(context)).containsExactly("scoped.run[\"a\"]");
		});
	}

	@Test
	void lazyBeanIsValidatedButNotCreated() {
		this.contextRunner.withUserConfiguration(LazyBeans.class).run((context) -> {
			assertThat(context.getBean(UniqueJobs.class).isExclusive("lazy.run")).isTrue();
			assertThat(context.getBeanFactory().containsSingleton("lazy")).isFalse();
			context.getBean("hidden", Task.class).run("a");
			assertThat(keys(context)).containsExactly("hidden.run[\"a\"]");
		});
	}

	@Test
	void productOfFactoryBeanIsGuarded() {
		this.contextRunner.withBean("product", MailerFactory.class).run((context) -> {
			context.getBean(Mailer.class).send("a");
			assertThat(keys(context)).containsExactly("product.send[\"a\"]");
		});
	}

	@Test
	void lazyInitializationStillValidates() {
		this.contextRunner.withInitializer(new LazyInitialization())
			.withBean("jobs", PrivateJob.class)
			.run((context) -> assertThat(context).getFailure().isInstanceOf(InvalidUniqueJobException.class));
	}

	@Test
	void asyncMethodsAreGuardedOnTheirThread() {
		this.contextRunner.withUserConfiguration(AsyncConfiguration.class).run((context) -> {
			AsyncJobs jobs = context.getBean(AsyncJobs.class);
			CountDownLatch ran = new CountDownLatch(1);
			jobs.fireAndForget((thread) -> ran.countDown());
			assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(jobs.future().get(10, TimeUnit.SECONDS)).isNotEqualTo(Thread.currentThread().getName());
			try (Lease other = GuardedContext.take(context, "jobs.future")) {
				assertThat(jobs.future().get(10, TimeUnit.SECONDS)).isNull();
			}
			assertThat(context.getBeansOfType(ExecutorService.class)).containsOnlyKeys("locketReleaseExecutor");
		});
	}

	@Test
	void scheduledMethodIsGuarded() {
		this.contextRunner.withUserConfiguration(SchedulingConfiguration.class).run((context) -> {
			ScheduledJobs jobs = context.getBean(ScheduledJobs.class);
			assertThat(jobs.ran().await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(keys(context)).contains("jobs.tick[]");
		});
	}

	@Test
	void eventListenerIsGuarded() {
		this.contextRunner.withBean("jobs", ListeningJobs.class).run((context) -> {
			context.publishEvent(new Order("a"));
			try (Lease other = GuardedContext.take(context, "jobs.on", new Order("b"))) {
				context.publishEvent(new Order("b"));
			}
			assertThat(context.getBean(ListeningJobs.class).seen()).containsExactly("a");
		});
	}

	@Test
	void leaseIsTakenOutsideOfTheCache() {
		this.contextRunner.withUserConfiguration(CachingConfiguration.class).run((context) -> {
			CachedJobs jobs = context.getBean(CachedJobs.class);
			assertThat(jobs.find("a")).isEqualTo(1);
			assertThat(jobs.find("a")).isEqualTo(1);
			assertThat(keys(context)).containsExactly("jobs.find[\"a\"]", "jobs.find[\"a\"]");
			try (Lease other = GuardedContext.take(context, "jobs.find", "a")) {
				assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> jobs.find("a"));
			}
		});
	}

	private static List<String> keys(ApplicationContext context) {
		return GuardedContext.leases(context).requests().stream().map(LeaseRequest::key).map(Object::toString).toList();
	}

	interface Mailer {

		@UniqueJob
		void send(String to);

	}

	static class SmtpMailer implements Mailer {

		@Override
		public void send(String to) {
			JobContext.required();
		}

	}

	public static class PlainMailer {

		public void send(String to) {
			JobContext.required();
		}

	}

	static class InheritingMailer extends PlainMailer implements Mailer {

	}

	static class MailerFactory implements FactoryBean<Mailer> {

		@Override
		public Mailer getObject() {
			ProxyFactory factory = new ProxyFactory(new SmtpMailer());
			factory.setOpaque(false);
			return (Mailer) factory.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return Mailer.class;
		}

	}

	interface Task {

		void run(String id);

	}

	static class Job implements Task {

		private final String name;

		Job(String name) {
			this.name = name;
		}

		@Override
		@UniqueJob
		public void run(String id) {
			assertThat(this.name).isNotNull();
			JobContext.required();
		}

	}

	interface Handler<T> {

		@UniqueJob
		void handle(T value);

	}

	static class StringHandler implements Handler<String> {

		@Override
		public void handle(String value) {
			JobContext.required();
		}

	}

	public static class PlainHandler {

		public void handle(String value) {
			JobContext.required();
		}

	}

	static class InheritingHandler extends PlainHandler implements Handler<String> {

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@UniqueJob(onConflict = ConflictStrategy.RAISE)
	@interface Nightly {

		@AliasFor(annotation = UniqueJob.class)
		String name();

		@AliasFor(annotation = UniqueJob.class, attribute = "key")
		String by();

	}

	static class MetaJobs {

		@Nightly(name = "${job.name}", by = "#second")
		public void report(int first, int second) {
		}

	}

	static class NamedOverloads {

		@UniqueJob
		public void run(int id) {
		}

		@UniqueJob(name = "byText")
		public void run(String id) {
		}

	}

	static class NamedJob {

		@UniqueJob(name = "shared")
		public void run() {
		}

	}

	static class PrivateJob {

		@UniqueJob
		private void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyCalls {

		@Bean
		Job east() {
			return new Job("east");
		}

		@Bean
		Caller firstCaller(Job east) {
			return new Caller(east);
		}

		@Bean
		Job west() {
			return new Job("west");
		}

		@Bean
		Caller secondCaller(Job west) {
			return new Caller(west);
		}

	}

	static class Caller {

		private final Job job;

		Caller(Job job) {
			this.job = job;
		}

		@PostConstruct
		void call() {
			this.job.run("early");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Prototypes {

		@Bean
		@Scope(BeanDefinition.SCOPE_PROTOTYPE)
		Job prototype() {
			return new Job("prototype");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		@Bean
		@Scope(scopeName = BeanDefinition.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
		Job scoped() {
			return new Job("scoped");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBeans {

		@Bean
		@Lazy
		Job lazy() {
			return new Job("lazy");
		}

		@Bean
		@Lazy
		Task hidden() {
			return new Job("hidden");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncConfiguration {

		@Bean
		AsyncJobs jobs() {
			return new AsyncJobs();
		}

	}

	static class AsyncJobs {

		@Async
		@UniqueJob(key = "'one'")
		public void fireAndForget(Consumer<Thread> body) {
			JobContext.required();
			body.accept(Thread.currentThread());
		}

		@Async
		@UniqueJob
		public CompletableFuture<String> future() {
			JobContext.required();
			return CompletableFuture.supplyAsync(() -> Thread.currentThread().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class SchedulingConfiguration {

		@Bean
		ScheduledJobs jobs() {
			return new ScheduledJobs();
		}

	}

	static class ScheduledJobs {

		private final CountDownLatch ran = new CountDownLatch(2);

		CountDownLatch ran() {
			return this.ran;
		}

		@Scheduled(fixedDelay = 1)
		@UniqueJob
		public void tick() {
			JobContext.required();
			this.ran.countDown();
		}

	}

	record Order(String id) {

	}

	static class ListeningJobs {

		private final List<String> seen = new ArrayList<>();

		List<String> seen() {
			return this.seen;
		}

		@EventListener
		@UniqueJob
		public void on(Order order) {
			JobContext.required("jobs.on");
			this.seen.add(order.id());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class CachingConfiguration {

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

		@Bean
		CachedJobs jobs() {
			return new CachedJobs();
		}

	}

	static class CachedJobs {

		private int found;

		@Cacheable("found")
		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public int find(String id) {
			JobContext.required();
			this.found++;
			return this.found;
		}

	}

}
