package io.locket.examples.howto.debounce;

import java.time.Duration;

import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Replaced;
import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/how-to/debounce.md.
 */
@SpringBootTest
@AutoConfigureLocketTest
class DebounceTests {

	@Autowired
	private Products products;

	@Autowired
	private SearchIndex index;

	@Autowired
	private LocketTester locket;

	@BeforeEach
	void forget() {
		this.index.written().clear();
	}

	@Test
	void severalChangesCauseOneUpdateWithTheLastOne() {
		assertThat(this.products.changed(7, 1)).isInstanceOf(Accepted.class);
		this.locket.advanceAndDrain(Duration.ofSeconds(20));
		assertThat(this.products.changed(7, 2)).isInstanceOf(Replaced.class);
		assertThat(this.locket.advanceAndDrain(Duration.ofSeconds(20))).hasRunNothing();
		assertThat(this.locket.advanceAndDrain(Duration.ofSeconds(10))).hasRun("search.update");
		assertThat(this.index.written()).containsExactly("7 v2");
	}

	@Test
	void changesWithoutAPauseCauseAnUpdateAfterTheMaximumDelay() {
		for (int version = 1; version <= 14; version++) {
			this.products.changed(7, version);
			assertThat(this.locket.advanceAndDrain(Duration.ofSeconds(20))).hasRunNothing();
		}
		this.products.changed(7, 15);
		assertThat(this.locket.advanceAndDrain(Duration.ofSeconds(20))).hasRun("search.update");
		assertThat(this.index.written()).containsExactly("7 v15");
	}

	@Test
	void productsDoNotDelayEachOther() {
		this.products.changed(7, 1);
		this.products.changed(8, 1);
		this.locket.advanceAndDrain(Duration.ofSeconds(30));
		assertThat(this.index.written()).containsExactlyInAnyOrder("7 v1", "8 v1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Products.class, SearchIndex.class })
	static class Application {

	}

}
