package io.locket.job.recording;

import java.lang.reflect.Method;
import java.util.List;

import org.springframework.cglib.core.ClassLoaderAwareGeneratorStrategy;
import org.springframework.cglib.core.DefaultNamingPolicy;
import org.springframework.cglib.core.NamingPolicy;
import org.springframework.cglib.proxy.Callback;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.Factory;
import org.springframework.cglib.proxy.MethodInterceptor;
import org.springframework.cglib.proxy.NoOp;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.objenesis.instantiator.ObjectInstantiator;

/**
 * A generated class that extends a class and hands every call over. Its objects are made
 * without a constructor. Lives as long as the class that it extends. Thread-safe.
 */
final class RecorderClass {

	private static final ClassValue<RecorderClass> CLASSES = new ClassValue<>() {

		@Override
		protected RecorderClass computeValue(Class<?> type) {
			return new RecorderClass(type);
		}

	};

	private static final NamingPolicy NAMES = new DefaultNamingPolicy() {

		@Override
		protected String getTag() {
			return "ByLocket";
		}

	};

	private static final SpringObjenesis OBJENESIS = new SpringObjenesis();

	private final ObjectInstantiator<?> instantiator;

	private final List<String> unrecordable;

	private RecorderClass(Class<?> type) {
		ClassRules.check(type);
		this.unrecordable = ClassRules.unrecordable(type);
		this.instantiator = OBJENESIS.getInstantiatorOf(generate(type));
	}

	/**
	 * Return the recorder of a class.
	 * @param type the class
	 * @return its recorder
	 * @throws IllegalArgumentException if calls of the class cannot be recorded
	 */
	static RecorderClass of(Class<?> type) {
		return CLASSES.get(type);
	}

	private static Class<?> generate(Class<?> type) {
		Enhancer enhancer = new ConstructorlessEnhancer();
		enhancer.setClassLoader(type.getClassLoader());
		enhancer.setStrategy(new ClassLoaderAwareGeneratorStrategy(type.getClassLoader()));
		enhancer.setNamingPolicy(NAMES);
		enhancer.setUseCache(false);
		enhancer.setSuperclass(type);
		enhancer.setCallbackTypes(new Class<?>[] { MethodInterceptor.class, NoOp.class });
		enhancer.setCallbackFilter((method) -> isInherited(method) ? 1 : 0);
		try {
			return enhancer.createClass();
		}
		catch (RuntimeException | LinkageError ex) {
			throw new IllegalArgumentException("Calls of " + MethodText.of(type)
					+ " cannot be recorded, since no class can be made that extends it. Give an interface that it"
					+ " implements, or enqueue by the name of the job", ex);
		}
	}

	/**
	 * A finalizer of one's own would make each recorder a burden to the collector.
	 */
	private static boolean isInherited(Method method) {
		return isFinalizer(method) && method.getDeclaringClass() == Object.class;
	}

	static boolean isFinalizer(Method method) {
		return method.getName().equals("finalize") && method.getParameterCount() == 0;
	}

	Object create(CallHandler handler) {
		Factory recorder = (Factory) this.instantiator.newInstance();
		recorder.setCallbacks(new Callback[] { handler, NoOp.INSTANCE });
		return recorder;
	}

	/**
	 * Return the methods whose bodies run instead of being recorded.
	 * @return what messages call them
	 */
	List<String> unrecordable() {
		return this.unrecordable;
	}

	/**
	 * Extends classes with private constructors, too, of which none runs.
	 */
	private static final class ConstructorlessEnhancer extends Enhancer {

		@Override
		@SuppressWarnings("rawtypes")
		protected void filterConstructors(Class type, List constructors) {
		}

	}

}
