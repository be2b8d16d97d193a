package io.locket.benchmarks.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * A TCP proxy in front of Redis that delivers each packet a constant time late, in both
 * directions.
 */
final class DelayingProxy implements AutoCloseable {

	private final BenchmarkRedis redis;

	private final long delayNanos;

	private final ServerSocket server;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	DelayingProxy(BenchmarkRedis redis, long delayNanos) {
		this.redis = redis;
		this.delayNanos = delayNanos;
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		DelayedStream.startThread("proxy", this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket client = this.server.accept();
				Socket target = new Socket(this.redis.host(), this.redis.port());
				for (Socket socket : List.of(client, target)) {
					socket.setTcpNoDelay(true);
					this.sockets.add(socket);
				}
				new DelayedStream(client, target, this.delayNanos).start();
				new DelayedStream(target, client, this.delayNanos).start();
			}
			catch (IOException ex) {
				if (!this.server.isClosed()) {
					throw new UncheckedIOException(ex);
				}
			}
		}
	}

	@Override
	public void close() {
		try {
			this.server.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
