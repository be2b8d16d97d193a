package com.example.billing;

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
	private MonthEnd monthEnd;

	@Autowired
	private LocketTester locket;

	@Test
	void eachCustomerIsBilledOnce() {
		this.monthEnd.enqueueBills();
		this.monthEnd.enqueueBills();
		assertThat(this.locket).hasEnqueued("billing.bill").withArguments(1, "2026-05").asAccepted().times(1);
		assertThat(this.locket.drain()).hasRun("billing.bill", "billing.bill", "billing.bill");
	}

}
