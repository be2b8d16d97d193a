package io.locket.examples;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ExampleSource} and {@link MarkdownBlock}.
 */
class ExampleSourceTests {

	private final ExampleSource source = ExampleSource.of("A.java", """
			package a;

			import x.Y;
			import x.Z;

			class A {

				void first() {
					one();
					two();   // second

					three();
				}

			}
			""".lines().toList());

	@Test
	void holdsWhatItHasApartFromIndentationBlankLinesAndComments() {
		assertThat(this.source.holds(List.of("void first() {", "  one();", "\ttwo();"))).isTrue();
		assertThat(this.source.holds(List.of("one(); // first", "// then", "two();     // second"))).isTrue();
	}

	@Test
	void holdsParagraphsThatAreFurtherApart() {
		assertThat(this.source.holds(List.of("import x.Z;", "", "one();"))).isTrue();
		assertThat(this.source.holds(List.of("two();", "three();"))).isTrue();
	}

	@Test
	void doesNotHoldWhatDiffers() {
		assertThat(this.source.holds(List.of("one();", "three();"))).isFalse();
		assertThat(this.source.holds(List.of("three();", "", "one();"))).isFalse();
		assertThat(this.source.holds(List.of("one"))).isFalse();
	}

	@Test
	void blocksOfAPageAreFound() {
		List<String> page = """
				text
				```java
				a();

				b();
				```
				```
				plain
				```
				""".lines().toList();
		List<MarkdownBlock> blocks = MarkdownBlock.of("docs/a.md", page);
		assertThat(blocks).extracting(MarkdownBlock::language).containsExactly("java", "");
		assertThat(blocks.get(0)).hasToString("docs/a.md:2");
		assertThat(blocks.get(0).lines()).containsExactly("a();", "", "b();");
		assertThatIllegalArgumentException().isThrownBy(() -> MarkdownBlock.of("docs/a.md", page.subList(0, 3)));
	}

}
