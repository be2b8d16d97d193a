package io.locket.examples.howto.idempotence;

import java.math.BigDecimal;
import java.time.Duration;

import javax.sql.DataSource;

import io.locket.job.Jobs;
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
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.times;

/**
 * Tests for the examples in docs/how-to/idempotent-bodies.md.
 */
@SpringBootTest
@AutoConfigureLocketTest
class IdempotenceTests {

	private static final BigDecimal AMOUNT = new BigDecimal("12.50");

	@Autowired
	private Jobs jobs;

	@Autowired
	private JdbcClient jdbc;

	@Autowired
	private LocketTester locket;

	@MockitoBean
	private PaymentProvider provider;

	@BeforeEach
	void createTable() {
		this.jdbc.sql("drop table if exists payment").update();
		this.jdbc.sql(
				"create table payment (order_id bigint primary key, amount decimal(10, 2), receipt varchar(40) not null)")
			.update();
	}

	@Test
	void secondRunChargesNothing() {
		given(this.provider.charge("order-7", AMOUNT)).willReturn("receipt-1");
		this.jobs.enqueue("payments.charge", 7, AMOUNT);
		this.jobs.enqueue("payments.charge", 7, AMOUNT);
		assertThat(this.locket.drain()).hasRun("payments.charge", "payments.charge");
		then(this.provider).should().charge("order-7", AMOUNT);
		assertThat(receipt(7)).isEqualTo("receipt-1");
	}

	@Test
	void attemptThatFailedAfterTheChargeRepeatsItWithTheSameKey() {
		given(this.provider.charge("order-7", AMOUNT)).willReturn("x".repeat(41), "receipt-1");
		this.jobs.enqueue("payments.charge", 7, AMOUNT);
		assertThat(this.locket.drainAllowingFailures()).hasFailed("payments.charge");
		assertThat(this.locket.advanceAndDrain(Duration.ofMinutes(1))).hasRun("payments.charge");
		then(this.provider).should(times(2)).charge("order-7", AMOUNT);
		assertThat(receipt(7)).isEqualTo("receipt-1");
	}

	private String receipt(long orderId) {
		return this.jdbc.sql("select receipt from payment where order_id = ?")
			.param(orderId)
			.query(String.class)
			.single();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableTransactionManagement
	@Import(Payments.class)
	static class Application {

		@Bean
		DataSource dataSource() {
			return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		}

		@Bean
		JdbcClient jdbcClient(DataSource dataSource) {
			return JdbcClient.create(dataSource);
		}

		@Bean
		PlatformTransactionManager transactionManager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

	}

}
