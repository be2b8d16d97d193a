package io.locket.sample.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists the leases that the fleet holds.
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

	/**
	 * A lease as the outside sees it.
	 */
	record LeaseView(@Nullable String job, @Nullable String key, String instance, String thread,
			@Nullable Instant since, @Nullable Long ageMs, @Nullable Long remainingMs, long fencingToken) {

		static LeaseView of(HeldLease lease) {
			return new LeaseView(lease.job(), lease.key(), lease.holder().instance(), lease.holder().thread(),
					lease.holder().since(), millis(lease.age()), millis(lease.remaining()),
					lease.holder().fencingToken());
		}

		private static @Nullable Long millis(@Nullable Duration duration) {
			return (duration != null) ? duration.toMillis() : null;
		}

	}

}
