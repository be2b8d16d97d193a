package io.locket.examples.howto.fencing;

import java.util.function.LongFunction;

import javax.sql.DataSource;

import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;

/**
 * Tests for the examples in docs/how-to/fencing-in-sql.md.
 */
@SpringBootTest
@AutoConfigureLocketTest
class FencingTests {

	@Autowired
	private Reports reports;

	@Autowired
	private JdbcClient jdbc;

	@Autowired
	private LocketTester locket;

	@MockitoBean
	private LongFunction<String> renderer;

	@BeforeEach
	void createTable() {
		this.jdbc.sql("drop table if exists report").update();
		this.jdbc.sql("create table report (id bigint primary key, body varchar(100), token bigint default 0 not null)")
			.update();
		this.jdbc.sql("insert into report (id) values (7)").update();
	}

	@Test
	void laterRunWrites() {
		given(this.renderer.apply(7)).willReturn("first", "second");
		this.reports.write(7);
		this.reports.write(7);
		assertThat(body()).isEqualTo("second");
	}

	@Test
	void runThatLostItsLeaseDoesNotOverwriteALaterOne() {
		given(this.renderer.apply(7)).willAnswer((call) -> {
			this.locket.loseLease("reports.write", 7);
			this.reports.write(7);
			return "late";
		}).willReturn("new");
		assertThatIllegalStateException().isThrownBy(() -> this.reports.write(7))
			.withMessageContaining("a later run has written it");
		assertThat(body()).isEqualTo("new");
	}

	private String body() {
		return this.jdbc.sql("select body from report where id = 7").query(String.class).single();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Reports.class)
	static class Application {

		@Bean
		DataSource dataSource() {
			return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		}

		@Bean
		JdbcClient jdbcClient(DataSource dataSource) {
			return JdbcClient.create(dataSource);
		}

	}

}
