package io.locket.queue;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the tests of a class on each implementation, and checks the invariants after each.
 */
@ParameterizedClass
@EnumSource(QueueUnderTest.class)
public abstract class AbstractQueueTests {

	@Parameter
	QueueUnderTest implementation;

	QueueHarness harness;

	JobQueue queue;

	JobStore store;

	QueueUser user;

	@BeforeEach
	void createQueue() {
		this.harness = this.implementation.create();
		this.queue = this.harness.queue();
		this.store = this.harness.store();
		this.user = new QueueUser(this.harness);
	}

	@AfterEach
	void verifyAndCloseQueue() {
		List<Violation> violations = this.store.verify();
		this.harness.close();
		assertThat(violations).isEmpty();
	}

	public static String[] ids(List<ReservedJob> jobs) {
		return jobs.stream().map((job) -> job.record().id()).toArray(String[]::new);
	}

}
