package io.locket.queue.spi;

import java.util.List;

import io.locket.queue.QueueHarness;
import io.locket.queue.QueueUnderTest;
import io.locket.queue.QueueUser;
import io.locket.queue.Violation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class that runs the tests of a class on each implementation, and verifies the
 * invariants after each test.
 */
@ParameterizedClass
@EnumSource(QueueUnderTest.class)
public abstract class AbstractQueueTests {

	@Parameter
	public QueueUnderTest implementation;

	public QueueHarness harness;

	public JobQueue queue;

	public JobStore store;

	public QueueUser user;

	@BeforeEach
	public void createQueue() {
		this.harness = this.implementation.create();
		this.queue = this.harness.queue();
		this.store = this.harness.store();
		this.user = new QueueUser(this.harness);
	}

	@AfterEach
	public void verifyAndCloseQueue() {
		List<Violation> violations = this.store.verify();
		this.harness.close();
		assertThat(violations).isEmpty();
	}

	public static String[] ids(List<ReservedJob> jobs) {
		return jobs.stream().map((job) -> job.record().id()).toArray(String[]::new);
	}

}
