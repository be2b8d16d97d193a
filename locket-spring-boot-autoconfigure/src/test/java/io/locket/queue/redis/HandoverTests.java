package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobParked;
import io.locket.event.JobPromoted;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@code handover.lua}: which calls it serves, and which it leaves to the
 * general scripts, which fail here.
 */
class HandoverTests {

	private static final JobKey KEY = QueueFixture.key(1);

	private final QueueFixture fixture = QueueFixture.manual();

	private final QueueFixture handover = this.fixture.with(withoutGeneralScripts());

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.handover.close();
		this.fixture.close();
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static QueueScripts withoutGeneralScripts() {
		Map<QueueScript, RedisScript<List<Object>>> scripts = new EnumMap<>(
				FastPathScripts.of(QueueFixture.manualScripts()).scripts());
		scripts.put(QueueScript.TURN, (RedisScript) RedisScript.of("return {}", List.class));
		return new QueueScripts(scripts);
	}

	@Test
	void keyIsHandedFromRunToRun() {
		ReservedJob run = start("a");
		park("default", "b", "c");
		for (String next : List.of("b", "c")) {
			this.handover.events.clear();
			this.fixture.advance(Duration.ofSeconds(1));
			run = settle(run, QueueFixture.request(1, "default")).get(0);
			assertThat(run.record().id()).isEqualTo(next);
			assertThat(lock()).isEqualTo(run.token() + " w");
			assertThat(run.keyLeased()).isTrue();
			assertThat(this.handover.events).contains(new JobPromoted(next, "job", "default"));
		}
		assertThat(this.fixture.store.counts("default").in(JobState.PARKED)).isZero();
		assertThat(dueOfKey()).isEqualTo(this.fixture.now() + run.record().leaseFor().toMillis());
		this.handover.queue.settle(List.of(RunEnd.succeeded(run)), null);
		assertThat(lock()).isNull();
		assertThat(dueOfKey()).isNull();
	}

	@Test
	void jobsWhoseKeyIsHeldAreParked() {
		start("a");
		enqueue("default", 1, "b", "c");
		enqueue("default", 2, "d", "e");
		assertThat(reserve(2, "default")).containsExactly("d");
		assertThat(states("b", "c", "d", "e")).containsExactly(JobState.PARKED, JobState.PARKED, JobState.RUNNING,
				JobState.PARKED);
		assertThat(this.handover.events).contains(new JobParked("b", "job", "default"),
				new JobParked("c", "job", "default"), new JobParked("e", "job", "default"));
		assertThat(lock()).startsWith("run:a:").endsWith(" w");
		assertThat(lock(QueueFixture.key(2))).startsWith("run:d:").endsWith(" w");
	}

	@Test
	void markOfALockKeepsItsExpiry() {
		start("a");
		this.fixture.advance(Duration.ofSeconds(5));
		Object expiry = expiry();
		enqueue("default", 1, "b");
		enqueue("default", 2, "c");
		assertThat(reserve(1, "default")).containsExactly("c");
		assertThat(expiry()).isEqualTo(expiry);
		assertThat(dueOfKey()).isEqualTo(Long.parseLong(expiry.toString()));
	}

	/**
	 * The time of a check is written again only if it is too late. The first job of each
	 * call is parked.
	 */
	@ParameterizedTest
	@CsvSource({ "-5000, -5000", "0, 0", "10, 10", "11, 0", "60000, 0" })
	void keyThatIsHeldIsCheckedAtTheEndOfItsLockAtTheLatest(long before, long after) {
		start("a");
		enqueue("default", 1, "b");
		enqueue("default", 2, "c");
		assertThat(reserve(1, "default")).containsExactly("c");
		long expiry = Long.parseLong(expiry().toString());
		this.fixture.redis.opsForZSet().add(this.fixture.name("due"), "k:" + KEY.digest(), expiry + before);
		enqueue("default", 1, "d");
		enqueue("default", 3, "e");
		assertThat(reserve(1, "default")).containsExactly("e");
		assertThat(states("d")).containsExactly(JobState.PARKED);
		assertThat(lock()).startsWith("run:a:").endsWith(" w");
		assertThat(dueOfKey()).isEqualTo(expiry + after);
	}

