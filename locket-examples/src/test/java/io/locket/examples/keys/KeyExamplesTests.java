package io.locket.examples.keys;

import java.time.Instant;
import java.time.YearMonth;

import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the examples of docs/keys.md.
 */
class KeyExamplesTests {

	@Test
	void keyIsMadeOfTheArgumentsThatCount() {
		Examples.application(Billing.class).run((context) -> {
			Billing billing = context.getBean(Billing.class);
			YearMonth may = YearMonth.of(2026, 5);
			billing.bill(42, may, Instant.now());
			assertThat(billing.invoices()).containsExactly("42 2026-05");
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.keyOf("billing.bill", 42, may, Instant.now())).hasToString("billing.bill[42,\"2026-05\"]");
			assertThat(jobs.canonicalKey("billing.bill", 42, may, Instant.now()))
				.isEqualTo("[\"billing.bill\",[42,\"2026-05\"]]");
		});
	}

	@Test
	void generatorMakesTheKeyOfTheJobThatNamesIt() {
		Examples.application(Mailboxes.class, Billing.class).run((context) -> {
			Mailboxes.Fetcher fetcher = context.getBean(Mailboxes.Fetcher.class);
			fetcher.fetch(" Info@Example.org");
			assertThat(fetcher.read()).containsExactly("Info@Example.org");
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.keyOf("fetcher.fetch", " Info@Example.org"))
				.isEqualTo(jobs.keyOf("fetcher.fetch", "info@example.org"))
				.isNotEqualTo(jobs.keyOf("fetcher.fetch", "sales@example.org"));
			assertThat(jobs.keyOf("billing.bill", 42, YearMonth.of(2026, 5), Instant.now()))
				.hasToString("billing.bill[42,\"2026-05\"]");
		});
	}

}
