package io.locket.examples.enqueuing;

import java.time.Instant;
import java.time.YearMonth;
import java.util.List;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.spi.JobStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the examples in docs/enqueuing.md.
 */
class EnqueuingExamplesTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	private static final Instant NOW = Instant.parse("2026-05-31T22:00:00Z");

	private final ApplicationContextRunner producer = Examples
		.application(Billing.class, Producer.class, Registration.class, ClosedBooks.class,
				TransactionConfiguration.class)
		.withInitializer(Examples.configurationOf("docs/enqueuing.md"));

	@Test
	void callAndNameAreOneJob() {
		this.producer.run((context) -> {
			Producer producer = context.getBean(Producer.class);
			assertThat(producer.whoIsThere(MAY, NOW)).isEqualTo("true Optional.empty Optional.empty");
			EnqueueResult first = producer.byCall(MAY, NOW);
			assertThat(first).isInstanceOf(Accepted.class);
			assertThat(producer.byName(NOW)).isEqualTo(new Duplicate(((Accepted) first).id(), JobState.READY));
			assertThat(producer.whoIsThere(MAY, NOW)).isEqualTo("false Optional[READY] Optional[0]");
			assertThat(context.getBean(Billing.class).bills()).isEmpty();
		});
	}

	@Test
	void optionsAndManyRequests() {
		this.producer.run((context) -> {
			Producer producer = context.getBean(Producer.class);
			JobStore store = context.getBean(JobStore.class);
			List<EnqueueResult> results = producer.withOptions(MAY, NOW, NOW, "7");
			assertThat(store.find(((Accepted) results.get(0)).id()).orElseThrow().state())
				.isEqualTo(JobState.SCHEDULED);
			assertThat(results.get(1)).isEqualTo(new Accepted("bill-7"));
			assertThat(store.find("bill-7").orElseThrow().queue()).isEqualTo("urgent");
			assertThat(producer.many(List.of(1L, 2L, 2L), MAY, NOW)).extracting(Object::getClass)
				.containsExactly(Accepted.class, Accepted.class, Duplicate.class);
		});
	}

	@Test
	void guardRefusesWhatItMust() {
		this.producer.run((context) -> {
			Producer producer = context.getBean(Producer.class);
			producer.guarded(MAY, NOW);
			context.getBean(ClosedBooks.class).close();
			assertThatIllegalStateException().isThrownBy(() -> producer.guarded(MAY, NOW))
				.withMessage("The books are closed");
			assertThat(producer.byInterface()).isInstanceOf(Accepted.class);
		});
	}

	@Test
	void jobWaitsForTheCommit() {
		this.producer.run((context) -> {
			Registration registration = context.getBean(Registration.class);
			registration.register("ada@example.org");
			assertThat(registration.notes()).containsExactly("ada@example.org Accepted");
			assertThat(context.getBean(JobStore.class).counts("mail").accepted()).isEqualTo(1);
			assertThat(context.getBean(Producer.class).byInterface()).isInstanceOf(Duplicate.class);
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> assertThat(context.getBean(Producer.class).atOnce(MAY, NOW))
					.isInstanceOf(Accepted.class));
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class TransactionConfiguration {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new NoResource();
		}

	}

	/**
	 * Transaction manager without a resource.
	 */
	@SuppressWarnings("serial")
	static class NoResource extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
