package io.locket.benchmarks.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * One direction of a proxied connection. One thread reads packets, another one writes
 * each of them when its time has come.
 */
final class DelayedStream {

	private static final Packet END = new Packet(0, new byte[0]);

	private final Socket from;

	private final Socket to;

	private final long delayNanos;

	private final BlockingQueue<Packet> packets = new LinkedBlockingQueue<>();

	DelayedStream(Socket from, Socket to, long delayNanos) {
		this.from = from;
		this.to = to;
		this.delayNanos = delayNanos;
	}

	void start() {
		startThread("proxy-read", this::read);
		startThread("proxy-write", this::write);
	}

	static void startThread(String name, Runnable work) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		thread.start();
	}

	private void read() {
		byte[] buffer = new byte[64 * 1024];
		try {
			InputStream in = this.from.getInputStream();
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				this.packets.add(new Packet(System.nanoTime() + this.delayNanos, Arrays.copyOf(buffer, count)));
			}
		}
		catch (IOException ex) {
			// The connection is closed: the other side is closed below.
		}
		this.packets.add(END);
	}

	private void write() {
		try (this.to) {
			OutputStream out = this.to.getOutputStream();
			for (Packet packet = this.packets.take(); packet != END; packet = this.packets.take()) {
				for (long left = packet.left(); left > 0; left = packet.left()) {
					LockSupport.parkNanos(left);
				}
				out.write(packet.content());
			}
		}
		catch (IOException ex) {
			// The connection is closed: nothing is left to deliver.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@SuppressWarnings("ArrayRecordComponent")
	private record Packet(long due, byte[] content) {

		long left() {
			return this.due - System.nanoTime();
		}

	}

}
