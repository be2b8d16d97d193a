package io.locket.sample.web;

import java.util.List;

import io.locket.lease.LeaseService;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for the leases of the fleet.
 */
@RestController
class LeaseController {

	private final LeaseService leases;

	LeaseController(LeaseService leases) {
		this.leases = leases;
	}

	@GetMapping("/leases")
	List<LeaseView> leases() {
		return this.leases.held(100).stream().map(LeaseView::of).toList();
	}

}
