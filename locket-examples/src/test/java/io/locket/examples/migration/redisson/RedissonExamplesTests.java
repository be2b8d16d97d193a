package io.locket.examples.migration.redisson;

import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the examples in docs/migration/redisson.md.
 */
class RedissonExamplesTests {

	@Test
	void locksOfBothDoNotExcludeOneAnother() {
		Examples.application(Exports.class, RedissonConfiguration.class).run((context) -> {
			OldExports old = new OldExports(context.getBean(RedissonClient.class));
			Exports exports = context.getBean(Exports.class);
			try (Lease held = lease(context.getBean(UniqueJobs.class), context.getBean(LeaseService.class))) {
				assertThat(old.export("customers")).isTrue();
				assertThat(old.exportFenced("customers")).isTrue();
				assertThat(held.isHeld()).isTrue();
			}
			exports.export("customers");
			long first = exports.token();
			exports.export("customers");
			assertThat(exports.token()).isGreaterThan(first);
			assertThat(old.exports()).isEqualTo(2);
		});
	}

	@Test
	void replicaThatHoldsBothIsExcludedByEither() {
		Examples.application(HeldBoth.class, RedissonConfiguration.class).run((context) -> {
			HeldBoth exports = context.getBean(HeldBoth.class);
			RLock old = context.getBean(RedissonClient.class).getLock("export:customers");
			Thread other = new Thread(old::lock);
			other.start();
			other.join();
			assertThatIllegalStateException().isThrownBy(() -> exports.export("customers"));
			old.forceUnlock();
			exports.export("customers");
			assertThat(exports.exports()).isOne();
		});
	}

	private static Lease lease(UniqueJobs jobs, LeaseService leases) {
		return leases.tryAcquire(LeaseRequest.of(jobs.keyOf("export", "customers"))).orElseThrow();
	}

}
