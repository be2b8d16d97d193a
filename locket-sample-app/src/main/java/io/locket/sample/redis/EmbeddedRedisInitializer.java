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
 * Initializer that joins or starts the embedded Redis before the context needs it, unless
 * {@code inventory.redis} is {@code external}. It leaves Redis after all beans are
 * destroyed.
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
				throw new IllegalStateException("'" + property + "' is set, but 'inventory.redis' is 'embedded'. "
						+ "Set inventory.redis=external to use that Redis");
			}
		}
		int port = binder.bind("inventory.redis-port", Integer.class).orElse(6390);
		EmbeddedRedis redis = EmbeddedRedis.join(port);
		environment.getPropertySources()
			.addFirst(new MapPropertySource("embeddedRedis",
					Map.of("spring.data.redis.host", EmbeddedRedis.HOST, "spring.data.redis.port", port,
							"spring.data.redis.client-name", "inventory-app-" + ProcessHandle.current().pid())));
		// Disposable beans are destroyed in reverse order, so this one is the last.
		((DefaultSingletonBeanRegistry) context.getBeanFactory()).registerDisposableBean("embeddedRedis", redis::leave);
	}

	/**
	 * Modes of the access to Redis.
	 */
	enum RedisMode {

		/**
		 * The sample starts a Redis, or uses that of another replica.
		 */
		EMBEDDED,

		/**
		 * The user runs a Redis and configures it by {@code spring.data.redis.*}.
		 */
		EXTERNAL

	}

}
