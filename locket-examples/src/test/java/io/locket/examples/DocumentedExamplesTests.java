package io.locket.examples;

import java.io.StringReader;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import javax.xml.parsers.DocumentBuilderFactory;

import io.locket.autoconfigure.properties.LocketProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.EnumerablePropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the code blocks of the pages against the sources of the examples.
 */
class DocumentedExamplesTests {

	private static final List<ExampleSource> JAVA = ExampleSource.java();

	private static final List<ExampleSource> KOTLIN = ExampleSource.kotlin();

	static List<MarkdownBlock> java() {
		return MarkdownBlock.all("java");
	}

	static List<MarkdownBlock> kotlin() {
		return MarkdownBlock.all("kotlin");
	}

	static List<MarkdownBlock> yaml() {
		return MarkdownBlock.all("yaml");
	}

	static List<MarkdownBlock> xml() {
		return MarkdownBlock.all("xml");
	}

	@ParameterizedTest
	@MethodSource("java")
	void javaIsInASourceOfThisModule(MarkdownBlock block) {
		assertContains(JAVA, block);
	}

	@ParameterizedTest
	@MethodSource("kotlin")
	void kotlinIsInASourceOfItsModule(MarkdownBlock block) {
		assertContains(KOTLIN, block);
	}

	private static void assertContains(List<ExampleSource> sources, MarkdownBlock block) {
		assertThat(sources.stream().filter((source) -> source.holds(block.lines())).map(ExampleSource::name))
			.as("sources of the examples that contain %s:%n%s", block, block.text())
			.isNotEmpty();
	}

	@ParameterizedTest
	@MethodSource("yaml")
	void yamlBindsToWhatThereIs(MarkdownBlock block) {
		EnumerablePropertySource<?> properties = block.properties();
		assertThat(properties.getPropertyNames())
			.allSatisfy((name) -> assertThat(name).matches("(locket|spring|management)\\..*"));
		new ApplicationContextRunner().withUserConfiguration(Properties.class)
			.withInitializer((context) -> context.getEnvironment().getPropertySources().addFirst(properties))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@MethodSource("xml")
	void dependencyIsWhatThisProjectBuilds(MarkdownBlock block) throws Exception {
		Element dependency = parse(block.text());
		assertThat(dependency.getTagName()).isEqualTo("dependency");
		assertThat(text(dependency, "groupId")).isEqualTo("io.locket");
		assertThat(MarkdownBlock.ROOT.resolve(text(dependency, "artifactId")).resolve("pom.xml")).exists();
		Element project = parse(Files.readString(MarkdownBlock.ROOT.resolve("pom.xml")));
		assertThat(text(dependency, "version")).isEqualTo(text(project, "version"));
	}

	private static Element parse(String xml) throws Exception {
		return DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(xml)))
			.getDocumentElement();
	}

	private static String text(Element parent, String name) {
		NodeList children = parent.getElementsByTagName(name);
		assertThat(children.getLength()).as(name).isPositive();
		return children.item(0).getTextContent();
	}

	@Test
	void everyBlockHasAKnownLanguage() {
		Set<String> languages = new TreeSet<>();
		MarkdownBlock.all().forEach((block) -> languages.add(block.language()));
		assertThat(languages).isSubsetOf("", "bash", "java", "kotlin", "mermaid", "sql", "text", "xml", "yaml");
	}

	@EnableConfigurationProperties(LocketProperties.class)
	static class Properties {

	}

}
