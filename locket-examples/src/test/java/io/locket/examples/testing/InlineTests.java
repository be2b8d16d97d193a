package io.locket.examples.testing;

import io.locket.job.Jobs;
import io.locket.test.LocketTestMode;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.times;

@SpringBootTest
@AutoConfigureLocketTest(mode = LocketTestMode.INLINE)
class InlineTests {

	@Autowired
	private Jobs jobs;

	@MockitoBean
	private Printer printer;

	@Test
	void customerIsBilledAtOnce() {
		this.jobs.enqueue("billing.bill", 42, "2026-05");
		this.jobs.enqueue("billing.bill", 42, "2026-05");
		then(this.printer).should(times(2)).print("42 2026-05");
	}

}
