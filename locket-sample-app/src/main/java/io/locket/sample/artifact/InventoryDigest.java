package io.locket.sample.artifact;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import io.locket.UniqueJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.stereotype.Component;

/**
 * Job that logs a summary of the inventory.
 */
@Component
public class InventoryDigest {

	private static final Log logger = LogFactory.getLog(InventoryDigest.class);

	private final InventoryRepository inventory;

	InventoryDigest(InventoryRepository inventory) {
		this.inventory = inventory;
	}

	/**
	 * Logs the totals and the largest artifacts.
	 * @param largest the number of artifacts to log
	 */
	@UniqueJob(name = "inventory.digest", queue = "recurring")
	public void digest(int largest) {
		List<ArtifactReport> reports = this.inventory.findAll();
		long size = reports.stream().mapToLong(ArtifactReport::size).sum();
		String names = reports.stream()
			.sorted(Comparator.comparingLong(ArtifactReport::size).reversed())
			.limit(largest)
			.map(ArtifactReport::name)
			.collect(Collectors.joining(", "));
		logger.info(reports.size() + ((reports.size() == 1) ? " artifact" : " artifacts") + " of " + size
				+ " bytes; the largest: " + names);
	}

}
