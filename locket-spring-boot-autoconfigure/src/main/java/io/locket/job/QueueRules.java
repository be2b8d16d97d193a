package io.locket.job;

import java.util.List;

import io.locket.job.InvalidUniqueJobException.Problem;
import io.locket.queue.JobQueue;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Sees to it that there is a queue for the refused calls that are to be enqueued.
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
		enqueuing.forEach((job) -> new JobProblems(job.bean().name(), job.job().method(), problems).add(
				"A refused call cannot be enqueued, as " + job.job().onConflict() + " asks: there is no JobQueue bean"
						+ (this.threadBound ? ", which locket.lease.store=lock-registry does not bring." : "."),
				(this.threadBound ? "Use locket.lease.store=redis, or configure" : "Configure")
						+ " spring.data.redis.* with locket-spring-boot-starter, or write onConflict = REJECT, RAISE"
						+ " or WAIT."));
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
				"A refused call is enqueued, as " + job.job().onConflict() + " asks, and its queued run could be on"
						+ " another bean: beans of several classes have the name '" + job.job().name() + "'.",
				"Give each of them a name of its own, or write onConflict = REJECT, RAISE or WAIT.");
	}

	private boolean isAsync(BoundJob job) {
		String name = job.bean().name();
		return this.beanFactory.containsSingleton(name) && !this.beanFactory.isFactoryBean(name)
				&& AsyncMethods.contain(this.beanFactory.getSingleton(name), job.job().method());
	}

	private static void report(BoundJob job, List<Problem> problems) {
		new JobProblems(job.bean().name(), job.job().method(), problems).add(
				"A refused call is enqueued, as " + job.job().onConflict()
						+ " asks, and no worker can run it: the method " + AsyncMethods.REFUSAL + ".",
				"Do that, or write onConflict = REJECT, RAISE or WAIT.");
	}

}
