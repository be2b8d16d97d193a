package io.locket.examples.gettingstarted;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.queue.JobStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the application of docs/getting-started.md.
 */
@ExtendWith(OutputCaptureExtension.class)
class GettingStartedTests {

	@Test
	void oneReplicaEnqueuesAndWorkersBill(CapturedOutput output) {
		Examples.application(BillingApplication.class)
			.withInitializer(Examples.configurationOf("docs/getting-started.md"))
			.withPropertyValues("billing.cron=-")
			.run((context) -> {
				JobStore store = context.getBean(JobStore.class);
				MonthEnd monthEnd = context.getBean(MonthEnd.class);
				monthEnd.enqueueInvoices();
				monthEnd.enqueueInvoices();
				await().until(() -> store.counts("default").in(JobState.SUCCEEDED) == 3);
				assertThat(store.counts("default").accepted()).isEqualTo(3);
				assertThat(output).contains("Billing customer 1 for 2026-05", "Billing customer 3 for 2026-05");
			});
	}

}
