package io.locket.job.catalog;

import java.util.List;

import io.locket.job.definition.InvalidUniqueJobException.Problem;
import io.locket.job.definition.JobProblems;
import io.locket.job.definition.JobSettings;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Rule that a queue exists if refused calls are to be enqueued.
 */
final class QueueRules {

	private final ConfigurableListableBeanFactory beanFactory;

	private final boolean threadBound;

	QueueRules(ConfigurableListableBeanFactory beanFactory, JobSettings settings) {
		this.beanFactory = beanFactory;
		this.threadBound = settings.threadBound();
	}

	void check(List<BoundJob> guarded, List<Problem> problems) {
		List<BoundJob> enqueuing = guarded.stream()
			.filter((job) -> job.job().onConflict().enqueuesDirectCalls())
			.toList();
		enqueuing.stream().filter(this::isAsync).forEach((job) -> report(job, problems));
		enqueuing.stream().filter((job) -> isOfAnotherClass(job, enqueuing)).forEach((job) -> shared(job, problems));
		if (enqueuing.isEmpty() || hasQueue()) {
			return;
		}
		enqueuing.forEach(
				(job) -> new JobProblems(job.bean().name(), job.job().method(), problems).add(
						"A refused call cannot be enqueued, as " + job
							.job()
							.onConflict() + " requires: there is no JobQueue bean"
								+ (this.threadBound ? ", which locket.lease.store=lock-registry does not provide."
										: "."),
						(this.threadBound ? "Use locket.lease.store=redis, or configure" : "Configure")
								+ " spring.data.redis.* with locket-spring-boot-starter, or write onConflict = REJECT, RAISE,"
								+ " or WAIT with waitFor."));
	}

	/**
	 * Checks that workers can read the arguments of jobs, if there is a queue.
	 */
	void checkParameters(List<BoundJob> jobs, List<Problem> problems) {
		if (!hasQueue()) {
			return;
		}
		for (BoundJob job : jobs) {
			for (String parameter : ArgumentCodec.openParameters(job.job().method(), job.bean().type())) {
				new JobProblems(job.bean().name(), job.job().method(), problems)
					.add(parameter + " cannot be queued: " + ArgumentCodec.OPEN + ".", ArgumentCodec.OPEN_ADVICE
							+ ", or let the bean's class resolve it, as in class Invoices extends Batch<Invoice>.");
			}
		}
	}

	boolean hasQueue() {
		return this.beanFactory.getBeanNamesForType(JobQueue.class, true, false).length > 0;
	}

	private static boolean isOfAnotherClass(BoundJob job, List<BoundJob> jobs) {
		return jobs.stream()
			.anyMatch((other) -> other.job().name().equals(job.job().name())
					&& !other.bean().name().equals(job.bean().name()) && other.bean().type() != job.bean().type());
	}

	private static void shared(BoundJob job, List<Problem> problems) {
		new JobProblems(job.bean().name(), job.job().method(), problems).add(
				"A refused call is enqueued, as " + job.job().onConflict() + " requires, and its queued run could use"
						+ " another bean: beans of several classes have the name '" + job.job().name() + "'.",
				"Give each of them a name of its own, or write onConflict = REJECT, RAISE, or WAIT with waitFor.");
	}

	private boolean isAsync(BoundJob job) {
		return AsyncMethods.contain(this.beanFactory, job.bean().name(), job.job().method());
	}

	private static void report(BoundJob job, List<Problem> problems) {
		new JobProblems(job.bean().name(), job.job().method(), problems).add(
				"A refused call is enqueued, as " + job.job().onConflict()
						+ " requires, but no worker can run it, because the method " + AsyncMethods.REFUSAL + ".",
				AsyncMethods.ADVICE + ", or write onConflict = REJECT, RAISE, or WAIT with waitFor.");
	}

}
