package io.locket.queue.memory;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.locket.JobState;
import io.locket.queue.QueueHarness;
import io.locket.queue.QueueUnderTest;
import io.locket.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random programs on the {@link InMemoryJobQueue} and on each implementation side by
 * side. {@code -Dlocket.random.seed=n} repeats the program of a seed,
 * {@code -Dlocket.random.programs=n} sets the number of new programs, and
 * {@code -Dlocket.random.steps=n} their length.
 */
@Tag("endurance")
class RandomQueueTests {

	private static final int PROGRAMS = Integer.getInteger("locket.random.programs", 1);

	private static final int HEAVY_PROGRAMS = 10;

	private static final int STEPS = Integer.getInteger("locket.random.steps", 250);

	/**
	 * Maximum number of programs that a planted fault survives.
	 */
	private static final int CHANCES = 40;

	@ParameterizedTest
	@EnumSource(QueueUnderTest.class)
	void queueDoesWhatTheModelDoes(QueueUnderTest implementation) {
		seeds().forEach((seed) -> check(seed, new Trial(implementation::create, false)));
	}

	@ParameterizedTest
	@EnumSource(QueueUnderTest.class)
	void queueDoesWhatTheModelDoesWhenEveryCallIsRepeated(QueueUnderTest implementation) {
		seeds().forEach((seed) -> check(seed, new Trial(implementation::create, true)));
	}

	private static void check(long seed, Trial trial) {
		List<QueueStep> program = new StepGenerator(seed).program(STEPS);
		AssertionError error = trial.run(program);
		if (error != null) {
			throw trial.shrunk(seed, program, error);
		}
	}

	private static LongStream seeds() {
		Long seed = Long.getLong("locket.random.seed");
		if (seed != null) {
			return LongStream.of(seed);
		}
		return LongStream.concat(LongStream.of(1), random(PROGRAMS));
	}

	private static LongStream random(int count) {
		return Seeds.of(RandomQueueTests.class, count);
	}

	@ParameterizedTest
	@EnumSource(QueueUnderTest.class)
	@Tag("scale")
	void queueDoesWhatTheModelDoesInManyPrograms(QueueUnderTest implementation) {
		random(HEAVY_PROGRAMS).forEach((seed) -> {
			check(seed, new Trial(implementation::create, false));
			check(seed, new Trial(implementation::create, true));
		});
	}

	@ParameterizedTest
	@EnumSource(PlantedFault.class)
	void plantedFaultIsFound(PlantedFault fault) {
		Trial trial = new Trial(() -> new InMemoryHarness(fault::queue), false);
		for (long seed = 1; seed <= CHANCES; seed++) {
			List<QueueStep> program = new StepGenerator(seed).program(STEPS);
			AssertionError error = trial.run(program);
			if (error != null) {
				AssertionError shrunk = trial.shrunk(seed, program, error);
				assertThat(shrunk).hasMessageContaining("seed " + seed);
				assertThat(shrunk.getMessage().lines().count()).as(shrunk.getMessage()).isLessThan(30);
				return;
			}
		}
		throw new AssertionError("no program of " + CHANCES + " has found " + fault);
	}

	@Test
	void programsComeIntoEverySituation() {
		Set<String> missing = new TreeSet<>(List.of("Accepted", "Duplicate", "Replaced", "run", "run told of late",
				"conflict", "cut short", "counted", "refused as READY", "refused as SUPERSEDED", "refused as RUNNING",
				"refused as CANCELLED", "GONE", "TAKEN", "poison", "set aside", "MOVE DONE", "MOVE REFUSED",
				"RUN_NOW DONE", "RESCHEDULE DONE", "RESCHEDULE REFUSED", "DISMISS DONE", "CANCEL FLAGGED",
				"put back: Accepted", "put back: Duplicate"));
		Arrays.stream(JobState.values()).map(JobState::toString).forEach(missing::add);
		for (long seed = 1; seed <= CHANCES && !missing.isEmpty(); seed++) {
			missing.removeAll(new StepRunner(new InMemoryHarness(), false).run(new StepGenerator(seed).program(STEPS)));
		}
		assertThat(missing).isEmpty();
	}

	/**
	 * A way to run programs.
	 *
	 * @param factory makes the queue under test, a new one for each program
	 * @param repeating whether every call is sent twice
	 */
	private record Trial(Supplier<QueueHarness> factory, boolean repeating) {

		AssertionError run(List<QueueStep> program) {
			try (QueueHarness harness = this.factory.get()) {
				new StepRunner(harness, this.repeating).run(program);
				return null;
			}
			catch (AssertionError ex) {
				return ex;
			}
		}

		AssertionError shrunk(long seed, List<QueueStep> program, AssertionError error) {
			List<QueueStep> shortest = new ProgramShrinker((candidate) -> run(candidate) != null).shrink(program);
			AssertionError last = run(shortest);
			AssertionError cause = (last != null) ? last : error;
			return new AssertionError(
					"seed " + seed + " (" + program.size() + " steps) fails, and so do these " + shortest.size() + ":\n"
							+ shortest.stream().map(Object::toString).collect(Collectors.joining("\n", "", "\n"))
							+ cause.getMessage(),
					cause);
		}

	}

}
