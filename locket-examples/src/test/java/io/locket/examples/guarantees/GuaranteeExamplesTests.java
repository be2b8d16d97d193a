package io.locket.examples.guarantees;

import java.time.YearMonth;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/guarantees.md.
 */
class GuaranteeExamplesTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	@Test
	void storeRefusesTheRunWhoseLeaseIsGone() {
		Examples.application(Billing.class, Invoices.class).run((context) -> {
			Billing billing = context.getBean(Billing.class);
			CountDownLatch begun = new CountDownLatch(1);
			CountDownLatch gate = new CountDownLatch(1);
			billing.computeBy(Billing.pausing(begun, gate, "stale"));
			CompletableFuture<Boolean> stale = CompletableFuture.supplyAsync(() -> billing.bill(42, MAY));
			begun.await();
			context.getBean(LeaseService.class)
				.forceRelease(context.getBean(UniqueJobs.class).keyOf("billing.bill", 42, MAY).digest());
			billing.computeBy(() -> "new");
			assertThat(billing.bill(42, MAY)).isTrue();
			gate.countDown();
			assertThat(stale.join()).isFalse();
			assertThat(context.getBean(Invoices.class).find(42, MAY)).isEqualTo("new");
		});
	}

}
