package io.locket.examples.tutorial;

import java.time.YearMonth;

import com.example.billing.BillController;
import com.example.billing.BillingApplication;
import io.locket.examples.Examples;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the application in docs/tutorial.md.
 */
@ExtendWith(OutputCaptureExtension.class)
class TutorialTests {

	/**
	 * Returns the application, with enum values as a plain environment reads them.
	 */
	private static ApplicationContextRunner application() {
		return Examples.application(BillingApplication.class)
			.withInitializer(Examples.configurationOf("docs/tutorial.md"))
			.withPropertyValues("management.endpoint.locket.access=UNRESTRICTED",
					"management.endpoint.locket.show-arguments=ALWAYS");
	}

	@Test
	void monthEndFiresAndWorkersBill(CapturedOutput output) {
		application().withPropertyValues("locket.schedules.month-end.cron=* * * * * *").run((context) -> {
			await().untilAsserted(() -> assertThat(output).contains("Billed customer 1 for 2026-05",
					"Billed customer 3 for 2026-05"));
			assertThat(context.getBean(Schedules.class).get("month-end").orElseThrow().lastResult())
				.isInstanceOf(EnqueueResult.Accepted.class);
		});
	}

	@Test
	void secondBillIsADuplicateAndCustomerZeroIsADeadLetter() {
		application()
			.withPropertyValues("billing.seconds=20", "locket.worker.shutdown-grace=100ms",
					"locket.schedules.month-end.enabled=false")
			.run((context) -> {
				BillController controller = context.getBean(BillController.class);
				assertThat(controller.bill(1, YearMonth.of(2026, 6))).startsWith("Accepted[");
				assertThat(controller.bill(1, YearMonth.of(2026, 6))).startsWith("Duplicate[");
				assertThat(controller.bill(0, YearMonth.of(2026, 6))).startsWith("Accepted[");
				await().untilAsserted(() -> assertThat(
						context.getBean(JobAdministration.class).list(JobFilter.dead(), 10, null).jobs())
					.singleElement()
					.satisfies((job) -> assertThat(job.job()).isEqualTo("billing.bill")));
			});
	}

}