	@Test
	void eventsHaveTheQueueAndTheNameOfEachJob() {
		ReservedJob run = start("a");
		park("default", "b");
		for (String id : List.of("c", "d")) {
			enqueue("default", 1, id);
		}
		for (String id : List.of("e", "f")) {
			this.fixture.queue.enqueue(
					NewJob.builder(id, "other", "default").unique(LockStrategy.WHILE_EXECUTING, KEY, null).build());
		}
		enqueue("second", 1, "g", "h");
		this.handover.events.clear();
		assertThat(ids(settle(run, QueueFixture.request(3, "default", "second")))).containsExactly("b");
		assertThat(this.handover.events)
			.filteredOn((event) -> event instanceof JobParked || event instanceof JobPromoted)
			.containsExactly(new JobPromoted("b", "job", "default"), new JobParked("c", "job", "default"),
					new JobParked("d", "job", "default"), new JobParked("e", "other", "default"),
					new JobParked("f", "other", "default"), new JobParked("g", "job", "second"),
					new JobParked("h", "job", "second"));
	}

	@Test
	void directCallIsMarkedAndAForeignLockIsNot() {
		String holder = "token 7 7 {\"job\":\"job\"}";
		this.fixture.redis.opsForValue().set(this.fixture.lock(KEY), holder);
		this.fixture.takeForeign(QueueFixture.key(2), Duration.ofMinutes(5));
		enqueue("default", 1, "a");
		enqueue("default", 2, "b");
		enqueue("default", 3, "c");
		Reservation reservation = this.handover.reserve(1, "default");
		assertThat(ids(reservation.jobs())).containsExactly("c");
		assertThat(reservation.next()).isEqualTo(Duration.ofSeconds(1));
		assertThat(lock()).isEqualTo(holder + " w");
		assertThat(lock(QueueFixture.key(2))).isEqualTo("foreign");
		assertThat(dueOf(QueueFixture.key(2))).isEqualTo(this.fixture.now() + 1000);
	}

