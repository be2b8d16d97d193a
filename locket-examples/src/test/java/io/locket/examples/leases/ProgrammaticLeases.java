package io.locket.examples.leases;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;

import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.stereotype.Component;

@Component
class ProgrammaticLeases {

	private final LeaseService leases;

	private final LockRegistry<?> registry;

	ProgrammaticLeases(LeaseService leases, LockRegistry<?> registry) {
		this.leases = leases;
		this.registry = registry;
	}

	boolean firstIsGrantedAndSecondIsNot() {
		LeaseService leases = this.leases;
		Optional<Lease> lease = leases.tryAcquire("nightly", "report");
		Optional<Lease> patient = leases.tryAcquire(LeaseRequest.of(leases.keyOf("nightly", "report"))
			.lasting(Duration.ofMinutes(2))
			.waiting(Duration.ofMillis(200))
			.holdingAtLeast(Duration.ofSeconds(30)));
		lease.ifPresent(Lease::close);
		return lease.isPresent() && patient.isEmpty();
	}

	Lock lockOfTheRegistry() {
		LeaseService leases = this.leases;
		LockRegistry<?> registry = this.registry;
		Lock lock = registry.obtain(leases.keyOf("nightly", "report").digest());
		return lock;
	}

}
