package io.locket.examples.leases;

import java.util.concurrent.locks.Lock;

import io.locket.examples.Examples;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/leases.md.
 */
class LeaseExamplesTests {

	@Test
	void secondLeaseOfAKeyIsRefused() {
		Examples.application(ProgrammaticLeases.class)
			.run((context) -> assertThat(context.getBean(ProgrammaticLeases.class).firstIsGrantedAndSecondIsNot())
				.isTrue());
	}

	@Test
	void lockOfTheRegistryExcludesTheLeaseOfItsKey() {
		Examples.application(ProgrammaticLeases.class).run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			Lock lock = context.getBean(ProgrammaticLeases.class).lockOfTheRegistry();
			assertThat(lock.tryLock()).isTrue();
			assertThat(leases.tryAcquire("nightly", "report")).isEmpty();
			lock.unlock();
			try (Lease lease = leases.tryAcquire("nightly", "report").orElseThrow()) {
				assertThat(lock.tryLock()).isFalse();
			}
		});
	}

}
