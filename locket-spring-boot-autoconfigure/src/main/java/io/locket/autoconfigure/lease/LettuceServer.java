package io.locket.autoconfigure.lease;

import java.lang.reflect.Field;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Configuration of the server to which a factory of Lettuce connects.
 */
final class LettuceServer {

	/**
	 * Field of the factory with its configuration. The accessors do not return each one:
	 * that of a static list of a master and its replicas has none, and a configuration
	 * that was passed to the constructor as a {@code RedisConfiguration} is not returned.
	 * Both are reported as a standalone server at localhost.
	 */
	static final String FIELD = "configuration";

	private LettuceServer() {
	}

	/**
	 * Returns the configuration of the server.
	 * @param factory the factory
	 * @return the configuration, or {@code null} if it cannot be determined
	 */
	static @Nullable RedisConfiguration of(LettuceConnectionFactory factory) {
		RedisConfiguration configuration = read(factory);
		return (configuration != null) ? configuration : byAccessors(factory);
	}

	/**
	 * Returns the configuration that the accessors return, or {@code null} for a static
	 * list of a master and its replicas. A static list is recognized by its
	 * {@code ReadFrom}. Without one, it is returned as a single server.
	 */
	private static @Nullable RedisConfiguration byAccessors(LettuceConnectionFactory factory) {
		if (factory.getClusterConfiguration() != null) {
			return factory.getClusterConfiguration();
		}
		if (factory.getSentinelConfiguration() != null) {
			return factory.getSentinelConfiguration();
		}
		if (factory.getSocketConfiguration() != null) {
			return factory.getSocketConfiguration();
		}
		return factory.getClientConfiguration().getReadFrom().isPresent() ? null : factory.getStandaloneConfiguration();
	}

	/**
	 * Reads the field.
	 * @return the configuration, or {@code null} if this version of Spring Data Redis has
	 * no such field, or it is not accessible
	 */
	private static @Nullable RedisConfiguration read(LettuceConnectionFactory factory) {
		Field field = ReflectionUtils.findField(LettuceConnectionFactory.class, FIELD, RedisConfiguration.class);
		if (field == null || !field.trySetAccessible()) {
			return null;
		}
		return (RedisConfiguration) ReflectionUtils.getField(field, factory);
	}

}
