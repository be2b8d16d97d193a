package io.locket.schedule;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random {@link FiringTrial trials} on each store. {@code -Dlocket.random.seed=n}
 * repeats the trial of a seed, and {@code -Dlocket.random.programs=n} says how many new
 * ones there are.
 */
@Tag("endurance")
class RandomFiringTests {

	private static final int TRIALS = Integer.getInteger("locket.random.programs", 2);

	private static final int STEPS = Integer.getInteger("locket.random.steps", 300);

	/**
	 * How many trials a planted fault survives at most.
	 */
	private static final int CHANCES = 40;

	@ParameterizedTest
	@EnumSource(ScheduleStoreUnderTest.class)
	void everyTimeFiresOnceAsTheRulesDemand(ScheduleStoreUnderTest implementation) {
		seeds().forEach((seed) -> run(seed, implementation.create(), HandLeader::new));
	}

	private static LongStream seeds() {
		Long seed = Long.getLong("locket.random.seed");
		if (seed != null) {
			return LongStream.of(seed);
		}
		return LongStream.concat(LongStream.rangeClosed(1, 2),
				ThreadLocalRandom.current().longs(TRIALS, 0, Long.MAX_VALUE));
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
		for (long seed = 1; seed <= CHANCES; seed++) {
			try {
				run(seed, fault.create(), fault::leader);
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
		Set<String> situations = new TreeSet<>();
		for (long seed = 1; seed <= 20; seed++) {
			situations.addAll(run(seed, ScheduleStoreUnderTest.MEMORY.create(), HandLeader::new));
		}
		assertThat(situations).containsExactlyInAnyOrder("Accepted", "CHANGED", "Duplicate", "EARLY", "NOT_LEADER",
				"PAST", "answer lost", "call delayed", "call lost", "clock back", "clock forward", "exact",
				"more than a call", "nothing due", "taken");
	}

}
