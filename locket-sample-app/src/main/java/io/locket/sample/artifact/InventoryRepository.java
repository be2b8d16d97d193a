package io.locket.sample.artifact;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.data.redis.core.BoundHashOperations;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Repository of the reports, in Redis for all replicas.
 */
@Repository
public class InventoryRepository {

	private final BoundHashOperations<String, String, String> reports;

	private final JsonMapper json;

	InventoryRepository(StringRedisTemplate redis, JsonMapper json) {
		this.reports = redis.boundHashOps("inventory:artifacts");
		this.json = json;
	}

	/**
	 * Stores a report, in place of the previous report of the artifact.
	 * @param report the report
	 */
	public void save(ArtifactReport report) {
		this.reports.put(report.id(), this.json.writeValueAsString(report));
	}

	/**
	 * Returns all reports.
	 * @return the reports, by id
	 */
	public List<ArtifactReport> findAll() {
		return this.reports.values()
			.stream()
			.map((value) -> this.json.readValue(value, ArtifactReport.class))
			.sorted(Comparator.comparing(ArtifactReport::id))
			.toList();
	}

	/**
	 * Removes the reports of artifacts that no longer exist.
	 * @param ids the ids of the existing artifacts
	 */
	public void retain(Collection<String> ids) {
		Object[] gone = this.reports.keys().stream().filter((id) -> !ids.contains(id)).toArray();
		if (gone.length > 0) {
			this.reports.delete(gone);
		}
	}

}
