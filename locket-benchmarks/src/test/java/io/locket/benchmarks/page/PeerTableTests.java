package io.locket.benchmarks.page;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PeerTable}.
 */
class PeerTableTests {

	private final Markdown text = new Markdown();

	@Test
	void worseFiguresAreBold() {
		PeerTable rates = new PeerTable(true);
		rates.put("ours", "slower", 1.5);
		rates.put("ours", "faster", 0.5);
		rates.addTo(this.text, "Rates");
		PeerTable times = new PeerTable(false);
		times.put("ours", "cheaper", 1.5);
		times.put("ours", "dearer", 0.5);
		times.addTo(this.text, "Times");
		assertThat(this.text.toString()).containsSubsequence("### Rates", "| Locket | slower | faster |",
				"| ours | 1.50 | **0.50** |", "### Times", "| Locket | cheaper | dearer |",
				"| ours | **1.50** | 0.50 |");
	}

	@Test
	void figureThatIsShownAsEqualIsNotBold() {
		PeerTable rates = new PeerTable(true);
		rates.put("ours", "equal", 0.999);
		rates.put("ours", "faster", 0.99);
		rates.addTo(this.text, "Rates");
		assertThat(this.text.toString()).contains("| ours | 1.00 | **0.99** |");
	}

	@Test
	void peerWithoutAFigureOfARowHasADash() {
		PeerTable rates = new PeerTable(true);
		rates.put("first", "one", 2);
		rates.put("second", "other", 3);
		rates.addTo(this.text, "Rates");
		assertThat(this.text.toString()).containsSubsequence("| Locket | one | other |", "| first | 2.00 | - |",
				"| second | - | 3.00 |");
	}

	@Test
	void tableWithoutARowIsLeftOut() {
		new PeerTable(true).addTo(this.text, "Rates");
		assertThat(this.text.toString()).isEmpty();
	}

}
