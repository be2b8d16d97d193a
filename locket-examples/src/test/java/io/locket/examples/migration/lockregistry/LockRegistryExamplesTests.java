package io.locket.examples.migration.lockregistry;

import java.util.concurrent.locks.Lock;

import io.locket.DuplicateJobException;
import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the examples in docs/migration/redis-lock-registry.md. A second registry
 * represents the replicas that have not changed yet.
 */
class LockRegistryExamplesTests {

	private static final String DIGEST = "\"export\",[\"customers\"]";

	private final ApplicationContextRunner application = Examples.application(UniqueExports.class)
		.withInitializer(Examples.configurationOf("docs/migration/redis-lock-registry.md"))
		.withPropertyValues("export.wait=50ms");

	@Test
	void oldReplicaWithTheDigestAsItsPathExcludesAndIsExcluded() {
		this.application.run((context) -> {
			RedisLockRegistry old = new RedisLockRegistry(context.getBean(RedisConnectionFactory.class), "locks");
			UniqueExports exports = context.getBean(UniqueExports.class);
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.canonicalKey("export", "customers")).isEqualTo("[" + DIGEST + "]");
			String path = jobs.keyOf("export", "customers").digest();
			Lock lock = old.obtain(path);
			lock.lock();
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> exports.export("customers"));
			lock.unlock();
			exports.export("customers");
			assertThat(exports.exports()).isOne();
			Exports before = new Exports(old);
			LeaseService leases = context.getBean(LeaseService.class);
			try (Lease held = leases.tryAcquire(LeaseRequest.of(jobs.keyOf("export", "customers"))).orElseThrow()) {
				assertThat(before.export(path)).isFalse();
			}
			assertThat(before.export(path)).isTrue();
			old.destroy();
		});
	}

	@Test
	void oldReplicaWithAPathOfItsOwnIsNotExcluded() {
		this.application.run((context) -> {
			RedisLockRegistry old = new RedisLockRegistry(context.getBean(RedisConnectionFactory.class), "locks");
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			LeaseService leases = context.getBean(LeaseService.class);
			try (Lease held = leases.tryAcquire(LeaseRequest.of(jobs.keyOf("export", "customers"))).orElseThrow()) {
				assertThat(new Exports(old).export("export-customers")).isTrue();
			}
			old.destroy();
		});
	}

	@Test
	void replicaThatHoldsBothIsExcludedByTheOldPath() {
		Examples.application(HeldBoth.class, OldRegistry.class).run((context) -> {
			HeldBoth exports = context.getBean(HeldBoth.class);
			RedisLockRegistry old = new RedisLockRegistry(context.getBean(RedisConnectionFactory.class), "locks");
			Lock lock = old.obtain("export-customers");
			lock.lock();
			exports.export("customers");
			assertThat(exports.exports()).isZero();
			lock.unlock();
			exports.export("customers");
			assertThat(exports.exports()).isOne();
			old.destroy();
		});
	}

}
