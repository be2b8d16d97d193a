package io.locket.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Server that replies like Redis 5.0 to the commands of a new connection and to
 * {@code INFO}, and refuses all others.
 */
public final class OldRedis implements AutoCloseable {

	private static final String INFO = "redis_version:5.0.14\r\nredis_mode:standalone\r\nmaxmemory_policy:noeviction\r\n"
			+ "aof_enabled:1\r\n";

	private final ServerSocket listener;

	private OldRedis() throws IOException {
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	/**
	 * Starts a server on a free port.
	 * @return the running server
	 */
	public static OldRedis start() {
		try {
			OldRedis server = new OldRedis();
			daemon(server::accept);
			return server;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the properties that connect an application to this server.
	 * @return pairs for {@code withPropertyValues}
	 */
	public String[] properties() {
		return new String[] { "spring.data.redis.host=127.0.0.1",
				"spring.data.redis.port=" + this.listener.getLocalPort() };
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.listener.accept();
				daemon(() -> serve(socket));
			}
		}
		catch (IOException ex) {
			// A closed listener means that the test is over.
			Thread.currentThread().interrupt();
		}
	}

	private static void serve(Socket socket) {
		try (socket) {
			BufferedReader in = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
			OutputStream out = socket.getOutputStream();
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				String command = "";
				int words = Integer.parseInt(line.substring(1));
				for (int i = 0; i < words; i++) {
					in.readLine();
					String word = in.readLine();
					command = (i == 0) ? word.toUpperCase(Locale.ROOT) : command;
				}
				out.write(reply(command).getBytes(StandardCharsets.ISO_8859_1));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String reply(String command) {
		return switch (command) {
			case "INFO" -> "$" + INFO.length() + "\r\n" + INFO + "\r\n";
			case "PING" -> "+PONG\r\n";
			case "GET" -> "$-1\r\n";
			case "CLIENT", "SELECT" -> "+OK\r\n";
			default -> "-ERR unknown command `" + command + "`, with args beginning with: \r\n";
		};
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "old-redis");
		thread.setDaemon(true);
		thread.start();
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

}
