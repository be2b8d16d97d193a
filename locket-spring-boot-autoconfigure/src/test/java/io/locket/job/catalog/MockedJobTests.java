package io.locket.job.catalog;

import io.locket.UniqueJob;
import io.locket.aop.TestLeaseService;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.then;

/**
 * Tests for jobs that a user's test replaces with mocks.
 */
@SpringJUnitConfig
class MockedJobTests {

	@MockitoBean
	private Mocked mocked;

	@MockitoSpyBean
	private Spied spied;

	@Autowired
	private TestLeaseService leases;

	@Test
	void mockIsNotGuardedAndSpyIs() {
		this.mocked.run();
		then(this.mocked).should().run();
		assertThat(this.leases.requests()).isEmpty();
		this.spied.run();
		then(this.spied).should().run();
		assertThat(this.leases.requests()).hasSize(1);
	}

	static class Mocked {

		@UniqueJob
		public void run() {
		}

	}

	static class Spied {

		@UniqueJob
		public void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, LeaseAutoConfiguration.class,
			UniqueJobAutoConfiguration.class })
	static class TestConfiguration {

		@Bean
		TestLeaseService leases() {
			return new TestLeaseService();
		}

		@Bean
		Mocked mocked() {
			return new Mocked();
		}

		@Bean
		Spied spied() {
			return new Spied();
		}

	}

}
