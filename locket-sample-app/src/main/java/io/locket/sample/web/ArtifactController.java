package io.locket.sample.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.locket.sample.artifact.Artifact;
import io.locket.sample.artifact.ArtifactReport;
import io.locket.sample.artifact.InventoryRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists the inventory.
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

	/**
	 * An artifact as the outside sees it.
	 */
	record ArtifactView(String id, String name, Artifact.Kind kind, String location, @Nullable String version,
			String sha256, long size, int classes, int packages, List<String> sharedPackages, Instant inspected) {

		static ArtifactView of(ArtifactReport report, Map<String, Long> occurrences) {
			List<String> shared = report.packages().stream().filter((name) -> occurrences.get(name) > 1).toList();
			return new ArtifactView(report.id(), report.name(), report.kind(), report.location(), report.version(),
					report.sha256(), report.size(), report.classes(), report.packages().size(), shared,
					report.inspected());
		}

	}

}
