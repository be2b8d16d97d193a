package io.locket.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.locket.benchmarks.page.PerformancePage;
import io.locket.benchmarks.result.ResultsFile;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the page of the documentation shows the results that are kept beside it.
 */
class DocumentedPageTests {

	@Test
	void pageShowsTheResults() throws IOException {
		String page = new PerformancePage(BenchmarkApplication.inOrder(new ResultsFile(Path.of("results.json")).read()))
			.render();
		assertThat(Files.readString(Path.of("../docs/performance.md"))).isEqualTo(page);
	}

}
