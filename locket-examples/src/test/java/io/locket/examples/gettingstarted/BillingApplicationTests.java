package io.locket.examples.gettingstarted;

import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureLocketTest
class BillingApplicationTests {

	@Autowired
	private MonthEnd monthEnd;

	@Autowired
	private LocketTester locket;

	@Test
	void eachCustomerIsBilled() {
		this.monthEnd.enqueueInvoices();
		assertThat(this.locket).hasEnqueued("billing.bill").withArguments(1, "2026-05");
		assertThat(this.locket.drain()).hasRun("billing.bill", "billing.bill", "billing.bill");
	}

}
