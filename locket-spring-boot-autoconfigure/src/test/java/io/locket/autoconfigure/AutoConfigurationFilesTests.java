package io.locket.autoconfigure;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.locket.JobKey;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the files by which Spring Boot and editors find auto-configurations and
 * properties.
 */
class AutoConfigurationFilesTests {

	private static final String IMPORTS = "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	@Test
	void importsAreSortedAndNameEveryAutoConfiguration() throws Exception {
		List<String> imports = Files.readAllLines(mainClasses().resolve(IMPORTS));
		assertThat(imports).isSorted()
			.doesNotHaveDuplicates()
			.containsExactlyInAnyOrderElementsOf(autoConfigurations());
	}

	@Test
	void everyPropertyIsDescribed() throws Exception {
		boolean properties = ClassUtils.isPresent("io.locket.autoconfigure.LocketProperties", null);
		assertThat(Files.exists(mainClasses().resolve(METADATA))).isEqualTo(properties);
		if (properties) {
			List<String> undescribed = new ArrayList<>();
			List<String> names = new ArrayList<>();
			for (JsonNode property : JsonMapper.shared().readTree(metadata()).get("properties")) {
				String name = property.get("name").asString();
				names.add(name);
				String description = property.path("description").asString("");
				if (!description.endsWith(".")) {
					undescribed.add(name + ": " + description);
				}
			}
			assertThat(names).isNotEmpty().allMatch((name) -> name.startsWith("locket."));
			assertThat(undescribed).isEmpty();
		}
	}

	private String metadata() throws IOException, URISyntaxException {
		return Files.readString(mainClasses().resolve(METADATA));
	}

	private static List<String> autoConfigurations() throws Exception {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(AutoConfiguration.class));
		return scanner.findCandidateComponents("io.locket")
			.stream()
			.map((candidate) -> String.valueOf(candidate.getBeanClassName()))
			.filter((name) -> Files.exists(classFile(name)))
			.toList();
	}

	private static Path classFile(String name) {
		try {
			return mainClasses().resolve(name.replace('.', '/') + ".class");
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Path mainClasses() throws URISyntaxException {
		return Path.of(JobKey.class.getProtectionDomain().getCodeSource().getLocation().toURI());
	}

}
