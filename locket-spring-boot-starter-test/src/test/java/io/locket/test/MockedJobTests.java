package io.locket.test;

import java.time.YearMonth;

import io.locket.job.Jobs;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import io.locket.test.service.Billing;
import io.locket.test.service.TestService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.then;

/**
 * Tests for a job bean that the test replaces.
 */
class MockedJobTests {

	@Nested
	@SpringBootTest(classes = TestService.class, properties = "spring.data.redis.port=1")
	@AutoConfigureLocketTest
	class Mock {

		@MockitoBean
		private Billing billing;

		@Autowired
		private Jobs jobs;

		@Autowired
		private LocketTester locket;

		@Test
		void mockIsEnqueuedAndRun() throws Exception {
			this.jobs.enqueue(Billing.class, (billing) -> billing.bill(42, YearMonth.of(2026, 5), "x"));
			this.jobs.enqueue("billing.bill", 43, "2026-05", "x");
			assertThat(this.locket).hasEnqueued("billing.bill").withArguments(42, "2026-05", "x").times(1);
			assertThat(this.locket.drain()).hasRun("billing.bill", "billing.bill");
			then(this.billing).should().bill(42, YearMonth.of(2026, 5), "x");
			then(this.billing).should().bill(43, YearMonth.of(2026, 5), "x");
		}

	}

	@Nested
	@SpringBootTest(classes = TestService.class, properties = "spring.data.redis.port=1")
	@AutoConfigureLocketTest
	class Spy {

		@MockitoSpyBean
		private Billing billing;

		@Autowired
		private Jobs jobs;

		@Autowired
		private LocketTester locket;

		@BeforeEach
		void reset() {
			this.billing.reset();
		}

		@Test
		void spyIsEnqueuedAndRun() throws Exception {
			this.jobs.enqueue(Billing.class, (billing) -> billing.bill(42, YearMonth.of(2026, 5), "x"));
			assertThat(this.locket.drain()).hasRun("billing.bill");
			then(this.billing).should().bill(42, YearMonth.of(2026, 5), "x");
			assertThat(this.billing.done()).hasSize(1);
		}

	}

}
