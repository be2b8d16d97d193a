package io.locket.job;

import java.lang.reflect.Method;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Hints for the jobs of beans: workers call their methods and read their arguments, and
 * producers implement their interfaces. An interface that no bean here implements is not
 * known ahead of time.
 */
class JobHints implements BeanRegistrationAotProcessor {

	private final BindingReflectionHintsRegistrar arguments = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		Class<?> type = ClassUtils.getUserClass(registeredBean.getBeanClass());
		Set<Method> jobs = jobs(type);
		return jobs.isEmpty() ? null : (context, code) -> contribute(context.getRuntimeHints(), type, jobs);
	}

	/**
	 * A class that refers to what is not there has no jobs that could run.
	 */
	private static Set<Method> jobs(Class<?> type) {
		try {
			return UniqueJobAnnotations.isCandidate(type) ? UniqueJobAnnotations.findAll(type).keySet() : Set.of();
		}
		catch (LinkageError | IllegalStateException ex) {
			return Set.of();
		}
	}

	private void contribute(RuntimeHints hints, Class<?> type, Set<Method> jobs) {
		for (Method job : jobs) {
			hints.reflection().registerMethod(job, ExecutableMode.INVOKE);
			this.arguments.registerReflectionHints(hints.reflection(), job.getGenericParameterTypes());
		}
		for (Class<?> candidate : ClassUtils.getAllInterfacesForClass(type)) {
			if (!candidate.isSealed() && !jobs(candidate).isEmpty()) {
				hints.proxies().registerJdkProxy(candidate);
			}
		}
	}

}
