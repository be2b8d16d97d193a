package io.locket.job.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

import io.locket.job.definition.UniqueJobDefinition;
import io.locket.job.recording.RecordedCall;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Finder of the job of a recorded call: that of the bean or, if no bean implements the
 * interface, the one that the interface declares. Thread-safe.
 */
final class RecordedJobs {

	private final ListableBeanFactory beanFactory;

	private final JobIndex index;

	private final DeclaredJobs declared;

	private final Runnable rescan;

	RecordedJobs(ListableBeanFactory beanFactory, JobIndex index, DeclaredJobs declared, Runnable rescan) {
		this.beanFactory = beanFactory;
		this.index = index;
		this.declared = declared;
		this.rescan = rescan;
	}

	UniqueJobDefinition find(RecordedCall call) {
		UniqueJobDefinition job = ofBeans(call);
		job = (job != null) ? job : this.declared.known(call.method(), call.type());
		if (job == null) {
			this.rescan.run();
			job = ofBeans(call);
		}
		if (job == null && !hasBean(call.type())) {
			job = this.declared.declare(call);
		}
		if (job == null) {
			throw new IllegalArgumentException(call + " is not a job: it has no @UniqueJob. " + jobsOf(call.type()));
		}
		return job;
	}

	/**
	 * Returns a job that only an interface declares, and that was called before.
	 * @param name the name of the job, or one of its aliases
	 * @return the job, or empty if there is none
	 */
	Optional<UniqueJobDefinition> declared(String name) {
		return this.declared.known(name);
	}

	private @Nullable UniqueJobDefinition ofBeans(RecordedCall call) {
		Map<String, BoundJob> byName = new LinkedHashMap<>();
		for (BoundJob job : this.index.ofBeans(call.type())) {
			if (isCalled(job, call)) {
				byName.putIfAbsent(job.job().name(), job);
			}
		}
		if (byName.size() > 1) {
			throw new IllegalArgumentException(call + " is a job of " + byName.size() + " beans, "
					+ byName.values().stream().map((job) -> "'" + job.bean().name() + "'").toList()
					+ ". Enqueue by the name of the job, one of " + byName.keySet() + ", or use a type that only one"
					+ " of them has");
		}
		return byName.isEmpty() ? null : byName.values().iterator().next().job();
	}

	private static boolean isCalled(BoundJob job, RecordedCall call) {
		return job.job().method().getName().equals(call.method().getName())
				&& job.job().method().equals(AopUtils.getMostSpecificMethod(call.method(), job.bean().type()));
	}

	private boolean hasBean(Class<?> type) {
		return this.beanFactory.getBeanNamesForType(type, true, false).length > 0;
	}

	private String jobsOf(Class<?> type) {
		List<BoundJob> jobs = this.index.ofBeans(type);
		if (jobs.isEmpty()) {
			return "Annotate it with @UniqueJob";
		}
		TreeSet<String> names = new TreeSet<>();
		jobs.forEach((job) -> names.add(job.job().name()));
		return "Annotate it, or call one of the jobs of " + ClassUtils.getShortName(type) + ": " + names;
	}

}
