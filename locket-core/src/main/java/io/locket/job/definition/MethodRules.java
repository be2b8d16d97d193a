package io.locket.job.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Rules that a method must meet so that a proxy can guard it.
 */
public final class MethodRules {

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private final ProxyKind proxies;

	public MethodRules(ProxyKind proxies) {
		this.proxies = proxies;
	}

	void check(String beanName, Class<?> beanClass, Method method, JobProblems problems) {
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers)) {
			problems.add("The method is private, so no proxy can guard it.", "Make it public.");
		}
		else if (Modifier.isStatic(modifiers)) {
			problems.add("The method is static, so no proxy can guard it.", "Make it a public instance method.");
		}
		else if (!Modifier.isPublic(modifiers)) {
			problems.add("The method is not public.", "Make it public.");
		}
		else if (isSuspending(method)) {
			problems.add("The method is a Kotlin suspend function, whose completion a proxy cannot observe.",
					"Make it an ordinary function, or let it return a Mono or a CompletableFuture.");
		}
		else if (this.proxies.isByClass(beanName, beanClass)) {
			checkClassProxy(beanClass, method, problems);
		}
		else if (!isDeclaredByInterface(beanClass, method)) {
			problems.add("The bean is proxied by its interfaces, and none of them declares the method.",
					"Declare it in an interface, or set spring.aop.proxy-target-class=true.");
		}
	}

	private void checkClassProxy(Class<?> beanClass, Method method, JobProblems problems) {
		if (Modifier.isFinal(beanClass.getModifiers())) {
			problems.add("The class " + ClassUtils.getShortName(beanClass) + " is final, so no proxy can extend it.",
					"Remove 'final' (in Kotlin: add 'open' or the plugin kotlin-spring; records cannot be jobs).");
		}
		else if (Modifier.isFinal(method.getModifiers())) {
			problems.add("The method is final, so no proxy can override it.",
					"Remove 'final' (in Kotlin: add 'open' or the plugin kotlin-spring).");
		}
	}

	private static boolean isSuspending(Method method) {
		Class<?>[] types = method.getParameterTypes();
		return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
	}

	private static boolean isDeclaredByInterface(Class<?> beanClass, Method method) {
		for (Class<?> type : ClassUtils.getAllInterfacesForClass(beanClass)) {
			for (Method candidate : type.getMethods()) {
				if (candidate.equals(method) || AopUtils.getMostSpecificMethod(candidate, beanClass).equals(method)) {
					return true;
				}
			}
		}
		return false;
	}

}
