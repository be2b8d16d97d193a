package io.locket.job.definition;

import java.lang.reflect.Method;
import java.util.List;

import io.locket.job.definition.InvalidUniqueJobException.Problem;

import org.springframework.util.ClassUtils;

/**
 * Collector of the problems of one method of one bean.
 */
public final class JobProblems {

	private final String subject;

	private final List<Problem> problems;

	public JobProblems(String beanName, Method method, List<Problem> problems) {
		this.subject = subject(beanName, method);
		this.problems = problems;
	}

	public static String subject(String beanName, Method method) {
		StringBuilder subject = new StringBuilder(beanName.isEmpty() ? "Interface" : "Bean '" + beanName + "'")
			.append(", method ")
			.append(ClassUtils.getShortName(method.getDeclaringClass()))
			.append('.')
			.append(method.getName())
			.append('(');
		Class<?>[] types = method.getParameterTypes();
		for (int i = 0; i < types.length; i++) {
			subject.append((i > 0) ? ", " : "").append(types[i].getSimpleName());
		}
		return subject.append(')').toString();
	}

	public void add(String description, String action) {
		this.problems.add(new Problem(this.subject, description, action));
	}

}
