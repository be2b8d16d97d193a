package io.locket.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Redis in a container, on a host port that a restart keeps.
 */
final class ContainerRedis implements RedisProcess {

	private static final DockerImageName IMAGE = DockerImageName.parse("redis:8-alpine");

	private static final int REDIS_PORT = 6379;

	private final GenericContainer<?> container;

	private final int port;

	private ContainerRedis(GenericContainer<?> container, int port) {
		this.container = container;
		this.port = port;
	}

	static boolean isSupported() {
		return Docker.AVAILABLE;
	}

	static ContainerRedis start(String... args) {
		int port = freePort();
		GenericContainer<?> container = new GenericContainer<>(IMAGE).withCommand(
				Stream
					.concat(Stream.of("redis-server", "--protected-mode", "no", "--save", "", "--appendonly", "no"),
							Stream.of(args))
					.toArray(String[]::new));
		container.setPortBindings(List.of(port + ":" + REDIS_PORT));
		container.addExposedPort(REDIS_PORT);
		container.start();
		return new ContainerRedis(container, port);
	}

	@Override
	public String host() {
		return this.container.getHost();
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public void start() {
		this.container.getDockerClient().startContainerCmd(this.container.getContainerId()).exec();
		RespConnection.awaitReply(host(), this.port);
	}

	@Override
	public void freeze() {
		this.container.getDockerClient().pauseContainerCmd(this.container.getContainerId()).exec();
	}

	@Override
	public void resume() {
		this.container.getDockerClient().unpauseContainerCmd(this.container.getContainerId()).exec();
	}

	@Override
	public void stop() {
		if (isRunning()) {
			this.container.getDockerClient().killContainerCmd(this.container.getContainerId()).exec();
		}
	}

	private boolean isRunning() {
		return Boolean.TRUE.equals(this.container.getDockerClient()
			.inspectContainerCmd(this.container.getContainerId())
			.exec()
			.getState()
			.getRunning());
	}

	@Override
	public void close() {
		this.container.stop();
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Cached check for a Docker engine.
	 */
	private static final class Docker {

		static final boolean AVAILABLE = DockerClientFactory.instance().isDockerAvailable();

	}

}
