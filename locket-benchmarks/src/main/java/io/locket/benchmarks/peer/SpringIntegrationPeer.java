package io.locket.benchmarks.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Lock;

import io.locket.benchmarks.redis.BenchmarkRedis;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.redis.inbound.RedisQueueMessageDrivenEndpoint;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.messaging.Message;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Spring Integration's queue in Redis, eight consumers on a pool of connections, with a
 * lock of its registry around each body.
 */
final class SpringIntegrationPeer extends JobPeer {

	private final LettuceConnectionFactory connections;

	private final StringRedisTemplate template;

	private final RedisLockRegistry locks;

	private final GenericApplicationContext context = new GenericApplicationContext();

	private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

	private final List<RedisQueueMessageDrivenEndpoint> endpoints = new ArrayList<>();

	private String queue = "integration-" + UUID.randomUUID();

	SpringIntegrationPeer(BenchmarkRedis redis) {
		super("Spring Integration queue + lock");
		this.connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()),
				LettucePoolingClientConfiguration.builder().build());
		this.connections.afterPropertiesSet();
		this.connections.start();
		this.template = new StringRedisTemplate(this.connections);
		this.locks = new RedisLockRegistry(this.connections, "integration", 35_000);
		this.locks.setExecutor(Runnable::run);
		// The first unlock finds out that an older Redis has no DELEX. Several threads at
		// once would fail.
		Lock first = this.locks.obtain("first");
		first.lock();
		first.unlock();
		this.scheduler.initialize();
		DefaultListableBeanFactory beans = this.context.getDefaultListableBeanFactory();
		beans.registerSingleton("taskScheduler", this.scheduler);
		DirectChannel errors = new DirectChannel();
		errors.subscribe((message) -> System.err.println(message.getPayload()));
		beans.registerSingleton("errorChannel", errors);
		this.context.refresh();
	}

	@Override
	public Set<String> directCommands() {
		return Set.of("lpush", "brpop");
	}

	@Override
	void enqueue(int count) {
		for (int i = 0; i < count; i += 500) {
			String[] ids = new String[Math.min(500, count - i)];
			for (int j = 0; j < ids.length; j++) {
				ids[j] = UUID.randomUUID().toString();
			}
			this.template.opsForList().leftPushAll(this.queue, ids);
		}
	}

	@Override
	void resume() {
		for (int i = 0; i < THREADS; i++) {
			RedisQueueMessageDrivenEndpoint endpoint = new RedisQueueMessageDrivenEndpoint(this.queue,
					this.connections);
			DirectChannel channel = new DirectChannel();
			channel.subscribe(this::handle);
			endpoint.setBeanFactory(this.context.getDefaultListableBeanFactory());
			endpoint.setApplicationContext(this.context);
			endpoint.setSerializer(RedisSerializer.string());
			endpoint.setOutputChannel(channel);
			endpoint.afterPropertiesSet();
			endpoint.start();
			this.endpoints.add(endpoint);
		}
	}

	private void handle(Message<?> message) {
		Lock lock = this.locks.obtain(message.getPayload());
		lock.lock();
		try {
			body();
		}
		finally {
			lock.unlock();
		}
	}

	/**
	 * Stops the consumers. A consumer that still waits in Redis waits on an old queue.
	 */
	@Override
	public void rest() {
		this.endpoints.forEach(RedisQueueMessageDrivenEndpoint::stop);
		this.endpoints.clear();
		this.queue = "integration-" + UUID.randomUUID();
	}

	@Override
	public void close() {
		this.locks.destroy();
		this.scheduler.shutdown();
		this.context.close();
		this.connections.destroy();
	}

}
