package io.locket.examples.howto.fanout;

import java.time.YearMonth;

import io.locket.JobState;
import io.locket.job.Jobs;
import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/how-to/fan-out.md.
 */
@SpringBootTest
@AutoConfigureLocketTest
class FanOutTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	@Autowired
	private MonthEnd monthEnd;

	@Autowired
	private Jobs jobs;

	@Autowired
	private Statements statements;

	@Autowired
	private LocketTester locket;

	@BeforeEach
	void forget() {
		this.statements.sent().clear();
	}

	@Test
	void eachCustomerHasAJob() {
		this.monthEnd.sendAll(MAY);
		assertThat(this.locket).hasEnqueued("statements.send").asAccepted().times(2500);
		assertThat(this.locket.jobs(JobState.READY)).hasSize(2500)
			.extracting("id")
			.contains("statement-2026-05-1", "statement-2026-05-2500");
	}

	@Test
	void repeatedParentEnqueuesNoJobAgain() {
		this.monthEnd.sendAll(MAY);
		this.monthEnd.sendAll(MAY);
		assertThat(this.locket).has(JobState.READY, 2500);
	}

	@Test
	void childRunsForItsCustomer() {
		this.jobs.enqueue("statements.send", 42, MAY);
		this.locket.drain();
		assertThat(this.statements.sent()).containsExactly("42 2026-05");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Customers.class, MonthEnd.class, Statements.class })
	static class Application {

	}

}
