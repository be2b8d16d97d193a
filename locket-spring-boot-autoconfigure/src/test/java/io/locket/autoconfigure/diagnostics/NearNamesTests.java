package io.locket.autoconfigure.diagnostics;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NearNames}.
 */
class NearNamesTests {

	@ParameterizedTest
	@CsvSource({ "invoices, invoices, 0", "invocies, invoices, 2", "Invoices, invoices, 0", "invoice, invoices, 1",
			"invoices, nvoices, 1", "'', bill, 4", "bill, '', 4", "mail, bill, 3" })
	void distanceIsTheNumberOfChangedLetters(String one, String other, int distance) {
		assertThat(NearNames.distance(one, other)).isEqualTo(distance);
	}

	@Test
	void mostSimilarNamesComeFirst() {
		assertThat(NearNames.of("bills", List.of("mails", "bills2", "ills", "Bills", "bill", "other")))
			.containsExactly("Bills", "bill", "bills2");
	}

	@Test
	void longNamesMayDifferInMoreLetters() {
		assertThat(NearNames.of("reports-nightly", List.of("report-nightyl"))).containsExactly("report-nightyl");
		assertThat(NearNames.of("abc", List.of("xyc"))).isEmpty();
	}

	@Test
	void suggestionIsAQuestionOrNothing() {
		assertThat(NearNames.suggestion("bils", List.of("bills", "bill", "other")))
			.isEqualTo("Did you mean 'bill' or 'bills'? ");
		assertThat(NearNames.suggestion("bils", List.of("other"))).isEmpty();
	}

}
