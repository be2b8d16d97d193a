package io.locket.aop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.JobContext;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.call.ThreadLeases;
import io.locket.lease.Lease;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

/**
 * Tests for leases around transactions.
 */
@SuppressWarnings("try")
class TransactionEndTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withUserConfiguration(TransactionConfiguration.class);

	@Test
	void ownTransactionCommitsBeforeRelease() {
		this.contextRunner.run((context) -> {
			List<String> order = new ArrayList<>();
			context.getBean(Jobs.class).transactional(() -> {
				assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int status) {
						order.add("completed while held: " + isHeld(context));
					}

				});
				return "";
			});
			assertThat(order).containsExactly("completed while held: true");
			assertThat(isHeld(context)).isFalse();
		});
	}

	@Test
	void leaseIsReleasedAfterCommitOfTheCaller() {
		this.contextRunner.run((context) -> {
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						assertThat(isHeld(context)).isTrue();
					}

				});
				context.getBean(Jobs.class).insert(1);
				assertThat(isHeld(context)).isTrue();
				return "";
			});
			assertThat(isHeld(context)).isFalse();
			assertThat(rows(context)).isEqualTo(1);
		});
	}

	@Test
	void claimOfAPeriodIsNotInheritedByALaterCallInTheTransaction() {
		this.contextRunner.run((context) -> {
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				context.getBean(Jobs.class).daily();
				assertThat(ThreadLeases.isEmpty()).isTrue();
				context.getBean(Jobs.class).daily();
				return "";
			});
			assertThat(rows(context)).isEqualTo(1);
		});
	}

	@Test
	void contextPassesTheCheckUntilTheCallersTransactionEnds() {
		this.contextRunner.run((context) -> {
			AtomicReference<JobContext> body = new AtomicReference<>();
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				context.getBean(Jobs.class).run(() -> {
					body.set(JobContext.required());
					return "";
				});
				body.get().ensureLease();
				return "";
			});
			assertThatIllegalStateException().isThrownBy(body.get()::ensureLease).withMessageContaining("was released");
		});
	}

	@Test
	void leaseIsReleasedAfterRollbackOfTheCaller() {
		this.contextRunner.run((context) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
					context.getBean(Jobs.class).insert(1);
					assertThat(isHeld(context)).isTrue();
					throw new IllegalStateException("roll back");
				}));
			assertThat(isHeld(context)).isFalse();
			assertThat(rows(context)).isZero();
		});
	}

	@Test
	void failedBodyKeepsLeaseUntilTheCallersTransactionEnds() {
		this.contextRunner.run((context) -> {
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				assertThatIllegalStateException().isThrownBy(() -> context.getBean(Jobs.class).run(() -> {
					throw new IllegalStateException("body");
				}));
				assertThat(isHeld(context)).isTrue();
				return "";
			});
			assertThat(isHeld(context)).isFalse();
		});
	}

	@Test
	void secondCallInSameTransactionRunsInsideLease() {
		this.contextRunner.run((context) -> {
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				context.getBean(Jobs.class).insert(1);
				context.getBean(Jobs.class).insert(1);
				return "";
			});
			assertThat(rows(context)).isEqualTo(2);
			assertThat(GuardedContext.leases(context).requests()).hasSize(1);
			assertThat(GuardedContext.leases(context).releasingThreads()).hasSize(1);
			context.getBean(Jobs.class).insert(1);
			assertThat(GuardedContext.leases(context).requests()).hasSize(2);
			assertThat(isHeld(context)).isFalse();
		});
	}

	/**
	 * Checks that the second body is interrupted, although the first one has ended.
	 */
	@Test
	void secondCallInSameTransactionIsInterruptedIfTheLeaseIsLost() {
		this.contextRunner.withPropertyValues("locket.lease.on-lost.direct=interrupt").run((context) -> {
			AtomicBoolean interrupted = new AtomicBoolean();
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				context.getBean(Jobs.class).insert(1);
				context.getBean(Jobs.class).run(() -> {
					GuardedContext.leases(context).lose(LeaseLossCause.TAKEN);
					interrupted.set(Thread.currentThread().isInterrupted());
					return "";
				});
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
				return "";
			});
			assertThat(interrupted).isTrue();
		});
	}

	@Test
	void lostLeaseLeavesNothingOnTheThread() {
		this.contextRunner.run((context) -> {
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				context.getBean(Jobs.class).insert(1);
				GuardedContext.leases(context).lose(LeaseLossCause.GONE);
				context.getBean(Jobs.class).insert(1);
				context.getBean(Jobs.class).insert(1);
				return "";
			});
			assertThat(GuardedContext.leases(context).requests()).hasSize(2);
			assertThat(isHeld(context)).isFalse();
			assertThat(ThreadLeases.isEmpty()).isTrue();
		});
	}

	@Test
	void innerTransactionReleasesWhatItTook() {
		this.contextRunner.run((context) -> {
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> {
					context.getBean(Jobs.class).insert(1);
					assertThat(isHeld(context)).isTrue();
					return "";
				});
				assertThat(isHeld(context)).isFalse();
				return "";
			});
			assertThat(rows(context)).isEqualTo(1);
		});
	}

	@Test
	void innerTransactionLeavesLeaseOfTheOuterOne() {
		this.contextRunner.run((context) -> {
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				context.getBean(Jobs.class).insert(1);
				inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> {
					context.getBean(Jobs.class).insert(1);
					return "";
				});
				assertThat(isHeld(context)).isTrue();
				return "";
			});
			assertThat(isHeld(context)).isFalse();
			assertThat(GuardedContext.leases(context).requests()).hasSize(1);
		});
	}

	@Test
	void jobInANewTransactionCommitsBeforeTheCallersTransactionEnds() {
		this.contextRunner.run((context) -> inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
			context.getBean(Jobs.class).requiresNew();
			assertThat(rows(context)).isEqualTo(1);
			assertThat(isHeld(context)).isTrue();
			return "";
		}));
	}

	@Test
	void refusedCallInTransactionRegistersNothing() {
		this.contextRunner.run((context) -> {
			try (Lease other = GuardedContext.take(context, "jobs.insert", 1)) {
				inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
					assertThatExceptionOfType(DuplicateJobException.class)
						.isThrownBy(() -> context.getBean(Jobs.class).insert(1));
					assertThat(TransactionSynchronizationManager.getSynchronizations()).isEmpty();
					return "";
				});
				assertThat(isHeld(context)).isTrue();
			}
		});
	}

	@Test
	void futureKeepsLeaseUntilItAndTheTransactionHaveEnded() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> early = new CompletableFuture<>();
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				CompletableFuture<String> result = context.getBean(Jobs.class).future(() -> early);
				early.complete("");
				result.join();
				assertThat(isHeld(context)).isTrue();
				return "";
			});
			assertThat(isHeld(context)).isFalse();
			CompletableFuture<String> late = new CompletableFuture<>();
			inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED,
					() -> context.getBean(Jobs.class).future(() -> late));
			assertThat(isHeld(context)).isTrue();
			late.complete("");
			Awaitility.await().until(() -> !isHeld(context));
		});
	}

	@Test
	void runInsideTheCallersTransactionReturnsWhenItHasCalledItsKeyAgain() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Lease lease = GuardedContext.take(context, "jobs.insert", 1);
			QueuedInvocation run = new QueuedInvocation("jobs.insert", mock(), lease);
			Thread caller = new Thread(() -> inTransaction(context, TransactionDefinition.PROPAGATION_REQUIRED, () -> {
				try {
					run.run(() -> {
						jobs.insert(1);
						jobs.insert(1);
					});
				}
				catch (Throwable ex) {
					throw new IllegalStateException(ex);
				}
				return "";
			}));
			caller.setDaemon(true);
			caller.start();
			caller.join(5000);
			assertThat(caller.isAlive()).isFalse();
			assertThat(rows(context)).isEqualTo(2);
			assertThat(lease.isHeld()).isTrue();
		});
	}

	private static <T> void inTransaction(ApplicationContext context, int propagation, Supplier<T> body) {
		TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		template.setPropagationBehavior(propagation);
		template.execute((status) -> body.get());
	}

	private static boolean isHeld(ApplicationContext context) {
		return !GuardedContext.leases(context).held(1).isEmpty();
	}

	private static int rows(ApplicationContext context) {
		Integer rows = context.getBean(JdbcTemplate.class).queryForObject("select count(*) from work", Integer.class);
		return (rows != null) ? rows : 0;
	}

	static class Jobs {

		private final JdbcTemplate jdbc;

		Jobs(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public void insert(int id) {
			this.jdbc.update("insert into work values (?)", id);
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1d")
		public void daily() {
			this.jdbc.update("insert into work values (1)");
		}

		@Transactional
		@UniqueJob(key = "'one'", onConflict = ConflictStrategy.RAISE)
		public String transactional(Supplier<String> body) {
			return body.get();
		}

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@UniqueJob
		public void requiresNew() {
			this.jdbc.update("insert into work values (1)");
		}

		@UniqueJob(key = "'one'", onConflict = ConflictStrategy.RAISE)
		public String run(Supplier<String> body) {
			return body.get();
		}

		@UniqueJob(key = "'one'")
		public CompletableFuture<String> future(Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class TransactionConfiguration {

		@Bean
		DataSource dataSource() {
			return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		}

		@Bean
		PlatformTransactionManager transactionManager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			JdbcTemplate template = new JdbcTemplate(dataSource);
			template.execute("create table work (id int)");
			return template;
		}

		@Bean
		Jobs jobs(JdbcTemplate jdbcTemplate) {
			return new Jobs(jdbcTemplate);
		}

	}

}
