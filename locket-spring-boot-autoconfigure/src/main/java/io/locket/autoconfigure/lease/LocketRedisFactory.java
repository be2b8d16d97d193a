package io.locket.autoconfigure.lease;

import java.time.Duration;
import java.util.Arrays;

import io.lettuce.core.resource.ClientResources;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.lease.redis.LeaseKeys;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.RedisConnections;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Factory of Locket's own connections, derived from those of the application: the same
 * server, credentials and TLS, with a command timeout and threads of their own. They can
 * outlive the context while a body still holds a lease. If nothing can be derived, the
 * connections of the application are used.
 */
final class LocketRedisFactory {

	private static final String CLUSTER_REFRESH = "spring.data.redis.lettuce.cluster.refresh";

	private static final String UNKNOWN_SERVER = "Locket uses the application's connections because it cannot determine"
			+ " the server of its LettuceConnectionFactory.";

	private static final Log logger = LogFactory.getLog(LocketRedisFactory.class);

	private final LocketProperties properties;

	private final LeaseKeys keys;

	private final LocketInstance instance;

	private final Environment environment;

	LocketRedisFactory(LocketProperties properties, LeaseKeys keys, LocketInstance instance, Environment environment) {
		this.properties = properties;
		this.keys = keys;
		this.instance = instance;
		this.environment = environment;
	}

	RedisConnections create(ListableBeanFactory beanFactory,
			ObjectProvider<RedisConnectionFactory> connectionFactories) {
		RedisConnectionFactory application = find(beanFactory, connectionFactories);
		if (!(application instanceof LettuceConnectionFactory lettuce)) {
			checkReplicas("Locket uses the application's connections because it can derive its own only from Lettuce.");
			logger.warn("Locket uses the application's " + application.getClass().getSimpleName()
					+ " because it can derive its own connections only from Lettuce. Set a command timeout of at most a"
					+ " third of locket.lease.duration");
			return shared(application, this.properties.getRedis().getCommandTimeout());
		}
		RedisConfiguration server = LettuceServer.of(lettuce);
		if (server == null) {
			Duration timeout = Duration.ofMillis(lettuce.getTimeout());
			checkTimeout(timeout);
			checkReplicas(UNKNOWN_SERVER);
			return shared(application, timeout);
		}
		if (lettuce.isClusterAware()) {
			checkCluster();
		}
		return derive(lettuce, server);
	}

	private RedisConnectionFactory find(ListableBeanFactory beanFactory,
			ObjectProvider<RedisConnectionFactory> connectionFactories) {
		String name = this.properties.getRedis().getConnectionFactory();
		if (name == null) {
			RedisConnectionFactory single = connectionFactories.getIfUnique();
			if (single == null) {
				String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory,
						RedisConnectionFactory.class);
				throw invalid("locket.redis.connection-factory", null,
						"is not set, and none of the RedisConnectionFactory beans " + Arrays.toString(names)
								+ " is the primary one.",
						"Write the name of the bean from which Locket derives its connections, or mark it with @Primary.");
			}
			return single;
		}
		try {
			return beanFactory.getBean(name, RedisConnectionFactory.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw invalid("locket.redis.connection-factory", name, "is not the name of a RedisConnectionFactory bean.",
					"Write the name of such a bean, or leave the property out if there is only one.");
		}
	}

	private void checkTimeout(Duration timeout) {
		checkTimeout(timeout, "locket.lease.duration", this.properties.getLease().getDuration());
		checkTimeout(timeout, "locket.leader.ttl", this.properties.getLeader().getTtl());
	}

	private static void checkTimeout(Duration timeout, String property, Duration lease) {
		Duration third = lease.dividedBy(3);
		if (timeout.compareTo(third) > 0) {
			throw invalid("spring.data.redis.timeout", timeout.toMillis() + "ms",
					"is longer than a third of " + property + ". " + UNKNOWN_SERVER,
					"Write " + third.toMillis() + "ms or less.");
		}
	}

	/**
	 * Checks that no replicas are required. A {@code WAIT} blocks all later commands on
	 * its connection.
	 */
	private void checkReplicas(String reason) {
		if (this.properties.getRedis().getWaitReplicas() > 0) {
			throw invalid("locket.redis.wait-replicas", this.properties.getRedis().getWaitReplicas(),
					"needs a connection of its own. " + reason,
					"Write 0, or set min-replicas-to-write on the servers.");
		}
	}

	private void checkCluster() {
		if (this.properties.getRedis().getWaitReplicas() > 0) {
			throw invalid("locket.redis.wait-replicas", this.properties.getRedis().getWaitReplicas(),
					"is not supported on a Redis Cluster, because a client has a connection to each node.",
					"Write 0, or set min-replicas-to-write on the servers.");
		}
		if (!this.keys.isInOneSlot(ClusterSlotHashUtil::calculateSlot)) {
			String tag = "{" + this.keys.namespace() + "}";
			throw invalid("locket.lease.registry-key", this.keys.registryKey(),
					"lies in another slot of the Redis Cluster than the namespace.",
					"Write a key that begins with " + tag + ", such as " + tag + ":lease.");
		}
	}

	private static InvalidLocketConfigurationException invalid(String property, @Nullable Object value,
			String description, String action) {
		return new InvalidLocketConfigurationException(new Problem(property, value, description, action));
	}

	/**
	 * Returns the connections of the application, which the application closes.
	 */
	private RedisConnections shared(RedisConnectionFactory application, Duration commandTimeout) {
		return new RedisConnections(application, application, commandTimeout,
				() -> logger.trace("The application closes its own connections"));
	}

	private RedisConnections derive(LettuceConnectionFactory application, RedisConfiguration server) {
		Duration commandTimeout = this.properties.getRedis().getCommandTimeout();
		DerivedLettuceClient client = new DerivedLettuceClient(application.getClientConfiguration(), commandTimeout,
				this.instance.connectionName());
		ClientResources resources = client.resources();
		LettuceClientConfiguration configuration = application.isClusterAware()
				? client.clusterConfiguration(resources, isRefreshConfigured()) : client.configuration(resources);
		LettuceConnectionFactory shared = start(new OwnConnectionFactory(server, configuration, this.keys.absent()));
		LettuceConnectionFactory waiting = (this.properties.getRedis().getWaitReplicas() > 0)
				? startWaiting(server, client.waiting(resources)) : shared;
		return new RedisConnections(shared, waiting, commandTimeout, () -> {
			shared.destroy();
			waiting.destroy();
			resources.shutdown();
		});
	}

	private boolean isRefreshConfigured() {
		Binder binder = Binder.get(this.environment);
		return binder.bind(CLUSTER_REFRESH + ".period", String.class).isBound()
				|| binder.bind(CLUSTER_REFRESH + ".adaptive", String.class).isBound();
	}

	private static LettuceConnectionFactory start(LettuceConnectionFactory factory) {
		factory.setValidateConnection(false);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/**
	 * Starts a factory whose connections are used by one caller each.
	 */
	private static LettuceConnectionFactory startWaiting(RedisConfiguration server, LettuceClientConfiguration client) {
		LettuceConnectionFactory factory = start(new LettuceConnectionFactory(server, client));
		factory.setShareNativeConnection(false);
		return factory;
	}

}
