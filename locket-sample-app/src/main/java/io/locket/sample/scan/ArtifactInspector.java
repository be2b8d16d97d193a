package io.locket.sample.scan;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.locket.JobContext;
import io.locket.UniqueJob;
import io.locket.sample.artifact.Artifact;
import io.locket.sample.artifact.ArtifactReader;
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
	 */
	@UniqueJob(name = JOB, key = "#artifact.id")
	public void inspect(Artifact artifact, Offer offer) {
		offer.accept();
		try (OverlapWatch.Run run = this.overlaps.enter(artifact.id())) {
			this.inventory.save(this.reader.read(artifact));
			JobContext.required().ensureLease();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			offer.awaitOthers();
		}
	}

}
