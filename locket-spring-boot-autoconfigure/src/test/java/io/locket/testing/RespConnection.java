package io.locket.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;

/**
 * Connection to Redis that sends only the given commands. Not thread-safe.
 */
final class RespConnection implements Closeable {

	private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

	private static final int READ_TIMEOUT_MILLIS = 20_000;

	private static final Duration START_TIMEOUT = Duration.ofSeconds(20);

	private final Socket socket;

	private final InputStream in;

	private final OutputStream out;

	RespConnection(String host, int port) throws IOException {
		this.socket = new Socket();
		try {
			this.socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MILLIS);
			this.socket.setSoTimeout(READ_TIMEOUT_MILLIS);
			this.socket.setTcpNoDelay(true);
			this.in = new BufferedInputStream(this.socket.getInputStream());
			this.out = new BufferedOutputStream(this.socket.getOutputStream());
		}
		catch (IOException ex) {
			this.socket.close();
			throw ex;
		}
	}

	static void awaitReply(String host, int port) {
		Awaitility.await().atMost(START_TIMEOUT).pollInterval(Duration.ofMillis(10)).until(() -> replies(host, port));
	}

	private static boolean replies(String host, int port) {
		try (RespConnection connection = new RespConnection(host, port)) {
			return "PONG".equals(connection.execute("PING"));
		}
		catch (IOException | IllegalStateException ex) {
			return false;
		}
	}

	Object execute(String... command) throws IOException {
		write("*" + command.length);
		for (String argument : command) {
			write("$" + argument.getBytes(StandardCharsets.UTF_8).length);
			write(argument);
		}
		this.out.flush();
		return read();
	}

	private void write(String line) throws IOException {
		this.out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Reads a reply.
	 * @return a {@code String}, {@code Long}, {@code List} or {@code null}
	 * @throws IOException if the connection is closed or no reply comes
	 */
	Object read() throws IOException {
		String line = readLine();
		String rest = line.substring(1);
		return switch (line.charAt(0)) {
			case '+' -> rest;
			case ':' -> Long.valueOf(rest);
			case '$' -> readBulk(Integer.parseInt(rest));
			case '*' -> readArray(Integer.parseInt(rest));
			case '-' -> throw new IllegalStateException(rest);
			default -> throw new IOException("Not a reply: " + line);
		};
	}

	private String readBulk(int length) throws IOException {
		if (length < 0) {
			return null;
		}
		byte[] bytes = this.in.readNBytes(length + 2);
		return new String(bytes, 0, length, StandardCharsets.UTF_8);
	}

	private List<Object> readArray(int length) throws IOException {
		if (length < 0) {
			return null;
		}
		List<Object> elements = new ArrayList<>(length);
		for (int i = 0; i < length; i++) {
			elements.add(read());
		}
		return elements;
	}

	private String readLine() throws IOException {
		StringBuilder line = new StringBuilder();
		int next = this.in.read();
		while (next != '\r') {
			if (next < 0) {
				throw new EOFException("Redis closed the connection");
			}
			line.append((char) next);
			next = this.in.read();
		}
		this.in.read();
		return line.toString();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
