package io.locket.benchmarks.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link ResultsFile}.
 */
class ResultsFileTests {

	@TempDir
	private Path directory;

	@Test
	void partReplacesItsOwnResultOnly() throws IOException {
		ResultsFile file = new ResultsFile(this.directory.resolve("new/results.json"));
		file.put("one", result(1));
		file.put("other", result(2));
		file.put("one", result(3));
		assertThat(file.read()).containsExactly(entry("one", result(3)), entry("other", result(2)));
	}

	@Test
	void missingFileHasNoResults() throws IOException {
		assertThat(new ResultsFile(this.directory.resolve("results.json")).read()).isEmpty();
	}

	@Test
	void fileOfAnotherVersionIsToBeDeleted() throws IOException {
		Path path = this.directory.resolve("results.json");
		Files.writeString(path, "{\"one\": {\"unknown\": 1}}");
		assertThatIllegalStateException().isThrownBy(() -> new ResultsFile(path).read())
			.withMessageContaining("results.json")
			.withMessageContaining("Delete the file");
	}

	private static PartResult result(double figure) {
		Section section = Section.comparing("Work", "Some work.", "floor", "job",
				List.of(new Figures("floor", figure, 1, 1, 1, 1, 1, 1, List.of())));
		return new PartResult("2026-11-22", "a machine", List.of(section), List.of(Gate.atMost("ratio", figure, 2)));
	}

}
