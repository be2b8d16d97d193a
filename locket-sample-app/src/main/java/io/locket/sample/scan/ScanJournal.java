package io.locket.sample.scan;

import java.util.Optional;

import io.locket.lease.LeaseService;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Journal of the last scan, in Redis for all replicas.
 */
@Repository
public class ScanJournal {

	private static final String KEY = "inventory:scan";

	private final StringRedisTemplate redis;

	private final JsonMapper json;

	private final LeaseService leases;

	ScanJournal(StringRedisTemplate redis, JsonMapper json, LeaseService leases) {
		this.redis = redis;
		this.json = json;
		this.leases = leases;
	}

	void write(ScanStatus status) {
		this.redis.opsForValue().set(KEY, this.json.writeValueAsString(status));
	}

	/**
	 * Returns the last scan of the fleet. A scan without an end whose lease is not held
	 * was lost with its replica.
	 * @return the scan, or empty if there was none
	 */
	public Optional<ScanStatus> last() {
		return read().map((status) -> (status.state() != ScanStatus.State.RUNNING || isHeld(status)) ? status
				: read().filter((now) -> !now.equals(status)).orElseGet(status::lost));
	}

	private Optional<ScanStatus> read() {
		return Optional.ofNullable(this.redis.opsForValue().get(KEY))
			.map((value) -> this.json.readValue(value, ScanStatus.class));
	}

	private boolean isHeld(ScanStatus status) {
		return this.leases.held(100)
			.stream()
			.anyMatch((lease) -> ScanService.JOB.equals(lease.job()) && lease.holder().fencingToken() == status.id());
	}

}
