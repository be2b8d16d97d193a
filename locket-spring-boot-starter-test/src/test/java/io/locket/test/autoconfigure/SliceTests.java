package io.locket.test.autoconfigure;

import io.locket.job.Jobs;
import io.locket.test.LocketTester;
import io.locket.test.service.Billing;
import io.locket.test.service.TestService;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigureLocketTest} in a test slice, which has no auto-configured
 * Redis.
 */
@JsonTest(properties = "locket.namespace=test")
@ContextConfiguration(classes = TestService.class)
@AutoConfigureLocketTest
class SliceTests {

	@Autowired
	private Jobs jobs;

	@Autowired
	private LocketTester locket;

	@Autowired
	private Billing billing;

	@Test
	void jobsAreDriven(@Autowired ApplicationContext context) {
		assertThat(context.containsBean("redisConnectionFactory")).isFalse();
		this.jobs.enqueue("billing.bill", 42, "2026-05", "x");
		assertThat(this.locket.drain()).hasRun("billing.bill");
		assertThat(this.billing.done()).containsExactly("bill 42 2026-05 x");
	}

}
