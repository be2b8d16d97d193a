package io.locket.examples.readme;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureLocketTest
class BillingTests {

	@Autowired
	private Jobs jobs;

	@Autowired
	private LocketTester locket;

	@Test
	void customerIsBilledAfterAnHour() {
		this.jobs.enqueue(Billing.class, (billing) -> billing.bill(42, YearMonth.of(2026, 5), Instant.now()),
				EnqueueOptions.in(Duration.ofHours(1)));
		assertThat(this.locket.drain()).hasRunNothing();
		assertThat(this.locket.advanceAndDrain(Duration.ofHours(1))).hasRun("billing.bill");
	}

}
