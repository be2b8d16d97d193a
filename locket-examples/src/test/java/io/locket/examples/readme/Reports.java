package io.locket.examples.readme;

import java.util.ArrayList;
import java.util.List;

import io.locket.lease.Lease;
import io.locket.lease.LeaseService;

import org.springframework.stereotype.Service;

@Service
public class Reports {

	private final LeaseService leases;

	private final List<Long> written = new ArrayList<>();

	Reports(LeaseService leases) {
		this.leases = leases;
	}

	void nightly() {
		try (Lease lease = this.leases.tryAcquire("nightly", "report").orElseThrow()) {
			write(lease.fencingToken());
			lease.ensureHeld();
		}
	}

	private void write(long fencingToken) {
		this.written.add(fencingToken);
	}

	List<Long> written() {
		return this.written;
	}

}
