package io.locket.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loopback proxy in front of a {@link RedisServer}. It can silently drop the bytes of
 * connections, like a firewall that has expired them. The sockets stay open.
 */
public final class SilentProxy implements AutoCloseable {

	private static final int UNCUT = -1;

	private volatile RedisServer server;

	private final ServerSocket listener;

	private final Set<Link> open = ConcurrentHashMap.newKeySet();

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicInteger closing = new AtomicInteger();

	private final AtomicInteger cutting = new AtomicInteger(UNCUT);

	private final AtomicBoolean resetting = new AtomicBoolean();

	private volatile boolean refusing;

	private SilentProxy(RedisServer server) throws IOException {
		this.server = server;
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	/**
	 * Starts a proxy on a free port.
	 * @param server the server
	 * @return the running proxy
	 */
	public static SilentProxy start(RedisServer server) {
		try {
			SilentProxy proxy = new SilentProxy(server);
			daemon(proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the properties that connect an application to this proxy.
	 * @return pairs for {@code withPropertyValues}
	 */
	public String[] properties() {
		return new String[] { "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port() };
	}

	/**
	 * Returns the port.
	 * @return the port on the loopback interface
	 */
	public int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * Returns the number of accepted connections.
	 * @return the number of connections
	 */
	public int accepted() {
		return this.accepted.get();
	}

	/**
	 * Leads new connections to another server. Open ones stay at theirs.
	 * @param other the other server
	 */
	public void lead(RedisServer other) {
		this.server = other;
	}

	/**
	 * Drops the bytes of all open connections. New ones work.
	 */
	public void forgetConnections() {
		this.open.forEach((link) -> link.losesRequests().set(true));
		loseReplies();
	}

	/**
	 * Drops the replies on all open connections. Their commands still arrive.
	 */
	public void loseReplies() {
		this.open.forEach((link) -> link.losesReplies().set(true));
	}

	/**
	 * Closes all open connections without the replies that are under way. Their commands
	 * have arrived.
	 */
	public void closeConnections() {
		loseReplies();
		this.open.forEach((link) -> {
			try {
				link.client().close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	/**
	 * Closes the connection that gets the next reply after the first bytes of this reply.
	 * Redis may send a reply in several parts.
	 * @param bytes the number of bytes, less than the reply has
	 */
	public void cutNextReply(int bytes) {
		this.cutting.set(bytes);
	}

	/**
	 * Resets the connection that gets the next reply, instead of this reply. Its command
	 * has been executed.
	 */
	public void resetAtNextReply() {
		this.resetting.set(true);
		cutNextReply(0);
	}

	/**
	 * Starts or stops dropping the bytes of all connections, including new ones.
	 * @param silent whether to drop them
	 */
	public void forgetNewConnections(boolean silent) {
		this.refusing = silent;
	}

	/**
	 * Closes the next connections as soon as they have sent something.
	 * @param number the number of connections
	 */
	public void closeNext(int number) {
		this.closing.set(number);
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.listener.accept();
				this.accepted.incrementAndGet();
				if (this.closing.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					try (client) {
						client.getInputStream().read();
					}
					continue;
				}
				RedisServer current = this.server;
				Socket upstream = new Socket(current.host(), current.port());
				this.sockets.add(client);
				this.sockets.add(upstream);
				Link link = new Link(client, new AtomicBoolean(this.refusing), new AtomicBoolean(this.refusing));
				this.open.add(link);
				daemon(() -> pumpRequests(client, upstream, link));
				daemon(() -> pumpReplies(upstream, client, link));
			}
		}
		catch (IOException ex) {
			closeAll();
		}
	}

	private void pumpRequests(Socket from, Socket to, Link link) {
		pump(from, to, link, (out, buffer, read) -> {
			if (!link.losesRequests().get()) {
				out.write(buffer, 0, read);
			}
			return true;
		});
	}

	private void pumpReplies(Socket from, Socket to, Link link) {
		pump(from, to, link, (out, buffer, read) -> {
			int left = this.cutting.getAndUpdate((bytes) -> (bytes < read) ? UNCUT : bytes - read);
			if (!link.losesReplies().get()) {
				out.write(buffer, 0, (left == UNCUT) ? read : Math.min(left, read));
			}
			boolean kept = left == UNCUT || left >= read;
			if (!kept && this.resetting.getAndSet(false)) {
				// The peer of a socket that closes without lingering gets a reset.
				to.setSoLinger(true, 0);
			}
			return kept;
		});
	}

	private void pump(Socket from, Socket to, Link link, Sink sink) {
		byte[] buffer = new byte[8192];
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			int read = in.read(buffer);
			while (read >= 0 && sink.accept(out, buffer, read)) {
				read = in.read(buffer);
			}
		}
		catch (IOException ex) {
			this.open.remove(link);
		}
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "silent-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private void closeAll() {
		for (Socket socket : this.sockets) {
			try {
				socket.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	@Override
	public void close() {
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Receiver of the bytes of one direction.
	 */
	private interface Sink {

		/**
		 * Writes bytes, or drops them.
		 * @param out the other side
		 * @param buffer the bytes
		 * @param read the number of bytes
		 * @return whether to keep the connection
		 * @throws IOException if the other side has closed the connection
		 */
		boolean accept(OutputStream out, byte[] buffer, int read) throws IOException;

	}

	/**
	 * A connection and its dropped directions.
	 */
	private record Link(Socket client, AtomicBoolean losesRequests, AtomicBoolean losesReplies) {

	}

}
