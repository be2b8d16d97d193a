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
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
		TestTransaction.end();
		assertThat(this.locket).hasEnqueuedNothing();
		assertThat(this.locket.drain()).hasRunNothing();
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
