package io.locket.lease;

import java.time.Duration;
import java.util.List;

import io.locket.JobKey;
import io.locket.lease.LeaseScripts.Grant;
import io.locket.lease.LeaseScripts.Surrender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the Lua scripts: each one run twice, as Lettuce does after a reconnect, and
 * each one on keys of a wrong type, which must leave everything as it was.
 */
class LeaseScriptsTests {

	private static final Duration DURATION = Duration.ofSeconds(30);

	private final LeaseFixture fixture = LeaseFixture.create();

	private final LeaseScripts scripts = this.fixture.scripts;

	private final JobKey key = this.fixture.key("x");

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void acquireRunTwiceGivesTheSameAnswer() {
		Grant first = acquire("a");
		Grant second = acquire("a");
		assertThat(second).isEqualTo(first);
		assertThat(second.granted()).isTrue();
		assertThat(acquire("b").granted()).isFalse();
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.keys.fence()))
			.isEqualTo(Long.toString(first.fence()));
	}

	@Test
	void acquireRunAgainAfterTheLeasesWholeLifeIsALeaseThatNobodyRenews() {
		Grant first = acquire("a");
		release("a", 0);
		Grant late = acquire("a");
		assertThat(late.granted()).isTrue();
		assertThat(late.fence()).isGreaterThan(first.fence());
		assertThat(release("a", 0)).isEqualTo(1);
		assertThat(this.fixture.owner(this.key)).isNull();
	}

	@Test
	void releaseRunTwiceFreesOnce() {
		acquire("a");
		assertThat(release("a", 0)).isEqualTo(1);
		assertThat(release("a", 0)).isEqualTo(-1);
		acquire("b");
		assertThat(release("a", 0)).isZero();
		assertThat(this.fixture.owner(this.key)).isEqualTo("b");
	}

	@Test
	void releaseWithARestRunTwiceKeepsTheRest() {
		Grant grant = acquire("a");
		long until = grant.since().plusSeconds(60).toEpochMilli();
		assertThat(release("a", until)).isEqualTo(1);
		assertThat(release("a", until)).isEqualTo(1);
		assertThat(this.fixture.owner(this.key)).isEqualTo("a:rest");
		assertThat(this.fixture.service.find(this.key)).hasValueSatisfying(
				(held) -> assertThat(held.remaining()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60)));
	}

	@Test
	void renewalUnderWayDoesNotStretchARest() {
		Grant grant = acquire("a");
		release("a", grant.since().plusSeconds(5).toEpochMilli());
		assertThat(renew("a")).isZero();
		assertThat(this.fixture.service.find(this.key))
			.hasValueSatisfying((held) -> assertThat(held.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5)));
	}

	@Test
	void restThatHasPassedIsFreed() {
		Grant grant = acquire("a");
		assertThat(release("a", grant.since().minusSeconds(1).toEpochMilli())).isEqualTo(1);
		assertThat(this.fixture.owner(this.key)).isNull();
	}

	@Test
	void renewRunTwiceRenewsAndCreatesNothing() {
		acquire("a");
		assertThat(renew("a")).isEqualTo(1);
		assertThat(renew("a")).isEqualTo(1);
		assertThat(renew("b")).isZero();
		this.fixture.redis.delete(this.fixture.keys.lock(this.key.digest()));
		assertThat(renew("a")).isEqualTo(-1);
		assertThat(this.fixture.owner(this.key)).isNull();
	}

	@Test
	void claimRunTwiceGivesTheSameAnswer() {
		Grant first = this.scripts.claim(this.key, "a", DURATION, body());
		assertThat(this.scripts.claim(this.key, "a", DURATION, body())).isEqualTo(first);
		assertThat(this.scripts.claim(this.key, "b", DURATION, body()).granted()).isFalse();
	}

	@Test
	void claimThatGotNoAnswerIsTakenBackByItsTokenOnly() {
		this.scripts.claim(this.key, "a", DURATION, body());
		String claim = this.fixture.keys.claim(this.key.digest());
		assertThat(this.scripts.release(List.of(new Surrender(claim, "b", "", 0)))).containsExactly(0);
		assertThat(this.scripts.release(List.of(new Surrender(claim, "a", "", 0)))).containsExactly(1);
		assertThat(this.fixture.redis.hasKey(claim)).isFalse();
	}

	@Test
	void forcedReleaseRunTwiceFindsTheKeyFree() {
		Grant grant = acquire("a");
		assertThat(this.scripts.forceRelease(this.key.digest())).isNotNull();
		assertThat(this.scripts.forceRelease(this.key.digest())).isNull();
		assertThat(acquire("b").fence()).isGreaterThan(grant.fence() + 1);
	}

	@Test
	void scriptsThatMeetAKeyOfAWrongTypeChangeNothing() {
		this.fixture.redis.opsForList().rightPush(this.fixture.keys.index(), "not a sorted set");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> acquire("a"));
		assertThat(this.fixture.redis.keys("{" + this.fixture.keys.namespace() + "}:*"))
			.containsExactly(this.fixture.keys.index());
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(this.key.digest()), "a");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> release("a", 0));
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> renew("a"));
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.scripts.forceRelease(this.key.digest()));
		assertThat(this.fixture.owner(this.key)).isEqualTo("a");
		assertThat(this.fixture.redis.hasKey(this.fixture.keys.fence())).isFalse();
	}

	@Test
	void scriptsThatTheServerForgotAreSentAgain() {
		acquire("a");
		this.fixture.redis.execute((org.springframework.data.redis.core.RedisCallback<Void>) (connection) -> {
			connection.scriptingCommands().scriptFlush();
			return null;
		});
		assertThat(renew("a")).isEqualTo(1);
		assertThat(release("a", 0)).isEqualTo(1);
	}

	private Grant acquire(String token) {
		return this.scripts.acquire(this.key, token, DURATION, body());
	}

	private String body() {
		return HolderRecord.body(this.key, "instance", "thread");
	}

	private int release(String token, long holdUntil) {
		return this.scripts
			.release(List
				.of(new Surrender(this.fixture.keys.lock(this.key.digest()), token, this.key.digest(), holdUntil)))
			.get(0);
	}

	private int renew(String token) {
		RedisLease lease = new RedisLease(this.key, DURATION, java.time.Instant.EPOCH, 1, 0, null, token, Duration.ZERO,
				null);
		return this.scripts.renew(List.of(lease)).get(0);
	}

}
