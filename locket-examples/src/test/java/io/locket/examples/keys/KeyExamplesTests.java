package io.locket.examples.keys;

import java.time.Instant;
import java.time.YearMonth;
import java.util.List;

import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/keys.md.
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
	void programmaticLeaseOfTheKeyOfAJobExcludesItsCalls() {
		Examples.application(Billing.class, Maintenance.class).run((context) -> {
			Billing billing = context.getBean(Billing.class);
			YearMonth may = YearMonth.of(2026, 5);
			try (Lease lease = context.getBean(Maintenance.class).begin(may, Instant.EPOCH).orElseThrow()) {
				assertThat(lease.isHeld()).isTrue();
				billing.bill(42, may, Instant.now());
				assertThat(billing.invoices()).isEmpty();
			}
			billing.bill(42, may, Instant.now());
			assertThat(billing.invoices()).hasSize(1);
		});
	}

	@Test
	void partsOfAProgrammaticLeaseAreAList() {
		Examples.application().run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			JobKeys keys = context.getBean(JobKeys.class);
			assertThat(leases.keyOf("billing.bill", 42)).isEqualTo(keys.keyOf("billing.bill", List.of(42), false))
				.hasToString("billing.bill[42]")
				.isNotEqualTo(keys.keyOf("billing.bill", 42, false));
			assertThat(keys.keyOf("billing.bill", 42, false)).hasToString("billing.bill(42)");
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

	@Test
	void kindsOfWorkShareTheKeyOfOneJob() {
		Examples.application(SharedAccounts.class).run((context) -> {
			SharedAccounts accounts = context.getBean(SharedAccounts.class);
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			LeaseRequest request = LeaseRequest.of(jobs.keyOf("account", SharedAccounts.AccountWork.CLOSE, 42));
			try (Lease closing = context.getBean(LeaseService.class).tryAcquire(request).orElseThrow()) {
				accounts.work(SharedAccounts.AccountWork.REPORT, 42);
				assertThat(closing.isHeld()).isTrue();
				assertThat(accounts.done()).isEmpty();
			}
			accounts.work(SharedAccounts.AccountWork.REPORT, 42);
			assertThat(accounts.done()).containsExactly("report 42");
		});
	}

}
