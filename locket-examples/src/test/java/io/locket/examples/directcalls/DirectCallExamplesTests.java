package io.locket.examples.directcalls;

import io.locket.DuplicateJobException;
import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the examples in docs/direct-calls.md.
 */
class DirectCallExamplesTests {

	@Test
	void annotationOfTheApplicationWaitsForItsTime() {
		Examples.application(Exports.class).run((context) -> {
			Exports exports = context.getBean(Exports.class);
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.job("exports.export").times().waitFor()).hasMillis(20);
			assertThat(exports.export("customers")).isEqualTo("customers.csv");
			LeaseRequest other = LeaseRequest.of(jobs.keyOf("exports.export", "customers"));
			try (Lease held = context.getBean(LeaseService.class).tryAcquire(other).orElseThrow()) {
				assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> exports.export("customers"));
				assertThat(exports.export("invoices")).isEqualTo("invoices.csv");
			}
		});
	}

}
