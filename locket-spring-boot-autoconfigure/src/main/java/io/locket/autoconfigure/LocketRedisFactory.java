package io.locket.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.resource.ClientResources;
import io.locket.autoconfigure.InvalidLocketConfigurationException.Problem;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Derives Locket's own connections from the application's: the same server, credentials
 * and TLS, with a command timeout and threads of its own, so that they can outlive the
 * context while a body still holds a lease. Where nothing can be derived, the
 * application's are used.
 */
final class LocketRedisFactory {

	private static final Log logger = LogFactory.getLog(LocketRedisFactory.class);

	private final LocketProperties properties;

	private final LeaseKeys keys;

	LocketRedisFactory(LocketProperties properties, LeaseKeys keys) {
		this.properties = properties;
		this.keys = keys;
	}

	LeaseConnections create(BeanFactory beanFactory, ObjectProvider<RedisConnectionFactory> connectionFactories) {
		RedisConnectionFactory application = find(beanFactory, connectionFactories);
		if (!(application instanceof LettuceConnectionFactory lettuce)) {
			logger.warn("Locket uses the application's " + application.getClass().getSimpleName()
					+ ", since it derives connections of its own from Lettuce's only: see to it that commands time out"
					+ " within a third of locket.lease.duration");
			return shared(application, this.properties.getRedis().getCommandTimeout());
		}
		RedisConfiguration server = server(lettuce);
		if (server == null) {
			Duration timeout = Duration.ofMillis(lettuce.getTimeout());
			checkTimeout(timeout);
			return shared(application, timeout);
		}
		if (lettuce.isClusterAware()) {
			checkCluster();
		}
		return derive(lettuce, server);
	}

	private RedisConnectionFactory find(BeanFactory beanFactory,
			ObjectProvider<RedisConnectionFactory> connectionFactories) {
		String name = this.properties.getRedis().getConnectionFactory();
		if (name == null) {
			return connectionFactories.getObject();
		}
		try {
			return beanFactory.getBean(name, RedisConnectionFactory.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw invalid("locket.redis.connection-factory", name, "is not the name of a RedisConnectionFactory bean.",
					"Write the name of one, or leave the property out if there is only one.");
		}
	}

	/**
	 * What is connected to, or {@code null} if that cannot be told: a static list of a
	 * master and its replicas, for which reads go to replicas, has no accessor.
	 */
	private static @Nullable RedisConfiguration server(LettuceConnectionFactory lettuce) {
		if (lettuce.getClusterConfiguration() != null) {
			return lettuce.getClusterConfiguration();
		}
		if (lettuce.getSentinelConfiguration() != null) {
			return lettuce.getSentinelConfiguration();
		}
		if (lettuce.getSocketConfiguration() != null) {
			return lettuce.getSocketConfiguration();
		}
		return lettuce.getClientConfiguration().getReadFrom().isPresent() ? null : lettuce.getStandaloneConfiguration();
	}

	private void checkTimeout(Duration timeout) {
		checkTimeout(timeout, "locket.lease.duration", this.properties.getLease().getDuration());
		checkTimeout(timeout, "locket.leader.ttl", this.properties.getLeader().getTtl());
	}

	private static void checkTimeout(Duration timeout, String property, Duration lease) {
		Duration third = lease.dividedBy(3);
		if (timeout.compareTo(third) > 0) {
			throw invalid("spring.data.redis.timeout", timeout.toMillis() + "ms",
					"is longer than a third of " + property + ". Locket uses the application's connections, since it"
							+ " cannot derive its own from a list of a master and its replicas.",
					"Write " + third.toMillis() + "ms or less.");
		}
	}

	private void checkCluster() {
		if (this.properties.getRedis().getWaitReplicas() > 0) {
			throw invalid("locket.redis.wait-replicas", this.properties.getRedis().getWaitReplicas(),
					"cannot be had from a Redis Cluster, whose nodes are asked over several connections.",
					"Write 0, or set min-replicas-to-write on the servers.");
		}
		String tag = "{" + this.keys.namespace() + "}";
		if (!this.keys.registryKey().contains(tag)) {
			throw invalid("locket.lease.registry-key", this.keys.registryKey(),
					"lies in another slot of the Redis Cluster than the namespace.",
					"Write a key that contains " + tag + ", such as " + tag + ":lease.");
		}
	}

	private static InvalidLocketConfigurationException invalid(String property, Object value, String description,
			String action) {
		return new InvalidLocketConfigurationException(
				List.of(new Problem(property, value.toString(), description, action)));
	}

	/**
	 * The application's connections, which it closes itself.
	 */
	private LeaseConnections shared(RedisConnectionFactory application, Duration commandTimeout) {
		return new LeaseConnections(application, application, commandTimeout,
				() -> logger.trace("The application closes its own connections"));
	}

	private LeaseConnections derive(LettuceConnectionFactory application, RedisConfiguration server) {
		Duration commandTimeout = this.properties.getRedis().getCommandTimeout();
		DerivedLettuceClient client = new DerivedLettuceClient(application.getClientConfiguration(), commandTimeout);
		ClientResources resources = client.resources();
		LettuceConnectionFactory shared = start(server, client, resources);
		// What waits for replicas holds up its connection.
		LettuceConnectionFactory waiting = (this.properties.getRedis().getWaitReplicas() > 0)
				? start(server, client, resources) : shared;
		return new LeaseConnections(shared, waiting, commandTimeout, () -> {
			shared.destroy();
			waiting.destroy();
			resources.shutdown();
		});
	}

	private static LettuceConnectionFactory start(RedisConfiguration server, DerivedLettuceClient client,
			ClientResources resources) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(server, client.configuration(resources));
		factory.setValidateConnection(false);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
