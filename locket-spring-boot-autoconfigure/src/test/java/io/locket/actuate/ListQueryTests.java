package io.locket.actuate;

import io.locket.JobState;
import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.endpoint.SanitizableData;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ListQuery}.
 */
class ListQueryTests {

	private final ArgumentMask mask = new ArgumentMask(mock(UniqueJobs.class), false, true);

	@Test
	void filterWithoutValuesSelectsAllJobs() {
		assertThat(ListQuery.all().filter(this.mask)).hasToString(JobFilter.all().toString());
		assertThat(new ListQuery("", " ", "", "", "", "").filter(this.mask)).hasToString(JobFilter.all().toString());
		assertThat(new ListQuery("", " ", "", "", "", "").place()).isNull();
	}

	@Test
	void filterHasTheRequestedValues() {
		ListQuery query = new ListQuery("mail", "send", "0a1b", "ready, PARKED,Dead", null, null);
		assertThat(query.filter(this.mask))
			.hasToString(JobFilter.inState(JobState.READY, JobState.PARKED, JobState.DEAD)
				.queue("mail")
				.job("send")
				.keyDigest("0a1b")
				.toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "blue", "ready,", ",", "ready dead" })
	void stateThatIsNoneIsRefusedWithAllThatThereAre(String state) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ListQuery(null, null, null, state, null, null).filter(this.mask))
			.withMessageContaining("is not a state of a job")
			.withMessageContaining("scheduled, ready, parked, retry, running, succeeded");
	}

	@Test
	void queueThatIsNoneIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ListQuery("a b", null, null, null, null, null).filter(this.mask))
			.withMessageContaining("'a b' is not a valid queue name");
	}

	@Test
	void sizeIsFiftyWithoutALimit() {
		assertThat(size(null)).isEqualTo(50);
		assertThat(size("1")).isOne();
		assertThat(size(" 1000 ")).isEqualTo(1000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "1001", "99999999999999999999", "ten", "1.5", "1,2" })
	void limitThatIsNoNumberInItsRangeIsRefused(String limit) {
		assertThatIllegalArgumentException().isThrownBy(() -> size(limit))
			.withMessage("'limit' must be a number from 1 to 1000, but is '" + limit + "'");
	}

	@Test
	void auditHasEachFilterWithAValueAndHidesTheText() {
		ListQuery query = new ListQuery("mail", "send", "0a1b", "dead", "5", "cursor", "ann", "2030-01-31T08:00:00Z",
				"2030-02-28T08:00:00Z");
		assertThat(query.named()).containsOnlyKeys(ListQuery.FILTERS)
			.containsEntry("queue", "mail")
			.containsEntry("job", "send")
			.containsEntry("key", "0a1b")
			.containsEntry("state", "dead")
			.containsEntry("dueFrom", "2030-01-31T08:00:00Z")
			.containsEntry("dueUntil", "2030-02-28T08:00:00Z")
			.containsEntry("text", SanitizableData.SANITIZED_VALUE);
		assertThat(new ListQuery("mail", "", " ", null, "5", "cursor").named()).containsExactly(entry("queue", "mail"));
	}

	private static int size(@Nullable String limit) {
		return new ListQuery(null, null, null, null, limit, null).size();
	}

}
