package io.locket.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import redis.embedded.RedisServer;

/**
 * The Redis that all examples of this JVM share. It ends with this JVM.
 */
final class ExampleRedis {

	private static final int ATTEMPTS = 5;

	private static final RedisServer SERVER = start();

	private ExampleRedis() {
	}

	static int port() {
		return SERVER.ports().get(0);
	}

	/**
	 * Starts a server. Another process may take the free port first, so this is repeated.
	 */
	private static RedisServer start() {
		IllegalStateException failure = new IllegalStateException("Redis did not start");
		for (int i = 0; i < ATTEMPTS; i++) {
			try {
				RedisServer server = RedisServer.newRedisServer()
					.port(freePort())
					.bind("127.0.0.1")
					.setting("save \"\"")
					.setting("appendonly no")
					.onShutdownForceStop(true)
					.build();
				server.start();
				return server;
			}
			catch (IOException ex) {
				failure.addSuppressed(ex);
			}
		}
		throw failure;
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
