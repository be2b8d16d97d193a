package io.locket.sample.web;

import java.net.URI;

import io.locket.sample.scan.ScanJournal;
import io.locket.sample.scan.ScanService;
import io.locket.sample.scan.ScanStatus;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for scans. It starts them and returns the last scan of the fleet.
 */
@RestController
@RequestMapping("/scans")
class ScanController {

	private final ScanService scans;

	private final ScanJournal journal;

	ScanController(ScanService scans, ScanJournal journal) {
		this.scans = scans;
		this.journal = journal;
	}

	@PostMapping
	ResponseEntity<ScanStatus> start() {
		// A refused scan has already failed, and a running scan has no result yet.
		this.scans.scan().getNow(null);
		return ResponseEntity.accepted().location(URI.create("/scans/last")).body(this.journal.last().orElse(null));
	}

	@GetMapping("/last")
	ResponseEntity<ScanStatus> last() {
		return ResponseEntity.of(this.journal.last());
	}

}
