package io.locket.examples.testing;

import java.time.Duration;
import java.time.YearMonth;

import io.locket.JobState;
import io.locket.job.Jobs;
import io.locket.lease.Lease;
import io.locket.queue.EnqueueResult;
import io.locket.test.DrainedJobs;
import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.transaction.TestTransaction;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.never;

@SpringBootTest
@AutoConfigureLocketTest
class ShopTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	@Autowired
	private Shop shop;

	@Autowired
	private Jobs jobs;

	@Autowired
	private LocketTester locket;

	@MockitoBean
	private Printer printer;

	@Test
	void customerIsBilledFiveMinutesAfterTheClosing() {
		this.shop.close(42, MAY);
		assertThat(this.locket).hasEnqueued("billing.bill").withArguments(42, MAY).after(Duration.ofMinutes(5));
		this.locket.drain();
		then(this.printer).should(never()).print("42 2026-05");
		this.locket.advanceAndDrain(Duration.ofMinutes(5));
		then(this.printer).should().print("42 2026-05");
	}

	@Test
	void closingTwiceBillsOnce() {
		this.shop.close(42, MAY);
		this.shop.close(42, MAY);
		assertThat(this.locket).hasEnqueued("billing.bill").asAccepted().times(1);
		assertThat(this.locket).hasEnqueued("billing.bill").asDuplicate().times(1);
		assertThat(this.locket.advanceAndDrain(Duration.ofMinutes(5))).hasRun("billing.bill");
	}

	@Test
	void printerThatJamsIsTriedAgain() {
		willThrow(new IllegalStateException("paper jam")).given(this.printer).print("42 2026-05");
		this.jobs.enqueue("billing.bill", 42, MAY);
		DrainedJobs drained = this.locket.drainAllowingFailures();
		assertThat(drained).hasFailed("billing.bill").hasMessage("paper jam");
		assertThat(this.locket).has(JobState.RETRY, "billing.bill").hasNoDead();
	}

	@Test
	void customerWhomAnotherReplicaBillsIsLeftToIt() {
		Lease other = this.locket.occupy("billing.bill", 42, MAY);
		this.jobs.enqueue("billing.bill", 42, MAY);
		assertThat(this.locket.drain()).hasRunNothing();
		assertThat(this.locket).has(JobState.PARKED, "billing.bill");
		other.close();
		assertThat(this.locket.drain()).hasRun("billing.bill");
	}

	@Test
	@Transactional
	void jobIsEnqueuedWithTheCommit() {
		EnqueueResult result = this.jobs.enqueue("billing.bill", 42, MAY);
		assertThat(result).isInstanceOf(EnqueueResult.Deferred.class);
		assertThat(this.locket).hasEnqueuedNothing().hasDeferred("billing.bill");
		TestTransaction.flagForCommit();
		TestTransaction.end();
		assertThat(this.locket).hasEnqueued("billing.bill");
	}

}
