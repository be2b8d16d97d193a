package io.locket.worker.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;

import io.locket.job.catalog.AsyncMethods;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.JobRecord;
import io.locket.queue.argument.ArgumentCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Handler that calls the method of a bean through its proxy, so that transactions and all
 * other advice apply.
 */
final class BeanJobHandler implements JobHandler {

	private final UniqueJobDefinition definition;

	private final ArgumentCodec codec;

	private final BeanFactory beanFactory;

	/**
	 * Method for the most recent class of the bean.
	 */
	private volatile @Nullable Invocable last;

	BeanJobHandler(UniqueJobDefinition definition, ArgumentCodec codec, BeanFactory beanFactory) {
		this.definition = definition;
		this.codec = codec;
		this.beanFactory = beanFactory;
	}

	@Override
	public String job() {
		return this.definition.name();
	}

	@Override
	public boolean maskArguments() {
		return this.definition.maskArguments();
	}

	@Override
	public @Nullable Duration backoff() {
		return this.definition.retry().backoff();
	}

	@Override
	public @Nullable Duration timeout() {
		return this.definition.retry().timeout();
	}

	@Override
	public boolean isFinal(Throwable failure) {
		return failure instanceof AsyncBodyException || this.definition.retry().isFinal(failure);
	}

	@Override
	public @Nullable Object[] arguments(JobRecord job) {
		return this.codec.read(this.definition.method(), this.definition.beanType(), job.arguments());
	}

	@Override
	public Body bind(JobRecord job) {
		@Nullable Object[] args = arguments(job);
		Object bean = this.beanFactory.getBean(this.definition.beanName());
		if (AsyncMethods.contain(bean, this.definition.method())) {
			throw new AsyncBodyException("Job '" + job() + "' " + AsyncMethods.REFUSAL + ". " + AsyncMethods.ADVICE);
		}
		Method method = invocable(bean.getClass());
		return () -> call(bean, method, args);
	}

	private Method invocable(Class<?> type) {
		Invocable known = this.last;
		if (known == null || known.type() != type) {
			Method method = AopUtils.selectInvocableMethod(this.definition.method(), type);
			ReflectionUtils.makeAccessible(method);
			known = new Invocable(type, method);
			this.last = known;
		}
		return known.method();
	}

	/**
	 * Returns whether this is the handler of a job.
	 */
	boolean isOf(UniqueJobDefinition job) {
		return this.definition == job;
	}

	private static @Nullable Object call(Object bean, Method method, @Nullable Object[] args) throws Throwable {
		try {
			return method.invoke(bean, args);
		}
		catch (InvocationTargetException ex) {
			Throwable failure = ex.getTargetException();
			// A proxy wraps checked exceptions that the method does not declare.
			throw (failure instanceof UndeclaredThrowableException hidden) ? hidden.getUndeclaredThrowable() : failure;
		}
	}

	/**
	 * Method to invoke on beans of a class.
	 *
	 * @param type the class, possibly of a proxy
	 * @param method its method
	 */
	private record Invocable(Class<?> type, Method method) {

	}

	/**
	 * Exception for a body that would run on another thread, in each attempt.
	 */
	private static final class AsyncBodyException extends IllegalStateException {

		AsyncBodyException(String message) {
			super(message);
		}

	}

}
