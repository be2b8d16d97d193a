package io.locket.test;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.test.service.Billing;
import io.locket.test.service.Reminders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.transaction.TestTransaction;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for jobs that are enqueued in transactions.
 */
@LocketTest
@Transactional
class TransactionTests {

	@Autowired
	private Reminders reminders;

	@Autowired
	private LocketTester locket;

	@Autowired
	private Billing billing;

	@Autowired
	private Jobs jobs;

	@BeforeEach
	void reset() {
		this.billing.reset();
	}

	@Test
	void jobIsEnqueuedWhenTheTransactionOfTheTestIsCommitted() {
		this.reminders.remind("a");
		TestTransaction.flagForCommit();
		TestTransaction.end();
		assertThat(this.locket).hasEnqueued("billing.send").withArguments("a");
		assertThat(this.locket.drain()).hasRun("billing.send");
	}

	@Test
	void nothingIsEnqueuedWhenTheTransactionOfTheTestIsRolledBack() {
		this.reminders.remind("a");
		assertThat(this.locket).hasEnqueuedNothing();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasEnqueued("billing.send"))
			.withMessageContaining("a transaction is open, and jobs enqueued in it wait for its commit");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket.drain()).hasRun("billing.send"))
			.withMessageContaining("a transaction is open, and jobs enqueued in it wait for its commit");
		TestTransaction.end();
		assertThat(this.locket).hasEnqueuedNothing();
		assertThat(this.locket.drain()).hasRunNothing();
	}

	@Test
	void jobsThatWaitForTheCommitAreAsserted() {
		assertThat(this.locket).hasDeferredNothing();
		this.jobs.enqueue(EnqueueOptions.now().immediate(), "billing.send", "at once");
		this.reminders.remind("a");
		assertThat(this.locket).hasDeferred("billing.send").withArguments("a").times(1);
		assertThat(this.locket).hasDeferred(Billing.class, (billing) -> billing.send("a"));
		assertThat(this.locket).hasEnqueuedTimes(1).hasNotDeferred("billing.export");
		assertThat(this.locket.deferred()).singleElement()
			.asString()
			.isEqualTo("billing.send(\"a\") into queue 'mails': deferred");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).as("reminder").hasDeferredNothing())
			.withMessageStartingWith("[reminder]")
			.withMessageContaining("billing.send(\"a\") into queue 'mails': deferred");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasDeferred("billing.send").withArguments("b"))
			.withMessageContaining("to have been deferred with arguments [b], but deferred were")
			.withMessageNotContaining("a transaction is open");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locket).hasNotDeferred("billing.send"))
			.withMessageContaining("billing.send(\"a\")");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> assertThat(this.locket).hasDeferred("billing.send").times(0))
			.withMessageContaining("hasNotDeferred");
		TestTransaction.flagForCommit();
		TestTransaction.end();
		assertThat(this.locket).hasDeferredNothing().hasNotDeferred("billing.send").hasEnqueuedTimes(2);
	}

	@Test
	void jobsOfASuspendedTransactionAreNotThoseOfTheCurrentOne(@Autowired PlatformTransactionManager manager) {
		this.reminders.remind("a");
		TransactionTemplate inner = new TransactionTemplate(manager);
		inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		inner.executeWithoutResult((status) -> assertThat(this.locket).hasDeferredNothing());
		assertThat(this.locket).hasDeferred("billing.send");
	}

	@Test
	void bodiesThatADrainRunsTakePartInTheTransactionOfTheTest() {
		this.jobs.enqueue(EnqueueOptions.now().immediate(), "billing.send", "a");
		this.billing.body(() -> {
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
			assertThat(this.jobs.enqueue("billing.send", "b")).isInstanceOf(EnqueueResult.Deferred.class);
		});
		assertThat(this.locket.drain()).hasRun("billing.send");
		TestTransaction.end();
		assertThat(this.locket).hasEnqueuedTimes(1);
	}

}
