package io.locket.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;

import io.locket.job.AsyncMethods;
import io.locket.job.UniqueJobDefinition;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Calls the method of a bean as everybody else does: through its proxy, so that
 * transactions and all other advice apply.
 */
final class BeanJobHandler implements JobHandler {

	private final UniqueJobDefinition definition;

	private final ArgumentCodec codec;

	private final BeanFactory beanFactory;

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
		return this.definition.backoff();
	}

	@Override
	public @Nullable Duration timeout() {
		return this.definition.timeout();
	}

	@Override
	public boolean isFinal(Throwable failure) {
		return this.definition.noRetryFor().stream().anyMatch((type) -> type.isInstance(failure));
	}

	@Override
	public @Nullable Object[] arguments(JobRecord job) {
		return this.codec.read(this.definition.method(), job.arguments());
	}

	@Override
	public Body bind(JobRecord job) {
		@Nullable Object[] args = arguments(job);
		Object bean = this.beanFactory.getBean(this.definition.beanName());
		if (AsyncMethods.contain(bean, this.definition.method())) {
			throw new IllegalStateException("Job '" + job() + "' " + AsyncMethods.REFUSAL);
		}
		Method method = AopUtils.selectInvocableMethod(this.definition.method(), bean.getClass());
		ReflectionUtils.makeAccessible(method);
		return () -> call(bean, method, args);
	}

	private static @Nullable Object call(Object bean, Method method, @Nullable Object[] args) throws Throwable {
		try {
			return method.invoke(bean, args);
		}
		catch (InvocationTargetException ex) {
			Throwable failure = ex.getTargetException();
			// A proxy hides checked exceptions that the method does not declare.
			throw (failure instanceof UndeclaredThrowableException hidden) ? hidden.getUndeclaredThrowable() : failure;
		}
	}

}
