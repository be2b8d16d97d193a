package io.locket.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.locket.JobKey;
import io.locket.lease.LeaseRequest;
import io.locket.lease.heartbeat.LeaseRenewer.Renewal;
import io.locket.lease.redis.LeaseScripts.Waiting;
import io.locket.lease.redis.PendingReleases.PendingRelease;
import io.locket.lease.redis.PendingReleases.Release;
import io.locket.redis.script.ScriptRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.spy;

/**
 * Tests for the Lua scripts. Each one runs twice, as after a reconnect of Lettuce, and on
 * keys of a wrong type, where it must change nothing.
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
	void acquireRunTwiceHasTheSameReply() {
		Grant first = acquire("a");
		Grant second = acquire("a");
		assertThat(second).isEqualTo(first);
		assertThat(second.granted()).isTrue();
		assertThat(acquire("b").granted()).isFalse();
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.keys.fence()))
			.isEqualTo(Long.toString(first.fence()));
	}

	@Test
	void acquireRunAgainAfterTheLeaseHasEndedIsALeaseWithoutRenewal() {
		Grant first = acquire("a");
		release("a", 0);
		Grant late = acquire("a");
		assertThat(late.granted()).isTrue();
		assertThat(late.fence()).isGreaterThan(first.fence());
		assertThat(release("a", 0)).isEqualTo(Release.RELEASED);
		assertThat(this.fixture.owner(this.key)).isNull();
	}

	@Test
	void releaseRunTwiceFreesOnce() {
		acquire("a");
		assertThat(release("a", 0)).isEqualTo(Release.RELEASED);
		assertThat(release("a", 0)).isEqualTo(Release.GONE);
		acquire("b");
		assertThat(release("a", 0)).isEqualTo(Release.TAKEN);
		assertThat(this.fixture.owner(this.key)).isEqualTo("b");
	}

	/**
	 * The name of the due times follows from that of a lock only with the default
	 * registry key. Digests of applications may have any length.
	 */
	@ParameterizedTest
	@CsvSource({ "{%s}:lease, -E3MrRD23owiAitO_lCqRg", "{%s}:lease, own-digest", "{%s}:locks, -E3MrRD23owiAitO_lCqRg",
			"{%s}:x, own-digest" })
	void releaseOfAMarkedLockMakesItsParkedJobsDue(String registryKey, String digest) {
		String namespace = this.fixture.keys.namespace();
		LeaseKeys keys = new LeaseKeys(namespace, registryKey.formatted(namespace));
		LeaseScripts scripts = new LeaseScripts(this.fixture.redis.getRequiredConnectionFactory(), keys, DURATION);
		JobKey key = new JobKey("job", digest, "[]");
		assertThat(scripts.acquire(key, "a", DURATION, "{}", Waiting.BEFORE_OTHERS).granted()).isTrue();
		String lock = keys.lock(digest);
		assertThat(this.fixture.redis.opsForValue().get(lock)).endsWith("} w");
		double later = System.currentTimeMillis() + 3_600_000;
		this.fixture.redis.opsForZSet().add(keys.due(), "k:" + digest, later);
		assertThat(scripts.release(PendingRelease.of(lock, "a", digest))).isEqualTo(Release.RELEASED);
		assertThat(this.fixture.redis.hasKey(lock)).isFalse();
		assertThat(this.fixture.redis.opsForZSet().score(keys.due(), "k:" + digest)).isLessThan(later);
	}

	@Test
	void releaseWithARestRunTwiceKeepsTheRest() {
		Grant grant = acquire("a");
		long until = grant.since().plusSeconds(60).toEpochMilli();
		assertThat(release("a", until)).isEqualTo(Release.RELEASED);
		assertThat(release("a", until)).isEqualTo(Release.RELEASED);
		assertThat(this.fixture.owner(this.key)).isEqualTo("a:rest");
		assertThat(this.fixture.service.find(this.key)).hasValueSatisfying(
				(held) -> assertThat(held.remaining()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60)));
	}

	/**
	 * No lease is renewed, so releases alone remove entries that have expired.
	 */
	@Test
	void restsOfManyKeysDoNotAccumulateInTheIndex() {
		for (int i = 0; i < 500; i++) {
			JobKey other = this.fixture.service.keyOf("rest", i);
			this.fixture.service.tryAcquire(LeaseRequest.of(other).holdingAtLeast(Duration.ofMillis(10)))
				.orElseThrow()
				.close();
		}
		assertThat(this.fixture.redis.opsForZSet().zCard(this.fixture.keys.index())).isLessThan(250);
	}

	@Test
	void renewalUnderWayDoesNotStretchARest() {
		Grant grant = acquire("a");
		release("a", grant.since().plusSeconds(5).toEpochMilli());
		assertThat(renew("a")).isEqualTo(Renewal.TAKEN);
		assertThat(this.fixture.service.find(this.key))
			.hasValueSatisfying((held) -> assertThat(held.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5)));
	}

	@Test
	void restThatHasPassedIsFreed() {
		Grant grant = acquire("a");
		assertThat(release("a", grant.since().minusSeconds(1).toEpochMilli())).isEqualTo(Release.RELEASED);
		assertThat(this.fixture.owner(this.key)).isNull();
	}

	@Test
	void renewRunTwiceRenewsAndCreatesNothing() {
		acquire("a");
		assertThat(renew("a")).isEqualTo(Renewal.RENEWED);
		assertThat(renew("a")).isEqualTo(Renewal.RENEWED);
		assertThat(renew("b")).isEqualTo(Renewal.TAKEN);
		this.fixture.redis.delete(this.fixture.keys.lock(this.key.digest()));
		assertThat(renew("a")).isEqualTo(Renewal.GONE);
		assertThat(this.fixture.owner(this.key)).isNull();
	}

	/**
	 * A cluster renews so while the slot moves.
	 */
	@Test
	void renewalByTheLockAloneIsThatOfItsTokenOnly() {
		ScriptRunner runner = new ScriptRunner(this.fixture.redis.getRequiredConnectionFactory(), DURATION);
		RedisScript<List<Object>> keep = ScriptRunner.script(LeaseScripts.class, "keep");
		String lock = this.fixture.keys.lock(this.key.digest());
		assertThat(runner.run(keep, List.of(lock), "a ", "3600000")).containsExactly(-1L);
		acquire("a");
		assertThat(runner.run(keep, List.of(lock), "b ", "3600000")).containsExactly(0L);
		assertThat(this.fixture.redis.getExpire(lock)).isLessThanOrEqualTo(DURATION.toSeconds());
		assertThat(runner.run(keep, List.of(lock), "a ", "3600000")).containsExactly(1L);
		assertThat(this.fixture.redis.getExpire(lock)).isGreaterThan(DURATION.toSeconds());
	}

	@Test
	void claimRunTwiceHasTheSameReply() {
		Grant first = this.scripts.claim(this.key, "a", DURATION, body());
		assertThat(this.scripts.claim(this.key, "a", DURATION, body())).isEqualTo(first);
		assertThat(this.scripts.claim(this.key, "b", DURATION, body()).granted()).isFalse();
	}

	@Test
	void claimAdvancesAFenceThatIsAheadOfTheClock() {
		this.fixture.redis.opsForValue().set(this.fixture.keys.fence(), "4000000000000000");
		assertThat(this.scripts.claim(this.key, "a", DURATION, body()).fence()).isEqualTo(4_000_000_000_000_001L);
		assertThat(acquire("b").fence()).isEqualTo(4_000_000_000_000_002L);
	}

	@Test
	void leasesAdvanceAFenceThatIsAheadOfTheClock() {
		this.fixture.redis.opsForValue().set(this.fixture.keys.fence(), "4000000000000000");
		for (long fence = 4_000_000_000_000_001L; fence <= 4_000_000_000_000_003L; fence++) {
			assertThat(acquire("a").fence()).isEqualTo(fence);
			assertThat(this.fixture.redis.opsForValue().get(this.fixture.keys.fence())).isEqualTo(Long.toString(fence));
			release("a", 0);
		}
	}

	@Test
	void refusalHasTheRemainingTimeOfTheOtherOwner() {
		acquire("a");
		assertThat(acquire("b").remaining()).isBetween(Duration.ofMillis(1), DURATION);
		this.scripts.claim(this.key, "a", DURATION, body());
		assertThat(this.scripts.claim(this.key, "b", Duration.ofHours(1), body()).remaining())
			.isBetween(Duration.ofMillis(1), DURATION);
	}

	@Test
	void claimThatGotNoReplyIsTakenBackByItsTokenOnly() {
		this.scripts.claim(this.key, "a", DURATION, body());
		String claim = this.fixture.keys.claim(this.key.digest());
		assertThat(this.scripts.release(PendingRelease.of(claim, "b", ""))).isEqualTo(Release.TAKEN);
		assertThat(this.scripts.release(PendingRelease.of(claim, "a", ""))).isEqualTo(Release.RELEASED);
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
	void forcedReleaseAdvancesAFenceThatIsAheadOfTheClock() {
		acquire("a");
		this.fixture.redis.opsForValue().set(this.fixture.keys.fence(), "4000000000000000");
		assertThat(this.scripts.forceRelease(this.key.digest())).isNotNull();
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.keys.fence())).isEqualTo("4000000000000001");
		assertThat(acquire("b").fence()).isEqualTo(4_000_000_000_000_002L);
	}

	/**
	 * A caller who evicts a lease does not mean the claim of its key.
	 */
	@Test
	void forcedReleaseWhoseLeaseIsReleasedMeanwhileRemovesNoClaim() {
		acquire("a");
		this.scripts.claim(this.key, "claim", DURATION, body());
		LeaseScripts overtaken = spy(this.scripts);
		willAnswer((call) -> {
			release("a", 0);
			return call.callRealMethod();
		}).given(overtaken).forceRelease(anyString(), anyString());
		assertThat(overtaken.forceRelease(this.key.digest())).isNull();
		assertThat(this.fixture.owner(this.key)).isNull();
		assertThat(this.scripts.findClaim(this.key.digest())).hasSize(1);
		assertThat(overtaken.forceRelease(this.key.digest())).isNotNull();
		assertThat(this.scripts.findClaim(this.key.digest())).isEmpty();
	}

	@Test
	void scriptsThatMeetAKeyOfAWrongTypeChangeNothing() {
		this.fixture.redis.opsForList().rightPush(this.fixture.keys.fence(), "not a counter");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> acquire("a"));
		assertThat(this.fixture.redis.keys("{" + this.fixture.keys.namespace() + "}:*"))
			.containsExactly(this.fixture.keys.fence());
		this.fixture.redis.delete(this.fixture.keys.fence());
		this.fixture.redis.opsForList().rightPush(this.fixture.keys.index(), "not a sorted set");
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(this.key.digest()), "a 1 1 {}");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> release("a", 0));
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> renew("a"));
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.scripts.forceRelease(this.key.digest()));
		assertThat(this.fixture.owner(this.key)).isEqualTo("a");
		assertThat(this.fixture.redis.hasKey(this.fixture.keys.fence())).isFalse();
	}

	@Test
	void waiterMarksTheLeaseOnceAndTheMarkEndsWithIt() {
		Grant grant = acquire("a");
		String lock = this.fixture.keys.lock(this.key.digest());
		String value = this.fixture.redis.opsForValue().get(lock);
		long expiry = this.fixture.redis.getExpire(lock, TimeUnit.MILLISECONDS);
		for (int i = 0; i < 2; i++) {
			Grant refused = this.scripts.acquire(this.key, "b", DURATION, body(), Waiting.ALONE);
			assertThat(refused.granted()).isFalse();
			assertThat(refused.holder()).isEqualTo(HolderRecord.parse(value));
		}
		assertThat(this.fixture.redis.opsForValue().get(lock)).isEqualTo(value + HolderRecord.WAITER);
		assertThat(this.fixture.redis.getExpire(lock, TimeUnit.MILLISECONDS)).isBetween(1L, expiry);
		assertThat(acquire("a")).isEqualTo(grant);
		assertThat(renew("a")).isEqualTo(Renewal.RENEWED);
		assertThat(release("a", 0)).isEqualTo(Release.RELEASED);
		acquire("b");
		assertThat(this.fixture.redis.opsForValue().get(lock)).doesNotEndWith(HolderRecord.WAITER);
	}

	@Test
	void callerThatDoesNotWaitMarksNothing() {
		acquire("a");
		acquire("b");
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.keys.lock(this.key.digest())))
			.doesNotEndWith(HolderRecord.WAITER);
	}

	@Test
	void leaseTakenBeforeOtherWaitersIsMarkedFromItsBeginning() {
		this.scripts.acquire(this.key, "a", DURATION, body(), Waiting.BEFORE_OTHERS);
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.keys.lock(this.key.digest())))
			.endsWith("}" + HolderRecord.WAITER);
		assertThat(this.fixture.service.find(this.key))
			.hasValueSatisfying((held) -> assertThat(held.holder().instance()).isEqualTo("instance"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "run:id:nonce", "a:rest" })
	void waiterMarksNoOtherOwner(String owner) {
		String lock = this.fixture.keys.lock(this.key.digest());
		this.fixture.redis.opsForValue().set(lock, owner);
		assertThat(this.scripts.acquire(this.key, "b", DURATION, body(), Waiting.ALONE).granted()).isFalse();
		assertThat(this.fixture.redis.opsForValue().get(lock)).isEqualTo(owner);
	}

	@Test
	void forcedReleaseEvictsALeaseThatWasMarkedSince() {
		acquire("a");
		String seen = this.fixture.redis.opsForValue().get(this.fixture.keys.lock(this.key.digest()));
		this.scripts.acquire(this.key, "b", DURATION, body(), Waiting.ALONE);
		assertThat(this.scripts.forceRelease(this.key.digest(), seen)).isNotNull();
		assertThat(this.fixture.owner(this.key)).isNull();
	}

	@Test
	void leaseThatIsEvictedIsNotListed() {
		acquire("a");
		renew("a");
		this.scripts.forceRelease(this.key.digest());
		assertThat(this.scripts.list(10)).isEmpty();
	}

	@Test
	void leaseIsListedFromItsFirstRenewalOn() {
		acquire("a");
		assertThat(this.scripts.list(10)).isEmpty();
		renew("a");
		assertThat(this.scripts.list(10)).containsExactly(this.key.digest());
		release("a", 0);
		assertThat(this.scripts.list(10)).isEmpty();
	}

	@Test
	void expiredLeasesTakeNoPlaceInAList() {
		acquire("a");
		renew("a");
		this.fixture.redis.opsForZSet().add(this.fixture.keys.index(), "expired", 1);
		assertThat(this.scripts.list(1)).containsExactly(this.key.digest());
	}

	@Test
	void renewalOfAReleasedLeaseListsNothing() {
		acquire("a");
		release("a", 0);
		assertThat(renew("a")).isEqualTo(Renewal.GONE);
		assertThat(this.fixture.redis.hasKey(this.fixture.keys.index())).isFalse();
	}

	@Test
	void renewalRemovesEntriesOfDeadHoldersButNotItsOwn() {
		acquire("a");
		this.fixture.redis.opsForZSet().add(this.fixture.keys.index(), this.key.digest(), 1);
		this.fixture.redis.opsForZSet().add(this.fixture.keys.index(), "dead", 2);
		assertThat(renew("a")).isEqualTo(Renewal.RENEWED);
		assertThat(this.fixture.redis.opsForZSet().range(this.fixture.keys.index(), 0, -1))
			.containsExactly(this.key.digest());
	}

	@Test
	void scriptsThatTheServerForgotAreSentAgain() {
		acquire("a");
		this.fixture.redis.execute((org.springframework.data.redis.core.RedisCallback<Void>) (connection) -> {
			connection.scriptingCommands().scriptFlush();
			return null;
		});
		assertThat(renew("a")).isEqualTo(Renewal.RENEWED);
		assertThat(release("a", 0)).isEqualTo(Release.RELEASED);
	}

	private Grant acquire(String token) {
		return this.scripts.acquire(this.key, token, DURATION, body(), Waiting.NONE);
	}

	private String body() {
		return HolderRecord.body(this.key, "instance", "thread");
	}

	@Test
	void restOfAMinimumHoldIsNotLongerThanTheHoldWhenTheClockHasRunBack() {
		acquire("a");
		String lock = this.fixture.keys.lock(this.key.digest());
		long anHourAhead = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
		assertThat(release(new PendingRelease(lock, "a", this.key.digest(), anHourAhead, 5000, false)))
			.isEqualTo(Release.RELEASED);
		assertThat(this.fixture.redis.getExpire(lock, TimeUnit.MILLISECONDS)).isBetween(1L, 5000L);
		assertThat(this.fixture.redis.opsForZSet().score(this.fixture.keys.index(), this.key.digest()))
			.isLessThan(anHourAhead - 60_000d);
	}

	@Test
	void claimLastsForItsPeriodOnceItIsConfirmed() {
		this.scripts.claim(this.key, "a", Duration.ofSeconds(10), body());
		String claim = this.fixture.keys.claim(this.key.digest());
		assertThat(this.scripts.confirmClaim(this.key, "b", Duration.ofHours(1))).isFalse();
		assertThat(this.fixture.redis.getExpire(claim, TimeUnit.SECONDS)).isLessThanOrEqualTo(10);
		assertThat(this.scripts.confirmClaim(this.key, "a", Duration.ofHours(1))).isTrue();
		assertThat(this.scripts.confirmClaim(this.key, "a", Duration.ofHours(1))).isTrue();
		assertThat(this.fixture.redis.getExpire(claim, TimeUnit.SECONDS)).isBetween(3590L, 3600L);
		this.fixture.redis.delete(claim);
		assertThat(this.scripts.confirmClaim(this.key, "a", Duration.ofHours(1))).isFalse();
		assertThat(this.fixture.redis.hasKey(claim)).isFalse();
	}

	/**
	 * The clock of Redis may have run back since the claim was made, in a fail-over.
	 */
	@ParameterizedTest
	@CsvSource({ "-100, 3490, 3500", "100, 3590, 3600" })
	void periodOfAConfirmedClaimBeginsWhenItWasMade(long madeIn, long least, long most) {
		String claim = this.fixture.keys.claim(this.key.digest());
		long since = System.currentTimeMillis() + Duration.ofSeconds(madeIn).toMillis();
		this.fixture.redis.opsForValue().set(claim, "a 1 " + since + " " + body(), Duration.ofSeconds(60));
		assertThat(this.scripts.confirmClaim(this.key, "a", Duration.ofHours(1))).isTrue();
		assertThat(this.fixture.redis.getExpire(claim, TimeUnit.SECONDS)).isBetween(least, most);
	}

	private Release release(String token, long holdUntil) {
		return release(new PendingRelease(this.fixture.keys.lock(this.key.digest()), token, this.key.digest(),
				holdUntil, Duration.ofDays(1).toMillis(), true));
	}

	private Release release(PendingRelease pending) {
		return this.scripts.release(pending);
	}

	private Renewal renew(String token) {
		RedisLease lease = new RedisLease(this.key, DURATION, java.time.Instant.EPOCH, 1, 0, null, token, Duration.ZERO,
				null);
		return this.scripts.renew(List.of(lease)).get(0);
	}

}
