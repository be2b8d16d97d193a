package io.locket.autoconfigure;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.locket.autoconfigure.properties.LocketProperties;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the files in which Spring Boot and IDEs find auto-configurations and
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
		boolean properties = ClassUtils.isPresent("io.locket.autoconfigure.properties.LocketProperties", null);
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
			assertThat(names).contains("management.health.locket.enabled")
				.allMatch((name) -> name.matches("(management\\.(endpoint|health)\\.)?locket\\..*"));
			assertThat(undescribed).isEmpty();
		}
	}

	private String metadata() throws IOException, URISyntaxException {
		return Files.readString(mainClasses().resolve(METADATA));
	}

	private static List<String> autoConfigurations() throws URISyntaxException {
		return new ClassFileImporter().importPath(mainClasses())
			.stream()
			.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
			.map(JavaClass::getName)
			.toList();
	}

	private static Path mainClasses() throws URISyntaxException {
		return Path.of(LocketProperties.class.getProtectionDomain().getCodeSource().getLocation().toURI());
	}

}
