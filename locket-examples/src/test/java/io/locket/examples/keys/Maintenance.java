package io.locket.examples.keys;

import java.time.Instant;
import java.time.YearMonth;
import java.util.Optional;

import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;

import org.springframework.stereotype.Component;

@Component
class Maintenance {

	private final LeaseService leases;

	private final UniqueJobs jobs;

	Maintenance(LeaseService leases, UniqueJobs jobs) {
		this.leases = leases;
		this.jobs = jobs;
	}

	Optional<Lease> begin(YearMonth may, Instant now) {
		LeaseService leases = this.leases;
		UniqueJobs jobs = this.jobs;
		Optional<Lease> lease = leases.tryAcquire(LeaseRequest.of(jobs.keyOf("billing.bill", 42, may, now)));
		return lease;
	}

}
