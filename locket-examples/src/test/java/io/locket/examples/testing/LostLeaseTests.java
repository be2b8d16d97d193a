package io.locket.examples.testing;

import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobContext;
import io.locket.LeaseLostException;
import io.locket.job.Jobs;
import io.locket.test.DrainedJobs;
import io.locket.test.LocketTester;
import io.locket.test.RanJob;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.willAnswer;

/**
 * Example of a test with a lost lease.
 */
@SpringBootTest
@AutoConfigureLocketTest
class LostLeaseTests {

	@Autowired
	private Jobs jobs;

	@Autowired
	private LocketTester locket;

	@MockitoBean
	private Printer printer;

	@Test
	void billingStopsWhenItsLeaseIsLost() {
		AtomicInteger prints = new AtomicInteger();
		willAnswer((call) -> {
			if (prints.incrementAndGet() == 1) {
				this.locket.loseLease();
				assertThatExceptionOfType(LeaseLostException.class).isThrownBy(JobContext.required()::ensureLease);
			}
			return null;
		}).given(this.printer).print(anyString());
		this.jobs.enqueue("billing.bill", 42, "2026-05");
		DrainedJobs drained = this.locket.drain();
		assertThat(drained.runs()).extracting(RanJob::counted).containsExactly(false, true);
	}

}
