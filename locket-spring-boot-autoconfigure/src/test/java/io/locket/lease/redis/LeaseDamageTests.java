package io.locket.lease.redis;

import java.time.Duration;

import io.locket.JobKey;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for damaged holder records, records of runs and fences.
 */
class LeaseDamageTests {

	private final LeaseFixture fixture = LeaseFixture.create();

	private final RedisLeaseService service = this.fixture.service;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "x", "null", "[]", "{}", "{\"job\":null,\"key\":null,\"instance\":null,\"thread\":null}",
					"{\"job\":\"job\",\"key\":\"[]\",\"instance\":{},\"thread\":[]}" })
	void holderWithADamagedRecordIsForeign(String body) {
		Lease lease = this.fixture.acquire("x");
		String digest = lease.key().digest();
		String record = ((RedisLease) lease).token() + " 1 1 " + body;
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(digest), record, Duration.ofSeconds(30));
		assertThat(this.service.find(lease.key())).map((held) -> held.holder().isForeign()).contains(true);
		assertThat(this.service.held(10)).hasSize(1);
		assertThat(this.service.tryAcquire(LeaseRequest.of(lease.key()))).isEmpty();
		lease.close();
		this.fixture.acquire("x").close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "1e300", "inf", "nan", "-1", "0x10", "99999999999999999999", "9007199254740993" })
	void damagedFenceGoesOnWithTheTime(String fence) {
		long last;
		try (Lease lease = this.fixture.acquire("x")) {
			last = lease.fencingToken();
		}
		this.fixture.redis.opsForValue().set(this.fixture.keys.fence(), fence);
		try (Lease lease = this.fixture.acquire("x")) {
			assertThat(lease.fencingToken()).isBetween(last + 1, last + 600_000_000L);
		}
		this.fixture.redis.opsForValue().set(this.fixture.keys.fence(), fence);
		Grant claim = this.fixture.scripts.claim(this.fixture.key("y"), "token", Duration.ofMinutes(1), "{}");
		assertThat(claim.fence()).isBetween(last + 1, last + 600_000_000L);
	}

	@ParameterizedTest
	@ValueSource(strings = { "no record", "{}\n[]", "{\"v\":1,\"t\":\"nonce\"}\n[]",
			"{\"v\":1,\"t\":\"nonce\",\"f\":{},\"st\":1,\"j\":\"job\",\"i\":\"i\",\"w\":\"w\",\"kl\":1,\"k\":\"x\"}\n[]",
			"{\"v\":1,\"t\":\"nonce\",\"f\":\"1\",\"st\":\"1\",\"j\":\"job\",\"i\":\"i\",\"w\":\"w\"}\n[]",
			"{\"v\":1,\"t\":\"nonce\",\"f\":\"1\",\"st\":1e999,\"j\":\"job\",\"i\":\"i\",\"w\":\"w\"}\n[]",
			"{\"v\":1,\"t\":\"nonce\",\"f\":\"1\",\"st\":1,\"j\":\"job\",\"i\":\"i\",\"w\":\"w\",\"kl\":1,\"k\":[]}\n[]",
			"{\"v\":2,\"t\":\"nonce\",\"f\":\"1\",\"st\":1,\"j\":\"job\",\"i\":\"i\",\"w\":\"w\"}\n[]" })
	void runWithADamagedRecordIsForeign(String record) {
		JobKey key = this.fixture.key("x");
		this.fixture.redis.opsForHash().put(this.fixture.keys.jobs(), "id", record);
		this.fixture.redis.opsForZSet().add(this.fixture.keys.running(), "id", System.currentTimeMillis() + 60_000d);
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(key.digest()), "run:id:nonce");
		assertThat(this.service.find(key)).map((held) -> held.holder().isForeign()).contains(true);
		assertThat(this.service.tryAcquire(LeaseRequest.of(key))).isEmpty();
		assertThat(this.service.held(10)).isEmpty();
		assertThat(this.service.forceRelease(key.digest())).isPresent();
	}

	/**
	 * Checks that a call is refused, and not treated as if Redis were away: with
	 * {@code on-unavailable: run}, its body would run beside that of the job.
	 */
	@Test
	void keyOfAQueuedRunIsHeldThoughItsHolderCannotBeRead() {
		JobKey key = this.fixture.key("x");
		this.fixture.redis.opsForValue().set(this.fixture.keys.jobs(), "no hash");
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(key.digest()), "run:id:nonce");
		assertThat(this.service.attempt(LeaseRequest.of(key))).isInstanceOfSatisfying(LeaseAttempt.Refused.class,
				(refused) -> assertThat(refused.holder().isForeign()).isTrue());
	}

	@Test
	void damagedClaimIsForeign() {
		JobKey key = this.fixture.key("x");
		this.fixture.redis.opsForValue().set(this.fixture.keys.claim(key.digest()), "junk");
		assertThat(this.service.findClaim(key)).map((held) -> held.holder().isForeign()).contains(true);
	}

}
