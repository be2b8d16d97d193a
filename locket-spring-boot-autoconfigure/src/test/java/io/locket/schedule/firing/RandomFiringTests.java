package io.locket.schedule.firing;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

import io.locket.schedule.ScheduleHarness;
import io.locket.schedule.ScheduleStoreUnderTest;
import io.locket.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random {@link FiringTrial trials} on each store. {@code -Dlocket.random.seed=n}
 * repeats the trial of a seed, and {@code -Dlocket.random.programs=n} sets the number of
 * new trials.
 */
@Tag("endurance")
class RandomFiringTests {

	private static final LoggingSystem LOGGING = LoggingSystem.get(RandomFiringTests.class.getClassLoader());

	private static final String LOGGER = "io.locket.schedule";

	/**
	 * Seed of a trial in which a schedule of a process returns after a leader has
	 * configured others.
	 */
	private static final long RETURNS = 4390757733340129886L;

	private static final int TRIALS = Integer.getInteger("locket.random.programs", 2);

	private static final int STEPS = Integer.getInteger("locket.random.steps", 300);

	private static final FiringTrial.LeaderFactory BY_HAND = (store, sender, nanoTime,
			configured) -> new HandLeader(store, sender);

	/**
	 * Maximum number of trials that a planted fault survives.
	 */
	private static final int CHANCES = 200;

	/**
	 * Turns off the many expected warnings of leaders.
	 */
	@BeforeAll
	static void silence() {
		LOGGING.setLogLevel(LOGGER, LogLevel.OFF);
	}

	@AfterAll
	static void speak() {
		LOGGING.setLogLevel(LOGGER, null);
	}

	@ParameterizedTest
	@EnumSource(ScheduleStoreUnderTest.class)
	void everyTimeFiresOnceAsTheRulesDemand(ScheduleStoreUnderTest implementation) {
		seeds().forEach((seed) -> run(seed, implementation.create(), BY_HAND));
	}

	@ParameterizedTest
	@EnumSource(ScheduleStoreUnderTest.class)
	void leadersOfApplicationsDoAsTheRulesDemand(ScheduleStoreUnderTest implementation) {
		seeds().forEach((seed) -> run(seed, implementation.create(), LoopLeader::new));
	}

	private static LongStream seeds() {
		Long seed = Long.getLong("locket.random.seed");
		if (seed != null) {
			return LongStream.of(seed);
		}
		return LongStream.concat(LongStream.of(1, 2, RETURNS), Seeds.of(RandomFiringTests.class, TRIALS));
	}

	private static Set<String> run(long seed, ScheduleHarness harness, FiringTrial.LeaderFactory leaders) {
		try (harness) {
			return new FiringTrial(harness, seed, leaders).run(STEPS);
		}
		catch (AssertionError ex) {
			throw new AssertionError("seed " + seed + " fails:\n" + ex.getMessage(), ex);
		}
	}

	@ParameterizedTest
	@EnumSource(PlantedFault.class)
	@Tag("scale")
	void plantedFaultIsFound(PlantedFault fault) {
		// Small seeds are too similar: the clock may jump back with each of them.
		for (long seed : new Random(CHANCES).longs(CHANCES).toArray()) {
			try {
				run(seed, fault.create(), (store, sender, nanoTime, configured) -> fault.leader(store, sender));
			}
			catch (AssertionError ex) {
				assertThat(ex).hasMessageContaining("seed " + seed);
				return;
			}
		}
		throw new AssertionError("no trial of " + CHANCES + " has found " + fault);
	}

	@Test
	void trialsComeIntoEverySituation() {
		assertThat(situations(BY_HAND, 20)).containsExactlyInAnyOrder("Accepted", "CHANGED", "Duplicate", "EARLY",
				"NOT_LEADER", "PAST", "reply lost", "call delayed", "call lost", "clock back", "clock forward", "ended",
				"exact", "fail-over", "more than a call", "nothing due", "taken");
		assertThat(situations(LoopLeader::new, 400)).contains("Accepted", "CHANGED", "Duplicate", "EARLY", "NOT_LEADER",
				"PAST", "reply lost", "call delayed", "call lost", "clock back", "clock forward", "ended", "exact",
				"fail-over", "more than a call", "nothing due", "taken");
	}

	private static Set<String> situations(FiringTrial.LeaderFactory leaders, int trials) {
		Set<String> situations = new TreeSet<>();
		for (long seed = 1; seed <= trials; seed++) {
			situations.addAll(run(seed, ScheduleStoreUnderTest.MEMORY.create(), leaders));
		}
		return situations;
	}

}