	@Test
	void keyIsFollowedInEachQueue() throws InterruptedException {
		ReservedJob run = start("a");
		park("other", "b");
		park("default", "c");
		park("third", "d");
		LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.fixture.queue.listen((queue) -> messages.add(String.valueOf(queue)))) {
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isEqualTo("null");
			assertThat(ids(settle(run, QueueFixture.request(2, "default", "other")))).containsExactly("c");
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isEqualTo("third");
		}
		assertThat(states("b", "c", "d")).containsExactly(JobState.PARKED, JobState.RUNNING, JobState.READY);
		assertThat(this.fixture.store.counts("other").in(JobState.PARKED)).isOne();
	}

	@Test
	void keyIsLeftToAnOlderJobOfAQueueThatIsNotRequested() throws InterruptedException {
		ReservedJob run = start("a");
		park("other", "older");
		this.fixture.advance(Duration.ofMillis(1));
		park("default", "b");
		enqueue("default", 2, "free");
		LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
		try (JobQueue.Listening listening = this.fixture.queue.listen((queue) -> messages.add(String.valueOf(queue)))) {
			assertThat(messages.poll(10, TimeUnit.SECONDS)).isEqualTo("null");
			Settlement settlement = this.handover.queue.settle(List.of(RunEnd.succeeded(run)),
					QueueFixture.request(2, "default"));
			assertThat(ids(settlement.next().jobs())).containsExactly("free");
			assertThat(settlement.next().cutShort()).isFalse();
			assertThat(settlement.next().idle()).isEmpty();
			assertThat(List.of(messages.poll(10, TimeUnit.SECONDS), messages.poll(10, TimeUnit.SECONDS)))
				.containsExactlyInAnyOrder("default", "other");
		}
		assertThat(states("older", "b")).containsOnly(JobState.READY);
		assertThat(lock()).isNull();
		assertThat(dueOfKey()).isEqualTo(this.fixture.now() + 10_000);
		assertThat(reserve(1, "other")).containsExactly("older");
		assertThat(reserve(1, "default")).isEmpty();
		assertThat(states("b")).containsExactly(JobState.PARKED);
	}

	@Test
	void keyIsLeftToTheOldestJobOfTheQueuesThatAreNotRequested() {
		ReservedJob run = start("a");
		park("other", "older");
		this.fixture.advance(Duration.ofMillis(1));
		park("default", "b");
		this.fixture.advance(Duration.ofMillis(1));
		park("third", "younger");
		assertThat(settle(run, QueueFixture.request(1, "default"))).isEmpty();
		assertThat(states("older", "b", "younger")).containsOnly(JobState.READY);
	}

	@Test
	void keyIsNotLeftToAnOlderJobOfAPausedQueue() {
		ReservedJob run = start("a");
		park("other", "older");
		this.fixture.advance(Duration.ofMillis(1));
		park("default", "b");
		this.fixture.store.pause("other");
		assertThat(ids(settle(run, QueueFixture.request(1, "default")))).containsExactly("b");
		assertThat(states("older")).containsExactly(JobState.READY);
	}

	@Test
	void runThatHasLostItsKeyIsLeftToTheGeneralScripts() {
		ReservedJob run = start("a");
		park("default", "b");
		this.fixture.takeForeign(KEY, Duration.ofMinutes(1));
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> settle(run, QueueFixture.request(1, "default")));
		assertThat(states("a", "b")).containsExactly(JobState.RUNNING, JobState.PARKED);
		assertThat(lock()).isEqualTo("foreign");
	}

	@Test
	void readyJobThatLeavesItsKeyToAnOlderJobIsLeftToTheGeneralScripts() {
		ReservedJob run = start("a");
		park("other", "older");
		this.fixture.advance(Duration.ofMillis(1));
		enqueue("default", 1, "b");
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> settle(run, QueueFixture.request(1, "default")));
		assertThat(states("a", "older", "b")).containsExactly(JobState.RUNNING, JobState.PARKED, JobState.READY);
	}

	@Test
	void jobThatFollowsAndHasNoSlotIsReady() {
		ReservedJob run = start("a");
		park("default", "b", "c");
		this.handover.queue.settle(List.of(RunEnd.succeeded(run)), null);
		assertThat(states("b", "c")).containsExactly(JobState.READY, JobState.PARKED);
		assertThat(lock()).isNull();
		assertThat(dueOfKey()).isEqualTo(this.fixture.now() + 10_000);
		assertThat(reserve(2, "default")).containsExactly("b");
		assertThat(lock()).startsWith("run:b:").endsWith(" w");
	}

	@Test
	void promotedJobWhoseKeyIsTakenIsParkedAgain() {
		ReservedJob run = start("a");
		park("default", "b");
		this.handover.queue.settle(List.of(RunEnd.succeeded(run)), null);
		this.fixture.takeForeign(KEY, Duration.ofSeconds(1));
		enqueue("default", 2, "c");
		assertThat(reserve(1, "default")).containsExactly("c");
		assertThat(states("b")).containsExactly(JobState.PARKED);
		this.fixture.releaseForeign(KEY);
		this.fixture.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
	}

	@Test
	void placesAreKept() {
		enqueue("default", 2, "first");
		ReservedJob first = start("first");
		enqueue("default", 3, "second");
		ReservedJob run = start("second");
		enqueue("default", 2, "ready");
		enqueue("default", 3, "parked");
		// Parks both, and makes the earlier one ready without a slot.
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		this.handover.queue.settle(List.of(RunEnd.succeeded(first)), null);
		assertThat(states("ready", "parked")).containsExactly(JobState.READY, JobState.PARKED);
		assertThat(ids(settle(run, QueueFixture.request(1, "default")))).containsExactly("ready");
		assertThat(states("parked")).containsExactly(JobState.READY);
		assertThat(reserve(1, "default")).containsExactly("parked");
	}

	/**
	 * The places are opposite to the order of the ends and to that of the ids.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void jobsThatFollowOnTwoKeysAreHandedOutByTheirPlaces(int slots) {
		ReservedJob one = start("one");
		enqueue("default", 2, "two");
		ReservedJob two = start("two");
		enqueue("default", 2, "z");
		enqueue("default", 1, "y");
		assertThat(this.fixture.reserveIds(2, "default")).isEmpty();
		List<RunEnd> ends = List.of(RunEnd.succeeded(one), RunEnd.succeeded(two));
		Settlement settlement = this.handover.queue.settle(ends, QueueFixture.request(slots, "default"));
		assertThat(ids(settlement.next().jobs())).isEqualTo(List.of("z", "y").subList(0, slots));
	}

	@Test
	void jobThatFollowsIsHandedOutBeforeAReadyJobBehindIt() {
		ReservedJob run = start("a");
		park("default", "b");
		enqueue("default", 2, "c");
		Settlement settlement = this.handover.queue.settle(List.of(RunEnd.succeeded(run)),
				QueueFixture.request(1, "default"));
		assertThat(ids(settlement.next().jobs())).containsExactly("b");
		assertThat(settlement.next().idle()).isEmpty();
	}

	@Test
	void jobsThatAreHandedOutTogetherHaveTheirOwnLeases() {
		ReservedJob run = start("a");
		park("default", "b");
		this.fixture.queue.enqueue(
				QueueFixture.job("c", LockStrategy.WHILE_EXECUTING, 2).copy().leaseFor(Duration.ofMinutes(9)).build());
		for (ReservedJob job : settle(run, QueueFixture.request(2, "default"))) {
			long expiry = this.fixture.now() + job.record().leaseFor().toMillis();
			assertThat(
					this.fixture.redis.opsForZSet().score(this.fixture.name("running"), job.record().id() + " default"))
				.isEqualTo(expiry);
			assertThat(expiry(job.record().id().equals("b") ? KEY : QueueFixture.key(2)))
				.hasToString(Long.toString(expiry));
		}
		assertThat(states("b", "c")).containsOnly(JobState.RUNNING);
	}

	@Test
	void ticketOfAJobWithoutAKeyLeaseIsReleased() {
		ReservedJob run = start("a");
		park("default", "b");
		this.fixture.queue.enqueue(QueueFixture.job("c", LockStrategy.UNTIL_EXECUTING, 2));
		assertThat(ids(settle(run, QueueFixture.request(2, "default")))).containsExactly("b", "c");
		assertThat(this.fixture.redis.opsForHash().size(this.fixture.name("tickets"))).isZero();
	}

	@Test
	void limitOfAQueueHolds() {
		ReservedJob run = start("a");
		enqueue("other", 5, "x");
		assertThat(this.handover.reserveIds(1, "other")).containsExactly("x");
		park("other", "b");
		Reservation reservation = this.handover.queue
			.settle(List.of(RunEnd.succeeded(run)), request(1, new QueueLimit("other", 1), new QueueLimit("none", 0)))
			.next();
		assertThat(reservation.jobs()).isEmpty();
		assertThat(reservation.idle()).contains("other");
		assertThat(states("b")).containsExactly(JobState.READY);
	}

	@Test
	void pausedQueueHandsOutNothing() throws InterruptedException {
		ReservedJob run = start("a");
		park("default", "b");
		enqueue("other", 5, "x");
		this.fixture.store.pause("default");
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			assertThat(ids(settle(run, QueueFixture.request(2, "default", "other")))).containsExactly("x");
			assertThat(messages.untilNow()).isEmpty();
		}
		assertThat(states("b")).containsExactly(JobState.READY);
		this.fixture.store.resume("default");
		assertThat(reserve(1, "default")).containsExactly("b");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 9, 10, 11, 25 })
	void walkEndsAfterTenParkedJobsAndIsToBeContinued(int locked) {
		start("a");
		enqueue("default", 1, IntStream.range(0, locked).mapToObj((i) -> "locked" + i).toArray(String[]::new));
		enqueue("default", 2, "free");
		enqueue("other", 3, "below");
		Reservation reservation = this.handover.reserve(1, "default", "other");
		assertThat(ids(reservation.jobs())).containsExactly((locked < 10) ? "free" : "below");
		assertThat(reservation.cutShort()).isEqualTo(locked >= 10);
		assertThat(reservation.idle()).containsExactly((locked < 10) ? "default" : "other");
		assertThat(this.fixture.store.counts("default").in(JobState.PARKED)).isEqualTo(Math.min(locked, 10));
	}

	@Test
	void ticketIsReleasedAtTheHandover() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.UNTIL_AND_WHILE_EXECUTING, 1));
		ReservedJob run = this.handover.reserve(1, "default").jobs().get(0);
		this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.UNTIL_AND_WHILE_EXECUTING, 1));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		assertThat(ids(settle(run, QueueFixture.request(1, "default")))).containsExactly("b");
		this.fixture.queue.enqueue(QueueFixture.job("c", LockStrategy.UNTIL_AND_WHILE_EXECUTING, 1));
		assertThat(states("c")).containsExactly(JobState.READY);
	}

	@Test
	void repeatedCallIsLeftToTheGeneralScripts() {
		ReservedJob run = start("a");
		park("default", "b", "c");
		ReservationRequest next = QueueFixture.request(1, "default");
		assertThat(ids(settle(run, next))).containsExactly("b");
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> settle(run, next));
		Settlement again = this.fixture.queue.settle(List.of(RunEnd.succeeded(run)), next);
		assertThat(again.ends().get(0).counted()).isTrue();
		assertThat(ids(again.next().jobs())).containsExactly("b");
		assertThat(states("b", "c")).containsExactly(JobState.RUNNING, JobState.PARKED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "REJECT", "RAISE", "RESCHEDULE" })
	void otherConflictStrategiesAreLeftToTheGeneralScripts(ConflictStrategy strategy) {
		start("a");
		this.fixture.queue
			.enqueue(QueueFixture.job("b", LockStrategy.WHILE_EXECUTING, 1).copy().onConflict(strategy).build());
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> reserve(1, "default"));
		assertThat(states("b")).containsExactly(JobState.READY);
	}

	@Test
	void damagedNumberOfParkedJobsIsLeftToTheGeneralScripts() {
		ReservedJob run = start("a");
		park("default", "b");
		this.fixture.count("default", (counters) -> counters.with("parked", 1L << 50));
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> settle(run, QueueFixture.request(1, "default")));
		this.fixture.count("default", (counters) -> counters.with("parked", 1));
		assertThat(states("a", "b")).containsExactly(JobState.RUNNING, JobState.PARKED);
	}

	@Test
	void keyThatIsParkedInTooManyQueuesIsLeftToTheGeneralScripts() {
		ReservedJob run = start("a");
		List<String> queues = IntStream.range(0, 17).mapToObj((i) -> "q" + i).toList();
		queues.forEach((queue) -> park(queue, "of-" + queue));
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> settle(run, QueueFixture.request(1, "q0")));
		this.fixture.queue.settle(List.of(RunEnd.succeeded(run)), null);
	}

	@Test
	void crowdOfManyQueuesIsLeftToTheGeneralScripts() {
		start("a");
		String[] queues = IntStream.range(0, 51).mapToObj((i) -> "q" + i).toArray(String[]::new);
		enqueueCrowd("first", queues);
		enqueue("free", 2, "free");
		String[] fifty = Stream.concat(Stream.of(queues).limit(50), Stream.of("free")).toArray(String[]::new);
		assertThat(reserve(1, fifty)).containsExactly("free");
		assertThat(this.fixture.store.counts("q49").in(JobState.PARKED)).isEqualTo(10);
		enqueueCrowd("second", queues);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> reserve(1, queues));
		assertThat(this.fixture.store.counts("q49").in(JobState.READY)).isEqualTo(10);
	}

	@Test
	void deferredJobThatIsParkedIsLeftToTheGeneralScripts() {
		enqueue("default", 1, "b");
		ReservedJob deferred = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.defer(deferred, Duration.ofMillis(1), "There is no such job")), null);
		start("a");
		this.fixture.advance(Duration.ofSeconds(1));
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> reserve(1, "default"));
		assertThat(states("b")).containsExactly(JobState.READY);
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		assertThat(states("b")).containsExactly(JobState.PARKED);
		assertThat(new String(this.fixture.record("b"), StandardCharsets.ISO_8859_1)).doesNotContain("\"y\":");
	}

	private void enqueueCrowd(String prefix, String... queues) {
		for (String queue : queues) {
			enqueue(queue, 1,
					IntStream.range(0, 10).mapToObj((i) -> prefix + "-" + queue + "-" + i).toArray(String[]::new));
		}
	}

	private ReservedJob start(String id) {
		if (this.fixture.store.find(id).isEmpty()) {
			enqueue("default", 1, id);
		}
		ReservedJob run = this.handover.reserve(1, "default").jobs().get(0);
		assertThat(run.record().id()).isEqualTo(id);
		return run;
	}

	private void enqueue(String queue, int key, String... ids) {
		for (String id : ids) {
			this.fixture.queue.enqueue(QueueFixture.job(id, queue, LockStrategy.WHILE_EXECUTING, key));
		}
	}

	private void park(String queue, String... ids) {
		for (String id : ids) {
			enqueue(queue, 1, id);
			assertThat(this.fixture.reserveIds(1, queue)).isEmpty();
			assertThat(states(id)).containsExactly(JobState.PARKED);
		}
	}

	private List<ReservedJob> settle(ReservedJob run, ReservationRequest next) {
		Settlement settlement = this.handover.queue.settle(List.of(RunEnd.succeeded(run)), next);
		assertThat(settlement.ends().get(0).counted()).isTrue();
		return settlement.next().jobs();
	}

	private List<String> reserve(int slots, String... queues) {
		return this.handover.reserveIds(slots, queues);
	}

	private static ReservationRequest request(int slots, QueueLimit... queues) {
		return new ReservationRequest(QueueFixture.requestId(), "poller", "test/1/a", "thread-1", List.of(queues),
				slots);
	}

	private List<JobState> states(String... ids) {
		return Stream.of(ids).map((id) -> this.fixture.store.find(id).orElseThrow().state()).toList();
	}

	private static List<String> ids(List<ReservedJob> jobs) {
		return jobs.stream().map((job) -> job.record().id()).toList();
	}

	private String lock() {
		return lock(KEY);
	}

	private String lock(JobKey key) {
		return this.fixture.redis.opsForValue().get(this.fixture.lock(key));
	}

	private Object expiry() {
		return expiry(KEY);
	}

	private Object expiry(JobKey key) {
		return this.fixture.redis.opsForHash().get(this.fixture.name("test-expiry"), this.fixture.lock(key));
	}

	private Long dueOfKey() {
		return dueOf(KEY);
	}

	private Long dueOf(JobKey key) {
		Double due = this.fixture.redis.opsForZSet().score(this.fixture.name("due"), "k:" + key.digest());
		return (due != null) ? due.longValue() : null;
	}

}
