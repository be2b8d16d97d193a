package io.locket.aop;

import io.locket.autoconfigure.LeaseAutoConfiguration;
import io.locket.autoconfigure.QueueAutoConfiguration;
import io.locket.autoconfigure.UniqueJobAutoConfiguration;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * Contexts whose jobs are guarded by an {@link TestLeaseService}.
 */
final class GuardedContext {

	private GuardedContext() {
	}

	static ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
					UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class))
			.withBean(TestLeaseService.class);
	}

	static TestLeaseService leases(ApplicationContext context) {
		return context.getBean(TestLeaseService.class);
	}

	/**
	 * Take the key of a call, as another process would.
	 * @param context the context
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return the lease
	 */
	static Lease take(ApplicationContext context, String job, Object... args) {
		LeaseAttempt attempt = leases(context)
			.attempt(LeaseRequest.of(context.getBean(UniqueJobs.class).keyOf(job, args)));
		return ((LeaseAttempt.Acquired) attempt).lease();
	}

}
