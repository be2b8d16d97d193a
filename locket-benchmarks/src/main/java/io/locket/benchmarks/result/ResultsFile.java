package io.locket.benchmarks.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * File that keeps the newest result of each part, as JSON.
 */
public final class ResultsFile {

	private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	private static final TypeReference<LinkedHashMap<String, PartResult>> RESULTS = new TypeReference<>() {
	};

	private final Path path;

	public ResultsFile(Path path) {
		this.path = path;
	}

	/**
	 * Reads the results.
	 * @return the results by part, empty if the file does not exist
	 * @throws IOException if the file cannot be read
	 * @throws IllegalStateException if another version of the benchmarks has written it
	 */
	public Map<String, PartResult> read() throws IOException {
		if (!Files.exists(this.path)) {
			return Map.of();
		}
		try {
			return MAPPER.readValue(Files.readString(this.path), RESULTS);
		}
		catch (JacksonException ex) {
			throw new IllegalStateException("The results in " + this.path
					+ " cannot be read, because another version of the benchmarks has written them. Delete the file, "
					+ "and run all parts", ex);
		}
	}

	/**
	 * Replaces the result of a part, and leaves those of other parts.
	 * @param part the name of the part
	 * @param result the result
	 * @throws IOException if the file cannot be read or written
	 */
	public void put(String part, PartResult result) throws IOException {
		Map<String, PartResult> results = new LinkedHashMap<>(read());
		results.put(part, result);
		if (this.path.toAbsolutePath().getParent() != null) {
			Files.createDirectories(this.path.toAbsolutePath().getParent());
		}
		Files.writeString(this.path, MAPPER.writeValueAsString(results) + "\n");
	}

}
