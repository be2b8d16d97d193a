package io.locket.job.catalog;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.locket.UniqueJob;
import io.locket.job.definition.InvalidUniqueJobException.Problem;
import io.locket.job.definition.JobDefinitionResolver;
import io.locket.job.definition.JobProblems;
import io.locket.job.definition.UniqueJobAnnotations;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Factory of the jobs of annotated bean methods, which rejects ambiguous names.
 */
final class JobBinder {

	private static final Log logger = LogFactory.getLog(JobBinder.class);

	private final JobDefinitionResolver resolver;

	private final JobTargets targets;

	private final JobIndex index;

	JobBinder(JobDefinitionResolver resolver, JobTargets targets, JobIndex index) {
		this.resolver = resolver;
		this.targets = targets;
		this.index = index;
	}

	List<BoundJob> bind(List<JobBean> beans, List<Problem> problems) {
		List<BoundJob> jobs = new ArrayList<>();
		beans.forEach((bean) -> bind(bean, jobs, problems));
		checkNames(jobs, problems);
		checkTargets(jobs, problems);
		return jobs;
	}

	private void bind(JobBean bean, List<BoundJob> jobs, List<Problem> problems) {
		annotations(bean).forEach((method, annotation) -> {
			JobProblems own = new JobProblems(bean.name(), method, problems);
			jobs.add(BoundJob.of(bean, this.resolver.resolve(bean.name(), bean.type(), method, annotation, own),
					annotation));
		});
	}

	private static Map<Method, MergedAnnotation<UniqueJob>> annotations(JobBean bean) {
		try {
			return UniqueJobAnnotations.findAll(bean.type());
		}
		catch (LinkageError | IllegalStateException ex) {
			// Such a class cannot be proxied either, so the creation of the bean fails.
			logger.debug("The methods of bean '" + bean.name() + "' cannot be read", ex);
			return Map.of();
		}
	}

	private void checkNames(List<BoundJob> jobs, List<Problem> problems) {
		Map<String, BoundJob> byName = new HashMap<>();
		for (BoundJob job : jobs) {
			checkName(job, job.job().name(), "name", byName, problems);
		}
		for (BoundJob job : jobs) {
			job.job().aliases().forEach((alias) -> checkName(job, alias, "alias", byName, problems));
		}
	}

	private void checkName(BoundJob job, String name, String what, Map<String, BoundJob> byName,
			List<Problem> problems) {
		BoundJob other = byName.putIfAbsent(name, job);
		other = (other != null) ? other : this.index.named(name);
		if (other != null && !other.isSameJobAs(job)) {
			boolean named = other.job().name().equals(name);
			new JobProblems(job.bean().name(), job.job().method(), problems).add(
					"The " + what + " '" + name + "' is taken by "
							+ JobProblems.subject(other.bean().name(), other.job().method())
							+ (named ? ", as its name." : ", as an alias."),
					what.equals("name") ? "Write a name of its own, such as name = \"" + name + "2\"."
							: (named ? "Leave this alias out, or give that job another name."
									: "Leave the alias out of one of them."));
		}
	}

	private void checkTargets(List<BoundJob> jobs, List<Problem> problems) {
		for (BoundJob job : jobs) {
			if (!job.named() && !this.targets.canTell(job, jobs)) {
				new JobProblems(job.bean().name(), job.job().method(), problems).add(
						"The name of the job cannot be derived from the bean's name: a call does not identify the bean it is"
								+ " on if several beans share a class and one is not a singleton, or if the bean is"
								+ " nameless.",
						"Write a name, such as name = \"" + job.job().method().getName() + "\".");
			}
		}
	}

}
