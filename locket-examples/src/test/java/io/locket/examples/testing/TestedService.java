package io.locket.examples.testing;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * A service whose transactions have no resource.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ Billing.class, Shop.class })
class TestedService {

	@Bean
	PlatformTransactionManager transactionManager() {
		return new EmptyTransactionManager();
	}

	static class EmptyTransactionManager extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.logger.debug("There is no resource to begin with");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.logger.debug("There is no resource to commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.logger.debug("There is no resource to roll back");
		}

	}

}
