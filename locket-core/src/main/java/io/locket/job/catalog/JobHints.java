package io.locket.job.catalog;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Set;

import io.locket.job.definition.UniqueJobAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ClassUtils;

/**
 * Ahead-of-time processor that contributes runtime hints for the jobs of beans. Workers
 * call their methods and read their arguments; producers implement their interfaces. An
 * interface without a bean that implements it is unknown ahead of time.
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
	 * Returns the jobs of a class. A class that refers to missing classes has no jobs
	 * that could run.
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
			for (Type parameter : job.getGenericParameterTypes()) {
				this.arguments.registerReflectionHints(hints.reflection(),
						GenericTypeResolver.resolveType(parameter, type));
			}
		}
		for (Class<?> candidate : ClassUtils.getAllInterfacesForClass(type)) {
			if (!candidate.isSealed() && !jobs(candidate).isEmpty()) {
				hints.proxies().registerJdkProxy(candidate);
			}
		}
	}

}
