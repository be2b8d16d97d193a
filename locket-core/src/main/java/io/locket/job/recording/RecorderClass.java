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
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.objenesis.instantiator.ObjectInstantiator;

/**
 * Generated subclass that delegates all calls to a handler. Its instances are created
 * without a constructor. It lives as long as its superclass. Thread-safe.
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
	 * Returns the recorder of a class.
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
		enhancer.setCallbackType(MethodInterceptor.class);
		try {
			return enhancer.createClass();
		}
		catch (RuntimeException | LinkageError ex) {
			throw new IllegalArgumentException("Calls of " + MethodText.of(type)
					+ " cannot be recorded, because no subclass can be generated. Use an interface that it"
					+ " implements, or enqueue by the name of the job", ex);
		}
	}

	static boolean isFinalizer(Method method) {
		return method.getName().equals("finalize") && method.getParameterCount() == 0;
	}

	Object create(CallHandler handler) {
		Factory recorder = (Factory) this.instantiator.newInstance();
		recorder.setCallbacks(new Callback[] { handler });
		return recorder;
	}

	/**
	 * Returns the methods whose bodies run instead of being recorded.
	 * @return their descriptions for messages
	 */
	List<String> unrecordable() {
		return this.unrecordable;
	}

	/**
	 * Enhancer that also accepts classes with private constructors, because none is
	 * called.
	 */
	private static final class ConstructorlessEnhancer extends Enhancer {

		@Override
		@SuppressWarnings("rawtypes")
		protected void filterConstructors(Class type, List constructors) {
		}

	}

}
