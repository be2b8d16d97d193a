package io.locket.sample.redis;

import java.util.Map;

import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Joins or starts the embedded Redis before the context needs it, unless
 * {@code inventory.redis} is {@code external}, and leaves it after every bean of the
 * context is gone.
 */
public final class EmbeddedRedisInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		Binder binder = Binder.get(environment);
		RedisMode mode = binder.bind("inventory.redis", RedisMode.class).orElse(RedisMode.EMBEDDED);
		if (mode == RedisMode.EXTERNAL || Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
			return;
		}
		for (String property : new String[] { "spring.data.redis.url", "spring.data.redis.host" }) {
			if (environment.containsProperty(property)) {
				throw new EmbeddedRedisException("'" + property + "' is set, but 'inventory.redis' is 'embedded'");
			}
		}
		int port = binder.bind("inventory.redis-port", Integer.class).orElse(6390);
		EmbeddedRedis redis = EmbeddedRedis.join(port);
		environment.getPropertySources()
			.addFirst(new MapPropertySource("embeddedRedis",
					Map.of("spring.data.redis.host", EmbeddedRedis.HOST, "spring.data.redis.port", port,
							"spring.data.redis.client-name", "inventory-app-" + ProcessHandle.current().pid())));
		// Disposable beans are destroyed in reverse order, so the first one outlives all.
		((DefaultSingletonBeanRegistry) context.getBeanFactory()).registerDisposableBean("embeddedRedis", redis::leave);
	}

	/**
	 * Where Redis comes from.
	 */
	enum RedisMode {

		/**
		 * The sample starts one, or uses the one that another replica started.
		 */
		EMBEDDED,

		/**
		 * The user runs one and says where by {@code spring.data.redis.*}.
		 */
		EXTERNAL

	}

}
