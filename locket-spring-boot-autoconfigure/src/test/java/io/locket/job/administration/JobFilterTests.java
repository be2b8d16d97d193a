package io.locket.job.administration;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.key.JobKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link JobFilter}.
 */
class JobFilterTests {

	private static final JobKey KEY = new JobKeys().keyOf("billing.bill", 42, false);

	private static final JobFilter FULL = JobFilter.waiting()
		.queue("invoices")
		.job(String.class)
		.key(KEY)
		.arguments(42, new int[] { 1 });

	static final List<Restriction> OTHERS = List.of((filter) -> filter.queue("mail"),
			(filter) -> filter.job("mail.send"), (filter) -> filter.job(Integer.class),
			(filter) -> filter.keyDigest("other"),
			(filter) -> filter.key(new JobKeys().keyOf("billing.bill", 43, false)),
			(filter) -> filter.arguments(43, new int[] { 1 }));

	@ParameterizedTest
	@FieldSource("OTHERS")
	void criterionIsNotReplacedByAnotherValue(Restriction other) {
		assertThatIllegalArgumentException().isThrownBy(() -> other.apply(FULL)).withMessageContaining("already");
		assertThat(other.apply(JobFilter.waiting()).toString()).isNotEqualTo(JobFilter.waiting().toString());
	}

	@Test
	void keyDoesNotReplaceTheJob() {
		JobFilter mails = JobFilter.waiting().job("mail.send");
		assertThatIllegalArgumentException().isThrownBy(() -> mails.key(KEY))
			.withMessage("The filter is restricted to the job 'mail.send' already, so it cannot select 'billing.bill'."
					+ " Start with another filter");
	}

	@Test
	void sameValueMayBeRepeated() {
		JobFilter again = FULL.queue("invoices")
			.job("billing.bill")
			.job(String.class)
			.key(KEY)
			.keyDigest(KEY.digest())
			.arguments(42, new int[] { 1 });
		assertThat(again).hasToString(FULL.toString());
	}

	@Test
	void valuesOfArgumentsAreNotInMessages() {
		JobFilter filter = JobFilter.waiting().job("billing.bill").arguments("secret");
		assertThat(filter.toString()).doesNotContain("secret");
		assertThatIllegalArgumentException().isThrownBy(() -> filter.arguments("hidden"))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("secret", "hidden"));
	}

	@Test
	void rangesOfDueTimesAreCombined() {
		Instant noon = Instant.parse("2030-01-01T12:00:00Z");
		JobFilter filter = JobFilter.delayed()
			.dueFrom(noon)
			.dueFrom(noon.minusSeconds(1))
			.dueUntil(noon.plusSeconds(2));
		assertThat(filter.due()).isEqualTo(new DueRange(noon, noon.plusSeconds(2)));
		assertThat(filter.dueAt(noon).due()).isEqualTo(new DueRange(noon, noon.plusMillis(1)));
	}

	/**
	 * A lost restriction would let an action update other jobs.
	 */
	@Test
	void eachRestrictionKeepsThoseBeforeIt() {
		List<Restriction> restrictions = List.of((filter) -> filter.queue("invoices"),
				(filter) -> filter.job("billing.bill"), (filter) -> filter.job(String.class),
				(filter) -> filter.keyDigest(KEY.digest()), (filter) -> filter.arguments(42),
				(filter) -> filter.dueFrom(Instant.EPOCH), (filter) -> filter.dueUntil(Instant.MAX),
				(filter) -> filter.matching((job) -> true));
		String expected = restrict(restrictions).toString();
		for (int last = 0; last < restrictions.size(); last++) {
			List<Restriction> rotated = new ArrayList<>(restrictions);
			Collections.rotate(rotated, last);
			assertThat(restrict(rotated)).hasToString(expected);
		}
		JobFilter full = restrict(restrictions);
		assertThat(full.only(Set.of(JobState.READY)))
			.hasToString(expected.replace(full.states().toString(), "[READY]"));
		assertThat(full.named(Set.of("billing.bill"))).hasToString(expected.replace(" of java.lang.String", ""));
		assertThat(
				restrict(restrictions.subList(2, restrictions.size())).queue("invoices").named(Set.of("billing.bill")))
			.hasToString(expected.replace(" of java.lang.String", ""));
	}

	private static JobFilter restrict(List<Restriction> restrictions) {
		JobFilter filter = JobFilter.waiting();
		for (Restriction restriction : restrictions) {
			filter = restriction.apply(filter);
		}
		return filter;
	}

	@Test
	void predicatesAreCombined() {
		for (boolean first : new boolean[] { true, false }) {
			JobFilter filter = JobFilter.waiting().matching((job) -> first).matching((job) -> !first);
			assertThat(Stream.ofNullable(filter.predicate())).hasSize(1).allMatch((predicate) -> !predicate.test(null));
		}
	}

	@Test
	void namesOfAClassNarrowTheFilter() {
		assertThat(JobFilter.waiting().job(String.class).named(Set.of("a")).job()).isEqualTo("a");
		JobFilter both = JobFilter.waiting().job("a").job(String.class).named(Set.of("b"));
		assertThat(both.job()).isEqualTo("a");
		assertThat(both.predicate()).isNotNull();
	}

	/**
	 * Restriction of a filter.
	 */
	interface Restriction {

		JobFilter apply(JobFilter filter);

	}

}
