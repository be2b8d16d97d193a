package io.locket.aop;

import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * Contexts whose jobs are guarded by a {@link TestLeaseService}.
 */
public final class GuardedContext {

	private GuardedContext() {
	}

	public static ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
					UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class))
			.withBean(TestLeaseService.class);
	}

	public static TestLeaseService leases(ApplicationContext context) {
		return context.getBean(TestLeaseService.class);
	}

	/**
	 * Takes the key of a call, as another process would.
	 * @param context the context
	 * @param job the name of the job
	 * @param args the arguments of the call
	 * @return the lease
	 */
	public static Lease take(ApplicationContext context, String job, Object... args) {
		LeaseAttempt attempt = leases(context)
			.attempt(LeaseRequest.of(context.getBean(UniqueJobs.class).keyOf(job, args)));
		return ((LeaseAttempt.Acquired) attempt).lease();
	}

}
