package io.locket.sample.web;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.locket.sample.artifact.ArtifactReport;
import io.locket.sample.artifact.InventoryRepository;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for the inventory.
 */
@RestController
class ArtifactController {

	private final InventoryRepository inventory;

	ArtifactController(InventoryRepository inventory) {
		this.inventory = inventory;
	}

	@GetMapping("/artifacts")
	List<ArtifactView> artifacts() {
		List<ArtifactReport> reports = this.inventory.findAll();
		Map<String, Long> occurrences = reports.stream()
			.flatMap((report) -> report.packages().stream())
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		return reports.stream().map((report) -> ArtifactView.of(report, occurrences)).toList();
	}

}
