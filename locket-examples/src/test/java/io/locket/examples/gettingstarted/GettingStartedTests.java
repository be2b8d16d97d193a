package io.locket.examples.gettingstarted;

import io.locket.examples.Examples;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.Schedules;
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
	void monthEndFiresAndWorkersBill(CapturedOutput output) {
		Examples.application(BillingApplication.class)
			.withInitializer(Examples.configurationOf("docs/getting-started.md"))
			.withPropertyValues("locket.schedules.month-end.cron=* * * * * *")
			.run((context) -> {
				await().untilAsserted(() -> assertThat(output).contains("Billing customer 1 for 2026-05",
						"Billing customer 3 for 2026-05"));
				assertThat(context.getBean(Schedules.class).get("month-end").orElseThrow().lastResult())
					.isInstanceOf(EnqueueResult.Accepted.class);
			});
	}

}
