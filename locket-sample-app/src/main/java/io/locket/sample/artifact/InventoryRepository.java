package io.locket.sample.artifact;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.data.redis.core.BoundHashOperations;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * The reports, in Redis: every replica sees the same.
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
	 * Store a report in the place of the artifact's last one.
	 * @param report the report
	 */
	public void save(ArtifactReport report) {
		this.reports.put(report.id(), this.json.writeValueAsString(report));
	}

	/**
	 * Return every report.
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
	 * Forget the artifacts that are no longer there.
	 * @param ids the ids of those that are
	 */
	public void retain(Collection<String> ids) {
		Object[] gone = this.reports.keys().stream().filter((id) -> !ids.contains(id)).toArray();
		if (gone.length > 0) {
			this.reports.delete(gone);
		}
	}

}
