package io.locket.sample.scan;

import java.io.IOException;

import io.locket.JobContext;
import io.locket.UniqueJob;
import io.locket.sample.artifact.Artifact;
import io.locket.sample.artifact.ArtifactReader;
import io.locket.sample.artifact.ArtifactReport;
import io.locket.sample.artifact.InventoryRepository;

import org.springframework.stereotype.Component;

/**
 * Inspects artifacts, each one once at a time in the whole fleet.
 */
@Component
public class ArtifactInspector {

	static final String JOB = "inventory.inspect";

	private final ArtifactReader reader;

	private final InventoryRepository inventory;

	private final OverlapWatch overlaps;

	ArtifactInspector(ArtifactReader reader, InventoryRepository inventory, OverlapWatch overlaps) {
		this.reader = reader;
		this.inventory = inventory;
		this.overlaps = overlaps;
	}

	/**
	 * Inspect an artifact and store what was found. A call that comes while another
	 * thread or replica inspects the same artifact is skipped.
	 * @param artifact the artifact, whose id is the key
	 * @param offer the call itself, which is no part of the key
	 * @throws IOException if the artifact cannot be read
	 */
	@UniqueJob(name = JOB, key = "#artifact.id")
	public void inspect(Artifact artifact, Offer offer) throws IOException {
		offer.accept();
		this.overlaps.watch(artifact.id(), () -> {
			try {
				ArtifactReport report = this.reader.read(artifact);
				JobContext.required().ensureLease();
				this.inventory.save(report);
			}
			finally {
				offer.awaitOthers();
			}
		});
	}

}
