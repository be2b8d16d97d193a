package io.locket.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.spi.AbstractQueueTests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for each strategy in each situation, for all combinations of the enums, against
 * the design and {@code docs/strategies.md}.
 */
class StrategyTableTests extends AbstractQueueTests {

	private static final Path PAGE = Path.of("../docs/strategies.md");

	private static final String WRITE = "locket.docs.write";

	@ParameterizedTest
	@MethodSource
	void newcomerMeetsItsFate(LockStrategy lock, JobState existing, DuplicateStrategy onDuplicate) {
		StrategyTrial trial = new StrategyTrial(this.user);
		assertThat(trial.newcomer(lock, existing, onDuplicate)).isEqualTo(fate(lock, existing, onDuplicate));
	}

	static Stream<Arguments> newcomerMeetsItsFate() {
		return each(LockStrategy.class).flatMap((lock) -> Arrays.stream(JobState.values())
			.filter((existing) -> StrategyTrial.canBe(lock, existing))
			.flatMap((existing) -> each(DuplicateStrategy.class)
				.map((onDuplicate) -> Arguments.of(lock, existing, onDuplicate))));
	}

	/**
	 * Returns the result in the table of the design.
	 */
	private static String fate(LockStrategy lock, JobState existing, DuplicateStrategy onDuplicate) {
		boolean meets = switch (lock) {
			case UNTIL_EXECUTING, UNTIL_AND_WHILE_EXECUTING -> existing.isWaiting();
			case UNTIL_EXECUTED -> !existing.isEnded();
			case UNTIL_EXPIRED -> existing != JobState.CANCELLED && existing != JobState.REMOVED;
			default -> false;
		};
		if (!meets) {
			return StrategyTrial.ACCEPTED;
		}
		return (onDuplicate == DuplicateStrategy.REPLACE && existing.isWaiting()) ? StrategyTrial.REPLACED
				: StrategyTrial.DUPLICATE;
	}

	@ParameterizedTest
	@MethodSource
	void runThatFindsItsKeyTakenMeetsItsFate(LockStrategy lock, ConflictStrategy onConflict) {
		StrategyTrial trial = new StrategyTrial(this.user);
		assertThat(trial.conflict(lock, onConflict)).isEqualTo(conflict(lock, onConflict));
	}

	static Stream<Arguments> runThatFindsItsKeyTakenMeetsItsFate() {
		return each(LockStrategy.class)
			.flatMap((lock) -> each(ConflictStrategy.class).map((onConflict) -> Arguments.of(lock, onConflict)));
	}

	private static String conflict(LockStrategy lock, ConflictStrategy onConflict) {
		if (!List.of(LockStrategy.WHILE_EXECUTING, LockStrategy.UNTIL_EXECUTED, LockStrategy.UNTIL_AND_WHILE_EXECUTING)
			.contains(lock)) {
			return StrategyTrial.RUNS;
		}
		return switch (onConflict) {
			case REJECT -> StrategyTrial.DISCARDED;
			case RAISE -> StrategyTrial.FAILS;
			case RESCHEDULE -> StrategyTrial.LATER;
			default -> StrategyTrial.PARKS;
		};
	}

	@ParameterizedTest
	@MethodSource
	void runThatComesBackMeetsItsFate(LockStrategy lock, StrategyTrial.Return way) {
		StrategyTrial trial = new StrategyTrial(this.user);
		assertThat(trial.comeBack(lock, way)).isEqualTo(comeBack(lock));
	}

	static Stream<Arguments> runThatComesBackMeetsItsFate() {
		return each(LockStrategy.class).flatMap((lock) -> Arrays.stream(StrategyTrial.Return.values())
			.filter((way) -> way.isPossible(lock))
			.map((way) -> Arguments.of(lock, way)));
	}

	private static String comeBack(LockStrategy lock) {
		return switch (lock) {
			case UNTIL_EXECUTING, UNTIL_AND_WHILE_EXECUTING -> StrategyTrial.TAKES_TICKET_BACK;
			case UNTIL_EXECUTED -> StrategyTrial.KEEPS_TICKET;
			case UNTIL_EXPIRED -> StrategyTrial.KEEPS_CLAIM;
			default -> StrategyTrial.WAITS_AGAIN;
		};
	}

	@Test
	void pageShowsWhatTheQueueDoes() throws IOException {
		String before = Files.readString(PAGE);
		String after = new StrategyPage(this.implementation).rewrite(before);
		if (Boolean.getBoolean(WRITE)) {
			Files.writeString(PAGE, after);
		}
		assertThat(Files.readString(PAGE))
			.as("the tables of %s; to have them written, run this test with -D%s=true", PAGE.normalize(), WRITE)
			.isEqualTo(after);
	}

	private static <E extends Enum<E>> Stream<E> each(Class<E> type) {
		return Arrays.stream(type.getEnumConstants())
			.filter(Predicate.not((constant) -> constant.name().equals("DEFAULT")));
	}

}
