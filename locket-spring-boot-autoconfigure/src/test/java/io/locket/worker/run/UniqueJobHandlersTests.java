package io.locket.worker.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.QueuedInvocation;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.lease.LeaseService;
import io.locket.queue.JobRecord;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.worker.FakeJobQueue;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link UniqueJobHandlers}.
 */
class UniqueJobHandlersTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
				UniqueJobAutoConfiguration.class))
		.withBean(LeaseService.class, () -> mock())
		.withBean("billing", Billing.class)
		.withBean("mailing", MailingBean.class);

	@Test
	void methodIsCalledWithItsArguments() {
		this.contextRunner.run((context) -> {
			find(context, "billing.bill").orElseThrow().bind(job("[42,\"2026-05\"]")).run();
			assertThat(context.getBean(Billing.class).billed()).containsExactly("42 2026-05");
		});
	}

	@Test
	void jobIsFoundByItsAlias() {
		this.contextRunner.run((context) -> {
			assertThat(find(context, "old-bill").orElseThrow().job()).isEqualTo("billing.bill");
			assertThat(find(context, "no-bill")).isEmpty();
		});
	}

	@Test
	void primaryOfSeveralBeansIsCalledAndNoneIfThereIsNone() {
		this.contextRunner.withBean("one", OneSender.class)
			.withBean("other", OtherSender.class, OtherSender::new, (definition) -> definition.setPrimary(true))
			.run((context) -> {
				find(context, "send").orElseThrow().bind(job("[]")).run();
				assertThat(context.getBean(OtherSender.class).sent()).isEqualTo(1);
			});
		this.contextRunner.withBean("one", OneSender.class)
			.withBean("other", OtherSender.class)
			.run((context) -> assertThat(find(context, "send")).isEmpty());
	}

	@Test
	void rulesOfTheAnnotationApply() {
		this.contextRunner.run((context) -> {
			JobHandler handler = find(context, "billing.bill").orElseThrow();
			assertThat(handler.timeout()).isEqualTo(Duration.ofSeconds(7));
			assertThat(handler.backoff()).isEqualTo(Duration.ofSeconds(3));
			assertThat(handler.isFinal(new FileNotFoundException())).isTrue();
			assertThat(handler.isFinal(new IllegalStateException())).isFalse();
		});
	}

	@Test
	void argumentsThatDoNotFitAreUnreadable() {
		this.contextRunner.run((context) -> {
			JobHandler handler = find(context, "billing.bill").orElseThrow();
			assertThatExceptionOfType(UnreadableArgumentsException.class).isThrownBy(() -> handler.bind(job("[1]")));
			assertThatExceptionOfType(UnreadableArgumentsException.class)
				.isThrownBy(() -> handler.bind(job("[\"x\",\"2026-05\"]")));
		});
	}

	@Test
	void methodOfAnInterfaceIsCalledThroughTheProxy() {
		this.contextRunner.withPropertyValues("spring.aop.proxy-target-class=false").run((context) -> {
			JobHandler.Body body = find(context, "mailing.mail").orElseThrow().bind(job("[\"a\"]"));
			QueuedInvocation invocation = new QueuedInvocation("mailing.mail", mock(), null);
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> invocation.run(body::run))
				.withMessage("no mail for a");
		});
	}

	/**
	 * A bean in a scope may be replaced by one with another kind of proxy.
	 */
	@Test
	void methodIsCalledOnABeanOfAnotherClassThanBefore() {
		this.contextRunner.withPropertyValues("spring.aop.proxy-target-class=false").run((context) -> {
			BeanFactory beans = mock();
			given(beans.containsBean("mailing")).willReturn(true);
			given(beans.getBean("mailing")).willReturn(new MailingBean(), context.getBean("mailing"));
			UniqueJobHandlers handlers = new UniqueJobHandlers(context.getBean(UniqueJobCatalog.class),
					new ArgumentCodec(), beans);
			for (int i = 0; i < 2; i++) {
				JobHandler.Body body = handlers.find("mailing.mail").orElseThrow().bind(job("[\"a\"]"));
				QueuedInvocation invocation = new QueuedInvocation("mailing.mail", mock(), null);
				assertThatExceptionOfType(IOException.class).isThrownBy(() -> invocation.run(body::run));
			}
		});
	}

	/**
	 * A proxy wraps such an exception, which languages without checked exceptions throw.
	 */
	@Test
	void undeclaredCheckedExceptionIsTheFailureOfTheBody() {
		this.contextRunner.withBean("undeclared", Undeclared.class).run((context) -> {
			assertThat(AopUtils.isAopProxy(context.getBean("undeclared"))).isTrue();
			JobHandler.Body body = find(context, "undeclared.fail").orElseThrow().bind(job("[]"));
			assertThatExceptionOfType(IOException.class).isThrownBy(body::run).withMessage("not declared");
		});
	}

	@Test
	void methodThatHandsItsCallOverIsNotCalled() {
		this.contextRunner.withUserConfiguration(AsyncConfiguration.class)
			.withBean("jobs", AsyncJobs.class)
			.run((context) -> {
				JobHandler late = find(context, "jobs.late").orElseThrow();
				assertThatIllegalStateException().isThrownBy(() -> late.bind(job("[]")))
					.withMessageStartingWith("Job 'jobs.late' is @Async")
					.withMessageContaining("Remove @Async")
					.satisfies((refusal) -> assertThat(late.isFinal(refusal)).isTrue());
				assertThat(late.isFinal(new IllegalStateException())).isFalse();
				find(context, "jobs.now").orElseThrow().bind(job("[]")).run();
			});
	}

	@Test
	void handlerIsMadeOnceForAJob() {
		this.contextRunner.run((context) -> {
			UniqueJobHandlers handlers = new UniqueJobHandlers(context.getBean(UniqueJobCatalog.class),
					new ArgumentCodec(), context);
			assertThat(handlers.find("billing.bill")).containsSame(handlers.find("old-bill").orElseThrow());
		});
	}

	private static Optional<JobHandler> find(ApplicationContext context, String job) {
		return new UniqueJobHandlers(context.getBean(UniqueJobCatalog.class), new ArgumentCodec(), context).find(job);
	}

	private static JobRecord job(String arguments) {
		JobRecord record = FakeJobQueue.record("id", "q", "job", Duration.ofSeconds(35), 0, 1);
		return new JobRecord(record.version(), record.id(), record.job(), record.queue(), arguments, record.key(),
				record.lock(), record.onConflict(), record.state(), record.enqueuedAt(), record.startAt(),
				record.startedAt(), record.endedAt(), record.attempt(), record.retries(), record.reclaims(),
				record.instance(), record.leaseFor(), record.cancelled(), record.lastError(), record.trace(),
				record.supersededBy(), record.requeuedAs(), record.progress(), record.retryReason());
	}

	static class Billing {

		private final List<String> billed = new ArrayList<>();

		List<String> billed() {
			return this.billed;
		}

		@UniqueJob(aliases = "old-bill", lock = LockStrategy.NONE, timeout = "7s", backoff = "3s",
				noRetryFor = IOException.class)
		public void bill(long customer, YearMonth period) {
			this.billed.add(customer + " " + period);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncConfiguration {

	}

	static class AsyncJobs {

		@Async
		@UniqueJob
		public void late() {
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public void now() {
		}

	}

	interface Sender {

		@UniqueJob(name = "send", lock = LockStrategy.NONE)
		void send();

	}

	static class OneSender implements Sender {

		@Override
		public void send() {
			throw new IllegalStateException("The other bean must run");
		}

	}

	static class OtherSender implements Sender {

		private final AtomicInteger sent = new AtomicInteger();

		int sent() {
			return this.sent.get();
		}

		@Override
		public void send() {
			this.sent.incrementAndGet();
		}

	}

	static class Undeclared {

		@UniqueJob(lock = LockStrategy.NONE)
		public void fail() {
			throwAny(new IOException("not declared"));
		}

		@SuppressWarnings("unchecked")
		private static <E extends Throwable> void throwAny(Throwable failure) throws E {
			throw (E) failure;
		}

	}

	interface Mailing {

		void mail(String to) throws IOException;

	}

	static class MailingBean implements Mailing {

		@Override
		@UniqueJob
		public void mail(String to) throws IOException {
			throw new IOException("no mail for " + to);
		}

	}

}
