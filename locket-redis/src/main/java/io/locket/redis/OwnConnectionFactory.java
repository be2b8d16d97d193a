package io.locket.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.ClusterCommandExecutor;
import org.springframework.data.redis.connection.ClusterTopologyProvider;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClusterConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionProvider;
import org.springframework.util.Assert;

/**
 * Connection factory of Locket's own connections, which renews them when they are dead: a
 * command timeout alone closes no connection, so a server that hangs, or a connection
 * that a firewall has dropped, would stay in use. The same is done if the server has
 * become a replica, because Redis does not always close connections then. A renewal
 * resolves the server again, by DNS, by the Sentinels or by the topology of the cluster.
 */
public final class OwnConnectionFactory extends LettuceConnectionFactory
		implements RenewableConnections, ScriptCommands {

	private static final Log logger = LogFactory.getLog(OwnConnectionFactory.class);

	/**
	 * Maximum number of attempts to open a connection that the server closes during the
	 * handshake. A server that refuses the credentials may close the connection before
	 * Lettuce has read its error reply, and only another attempt can show the cause.
	 */
	private static final int HANDSHAKES = 3;

	private final byte[] absent;

	private final ConnectionWatch watch;

	private final SharedScriptCommands scripts = new SharedScriptCommands(this, this::failed);

	private final List<Runnable> renewalActions = new CopyOnWriteArrayList<>();

	/**
	 * Provider of the connections of the client that was created last.
	 */
	private volatile @Nullable LettuceConnectionProvider provider;

	/**
	 * Creates a factory that has not started.
	 * @param server the server, the Sentinels or the cluster
	 * @param client the client configuration
	 * @param absent a key that never exists, which is deleted to check connections; of a
	 * cluster, the master of this key is checked
	 */
	public OwnConnectionFactory(RedisConfiguration server, LettuceClientConfiguration client, String absent) {
		super(server, client);
		this.absent = Objects.requireNonNull(absent, "'absent' must not be null").getBytes(StandardCharsets.UTF_8);
		this.watch = new ConnectionWatch(new Target(), System::nanoTime);
	}

	/**
	 * Returns a connection.
	 * @return the connection
	 * @throws NotConnectedException if there is none and none can be opened
	 */
	@Override
	public RedisConnection getConnection() {
		for (int attempt = 1;; attempt++) {
			try {
				return super.getConnection();
			}
			catch (RedisConnectionFailureException ex) {
				if (attempt == HANDSHAKES || !RedisFailure.isClosedInHandshake(ex)) {
					throw new NotConnectedException(ex);
				}
			}
		}
	}

	@Override
	public @Nullable List<Object> evalSha(String digest, byte[][] keys, byte[][] args, boolean once) {
		return this.scripts.evalSha(digest, keys, args, once);
	}

	@Override
	public @Nullable CompletionStage<List<Object>> sendSha(String digest, byte[][] keys, byte[][] args) {
		return this.scripts.sendSha(digest, keys, args);
	}

	@Override
	public @Nullable List<Object> eval(String script, byte[][] keys, byte[][] args, boolean once) {
		return this.scripts.eval(script, keys, args, once);
	}

	@Override
	public void resetConnection() {
		this.scripts.reset(super::resetConnection);
	}

	@Override
	protected LettuceConnection doCreateLettuceConnection(
			@Nullable StatefulRedisConnection<byte[], byte[]> sharedConnection,
			LettuceConnectionProvider connectionProvider, long timeout, int database) {
		return new LettuceConnection(sharedConnection, connectionProvider, timeout, database) {

			@Override
			protected DataAccessException convertLettuceAccessException(Exception cause) {
				failed(cause);
				return super.convertLettuceAccessException(cause);
			}

		};
	}

	@Override
	protected LettuceClusterConnection doCreateLettuceClusterConnection(
			@Nullable StatefulRedisClusterConnection<byte[], byte[]> sharedConnection,
			LettuceConnectionProvider connectionProvider, ClusterTopologyProvider topologyProvider,
			ClusterCommandExecutor clusterCommandExecutor, Duration commandTimeout) {
		return new LettuceClusterConnection(sharedConnection, connectionProvider, topologyProvider,
				clusterCommandExecutor, commandTimeout) {

			@Override
			protected DataAccessException convertLettuceAccessException(Exception cause) {
				failed(cause);
				return super.convertLettuceAccessException(cause);
			}

		};
	}

	@Override
	protected LettuceConnectionProvider doCreateConnectionProvider(AbstractRedisClient client, RedisCodec<?, ?> codec) {
		LettuceConnectionProvider created = super.doCreateConnectionProvider(client, codec);
		if (codec instanceof ByteArrayCodec) {
			this.provider = created;
		}
		return created;
	}

	private void failed(Exception cause) {
		if (cause instanceof RedisCommandTimeoutException || RedisFailure.of(cause).isReadOnly()) {
			try {
				this.watch.suspect();
			}
			catch (Error ex) {
				// The caller has to learn of the failure. The next one checks the
				// connection.
				logger.debug("The connection cannot be checked, because no thread can be started", ex);
			}
		}
	}

	@Override
	public void addRenewalAction(Runnable action) {
		this.renewalActions.add(Objects.requireNonNull(action, "'action' must not be null"));
	}

	@Override
	public void removeRenewalAction(Runnable action) {
		this.renewalActions.remove(action);
	}

	/**
	 * Opens a connection for subscriptions, uses it, and closes it.
	 * @param use the use
	 * @throws UnsupportedOperationException if the server has no Pub/Sub, which is the
	 * case with a static list of a master and its replicas
	 */
	@SuppressWarnings("unchecked")
	void withSubscriber(Consumer<RedisPubSubCommands<byte[], byte[]>> use) {
		withNewConnection(StatefulRedisPubSubConnection.class, (connection) -> use.accept(connection.sync()));
	}

	/**
	 * Opens a connection, uses it, and closes it.
	 */
	private <T extends StatefulConnection<?, ?>> void withNewConnection(Class<T> type, Consumer<T> use) {
		LettuceConnectionProvider opened = this.provider;
		Assert.state(opened != null, "The factory has not been started");
		if (!isRunning()) {
			throw new NotConnectedException(new IllegalStateException("The connections are closed"));
		}
		T connection;
		try {
			connection = opened.getConnection(type);
		}
		catch (RedisConnectionException | RedisConnectionFailureException ex) {
			throw new NotConnectedException(ex);
		}
		try {
			use.accept(connection);
		}
		finally {
			opened.release(connection);
		}
	}

	@SuppressWarnings("unchecked")
	private static RedisClusterCommands<byte[], byte[]> commands(StatefulConnection<?, ?> connection) {
		return (connection instanceof StatefulRedisClusterConnection<?, ?> cluster)
				? (RedisClusterCommands<byte[], byte[]>) cluster.sync()
				: ((StatefulRedisConnection<byte[], byte[]>) connection).sync();
	}

	/**
	 * Closes the connections, which are opened again at the next command, and runs the
	 * renewal actions. Commands under way fail.
	 */
	public void renew() {
		resetConnection();
		this.renewalActions.forEach(OwnConnectionFactory::runSafely);
	}

	private static void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A subscription failed unexpectedly to use a new connection. Report this as a bug", ex);
		}
	}

	@Override
	public void destroy() {
		this.watch.close();
		super.destroy();
	}

	/**
	 * The shared connection, and another one beside it.
	 */
	private final class Target implements ConnectionWatch.Target {

		@Override
		public ConnectionWatch.@Nullable Problem problem() {
			try (RedisConnection connection = getConnection()) {
				connection.keyCommands().del(OwnConnectionFactory.this.absent);
				return null;
			}
			catch (RuntimeException ex) {
				RedisFailure failure = RedisFailure.of(ex);
				if (failure.isReadOnly()) {
					return ConnectionWatch.Problem.REPLICA;
				}
				return (failure.kind() == RedisFailure.Kind.NO_REPLY) ? ConnectionWatch.Problem.SILENT : null;
			}
		}

		@Override
		public void callOnNewConnection(ConnectionWatch.Problem problem) {
			if (getRequiredNativeClient() instanceof RedisClusterClient client) {
				client.refreshPartitions();
			}
			withNewConnection(StatefulConnection.class, (connection) -> {
				RedisClusterCommands<byte[], byte[]> commands = commands(connection);
				if (problem == ConnectionWatch.Problem.REPLICA) {
					commands.del(OwnConnectionFactory.this.absent);
				}
				else {
					// A server that refuses writes for another reason replies at least.
					commands.get(OwnConnectionFactory.this.absent);
				}
			});
		}

		@Override
		public void renew() {
			OwnConnectionFactory.this.renew();
		}

	}

}
