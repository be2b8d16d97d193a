package io.locket.examples.howto.commit;

import java.time.Clock;
import java.time.Duration;

import javax.sql.DataSource;

import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult.Deferred;
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
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/how-to/enqueue-after-commit.md.
 */
@SpringBootTest
@AutoConfigureLocketTest
class CommitTests {

	@Autowired
	private Orders orders;

	@Autowired
	private Jobs jobs;

	@Autowired
	private JdbcClient jdbc;

	@Autowired
	private PlatformTransactionManager transactions;

	@Autowired
	private LocketTester locket;

	@BeforeEach
	void createTable() {
		this.jdbc.sql("drop table if exists orders").update();
		this.jdbc
			.sql("create table orders (id bigint primary key, placed_at timestamp with time zone not null, "
					+ "confirmed boolean default false not null)")
			.update();
	}

	@Test
	void jobIsEnqueuedAfterTheCommit() {
		assertThat(this.orders.place(7)).isInstanceOf(Deferred.class);
		assertThat(this.locket).hasEnqueued("confirmations.send").withArguments(7).asAccepted();
		this.locket.drain();
		assertThat(unconfirmed()).isZero();
	}

	@Test
	void nothingIsEnqueuedAfterARollback() {
		new TransactionTemplate(this.transactions).executeWithoutResult((status) -> {
			this.orders.place(7);
			status.setRollbackOnly();
		});
		assertThat(this.locket).hasEnqueuedNothing();
		assertThat(unconfirmed()).isZero();
	}

	@Test
	void orderWithoutAJobIsFound() {
		this.orders.place(7);
		this.locket.reset();
		this.orders.place(8);
		this.locket.advance(Duration.ofMinutes(6));
		this.jobs.enqueue("confirmations.enqueueMissing");
		assertThat(this.locket.drain("mail")).hasRun("confirmations.send", "confirmations.enqueueMissing",
				"confirmations.send");
		assertThat(unconfirmed()).isZero();
	}

	/**
	 * Only tests have a bean of type {@link Clock}.
	 */
	@Test
	void applicationStartsWhenItHasNoClock() {
		Examples.application(Application.class).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Clock.class);
			assertThat(context).hasSingleBean(Orders.class);
		});
	}

	private int unconfirmed() {
		return this.jdbc.sql("select count(*) from orders where not confirmed").query(Integer.class).single();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableTransactionManagement
	@Import({ Confirmations.class, Orders.class })
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
