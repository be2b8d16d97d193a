package io.locket.benchmarks.queue;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.measure.Threads;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.FloorScript;

/**
 * A worker that does the least that any leasing worker does: {@code fused.lua} on one
 * shared connection, with an empty body.
 */
final class FloorWorker implements Variant {

	private static final String LEASE_MS = "35000";

	private final String name;

	private final StatefulRedisConnection<String, String> connection;

	private final FloorScript fused;

	private final int slots;

	private final int batch;

	private final boolean twoTrips;

	private final int jobKeys;

	private final String[] keys;

	FloorWorker(String name, StatefulRedisConnection<String, String> connection, int slots, int batch,
			boolean twoTrips) {
		this(name, connection, slots, batch, twoTrips, Integer.MAX_VALUE);
	}

	/**
	 * Creates a worker.
	 * @param name the name of the variant
	 * @param connection the connection to Redis
	 * @param slots the number of threads
	 * @param batch the number of jobs that a call takes
	 * @param twoTrips whether jobs are ended by a call of their own
	 * @param jobKeys the number of keys that the jobs share
	 */
	FloorWorker(String name, StatefulRedisConnection<String, String> connection, int slots, int batch, boolean twoTrips,
			int jobKeys) {
		this.name = name;
		this.connection = connection;
		this.fused = new FloorScript(connection, "fused");
		this.slots = slots;
		this.batch = batch;
		this.twoTrips = twoTrips;
		this.jobKeys = jobKeys;
		String prefix = "floor-" + UUID.randomUUID() + ":";
		this.keys = new String[] { prefix + "queue", prefix + "flight", prefix + "lease:", prefix + "parked:" };
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void prepare(int operations) {
		for (int i = 0; i < operations; i += 500) {
			String[] items = new String[Math.min(500, operations - i)];
			for (int j = 0; j < items.length; j++) {
				items[j] = item(i + j);
			}
			this.connection.sync().lpush(this.keys[0], items);
		}
	}

	private String item(int number) {
		String id = UUID.randomUUID().toString();
		return this.keys[0] + "|" + id + "|leased-" + number % this.jobKeys + "|{\"job\":\"leased\",\"arguments\":["
				+ number + "]}";
	}

	@Override
	public void run(int operations) {
		AtomicInteger ended = new AtomicInteger();
		Threads.run(this.slots, (slot) -> {
			String token = UUID.randomUUID().toString();
			List<String> taken = List.of();
			do {
				String[] ends = ends(taken);
				ended.addAndGet(taken.size());
				if (this.twoTrips && !taken.isEmpty()) {
					call(token, 0, ends);
					ends = new String[0];
				}
				taken = call(token, this.batch, ends);
			}
			while (!taken.isEmpty());
		});
		if (ended.get() != operations) {
			throw new IllegalStateException("Ended " + ended + " of " + operations + " jobs");
		}
	}

	private List<String> call(String token, int take, String[] ends) {
		String[] args = new String[4 + ends.length];
		args[0] = token;
		args[1] = LEASE_MS;
		args[2] = String.valueOf(take);
		args[3] = "10";
		System.arraycopy(ends, 0, args, 4, ends.length);
		return this.fused.call(ScriptOutputType.MULTI, this.keys, args);
	}

	private static String[] ends(List<String> taken) {
		String[] ends = new String[2 * taken.size()];
		for (int i = 0; i < taken.size(); i++) {
			String[] parts = taken.get(i).split("\\|", 4);
			ends[2 * i] = parts[1];
			ends[2 * i + 1] = parts[2];
		}
		return ends;
	}

}
