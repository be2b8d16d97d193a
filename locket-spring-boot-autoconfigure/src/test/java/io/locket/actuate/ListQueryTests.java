package io.locket.actuate;

import io.locket.JobState;
import io.locket.job.JobFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ListQuery}.
 */
class ListQueryTests {

	@Test
	void filterMeansEverythingWhenNothingIsAskedFor() {
		assertThat(ListQuery.all().filter()).hasToString(JobFilter.all().toString());
		assertThat(new ListQuery("", " ", "", "", "", "").filter()).hasToString(JobFilter.all().toString());
		assertThat(new ListQuery("", " ", "", "", "", "").place()).isNull();
	}

	@Test
	void filterHasWhatIsAskedFor() {
		ListQuery query = new ListQuery("mail", "send", "0a1b", "ready, PARKED,Dead", null, null);
		assertThat(query.filter()).hasToString(JobFilter.inState(JobState.READY, JobState.PARKED, JobState.DEAD)
			.queue("mail")
			.job("send")
			.keyDigest("0a1b")
			.toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "blue", "ready,", ",", "ready dead" })
	void stateThatIsNoneIsRefusedWithAllThatThereAre(String state) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ListQuery(null, null, null, state, null, null).filter())
			.withMessageContaining("is no state of a job")
			.withMessageContaining("scheduled, ready, parked, retry, running, succeeded");
	}

	@Test
	void queueThatIsNoneIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ListQuery("a b", null, null, null, null, null).filter())
			.withMessageContaining("'a b' is no name of a queue");
	}

	@Test
	void sizeIsFiftyUnlessItIsAskedFor() {
		assertThat(size(null)).isEqualTo(50);
		assertThat(size("1")).isOne();
		assertThat(size(" 1000 ")).isEqualTo(1000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "1001", "99999999999999999999", "ten", "1.5", "1,2" })
	void sizeThatIsNeverAnsweredIsRefused(String limit) {
		assertThatIllegalArgumentException().isThrownBy(() -> size(limit))
			.withMessage("'limit' must be a number from 1 to 1000, and is '" + limit + "'");
	}

	private static int size(@Nullable String limit) {
		return new ListQuery(null, null, null, null, limit, null).size();
	}

}
