package io.locket.queue.redis;

import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import io.locket.queue.WorkerInfo;
import io.locket.queue.redis.format.ReplyNumbers;
import io.locket.queue.spi.JobStore.PollRequest;

/**
 * Processes that take jobs, and the request to record their polls. Thread-safe.
 */
final class RedisWorkers {

	/**
	 * Mark of workers that were resumed, as {@code quiet.lua} stores it.
	 */
	private static final String RESUMED = "resumed";

	/**
	 * Approximate number of pollers that one step of a scan reads.
	 */
	private static final String POLLERS = "500";

	/**
	 * Approximate number of jobs, with their arguments, that one step of a scan reads.
	 */
	private static final String JOBS = "100";

	private final QueueCommands commands;

	RedisWorkers(QueueCommands commands) {
		this.commands = commands;
	}

	List<WorkerInfo> list() {
		Map<String, Worker> workers = new TreeMap<>();
		scan("pollers", POLLERS, Integer.MAX_VALUE).values()
			.forEach((poller) -> worker(workers, poller).requested(poller.time()));
		scan("running", JOBS, WorkerInfo.MAX_RUNNING).values().forEach((job) -> worker(workers, job).runs(job.time()));
		Set<String> quiet = quiet(workers.keySet());
		return workers.entrySet()
			.stream()
			.map((worker) -> worker.getValue().expected(worker.getKey(), quiet.contains(worker.getKey())))
			.toList();
	}

	Optional<PollRequest> requestPolls(Instant oldest) {
		List<Object> reply = this.commands.run("request the polls of idle workers", QueueScript.REQUEST_POLLS,
				List.of(Long.toString(oldest.toEpochMilli())));
		return reply.isEmpty() ? Optional.empty()
				: Optional.of(new PollRequest(time(reply.get(0)), time(reply.get(1))));
	}

	/**
	 * Returns the quiet processes among some.
	 */
	private Set<String> quiet(Set<String> instances) {
		List<Object> fields = instances.stream().<Object>map((instance) -> "i:" + instance).toList();
		if (fields.isEmpty()) {
			return Set.of();
		}
		List<Object> marks = this.commands.call("find quiet workers",
				() -> this.commands.redis().opsForHash().multiGet(this.commands.keys().state(), fields));
		Set<String> quiet = new HashSet<>();
		int i = 0;
		for (String instance : instances) {
			Object mark = marks.get(i++);
			if (mark != null && !RESUMED.equals(mark)) {
				quiet.add(instance);
			}
		}
		return quiet;
	}

	private static Worker worker(Map<String, Worker> workers, Seen seen) {
		return workers.computeIfAbsent(seen.instance(), (instance) -> new Worker());
	}

	/**
	 * Runs a scan until it ends or has returned {@code limit} subjects. A scan may return
	 * a subject more than once.
	 */
	private Map<String, Seen> scan(String what, String step, int limit) {
		Map<String, Seen> seen = new LinkedHashMap<>();
		String cursor = "0";
		do {
			List<Object> reply = this.commands.run("list the workers", QueueScript.WORKERS,
					List.of(what, cursor, step));
			cursor = reply.get(0).toString();
			for (int i = 1; i < reply.size(); i += 3) {
				seen.put(reply.get(i).toString(), new Seen(reply.get(i + 1).toString(), time(reply.get(i + 2))));
			}
		}
		while (!cursor.equals("0") && seen.size() < limit);
		return seen;
	}

	private static Instant time(Object millis) {
		return Instant.ofEpochMilli(ReplyNumbers.number(millis));
	}

	/**
	 * Poller that has requested jobs, or running job, with the process that it belongs
	 * to.
	 */
	private record Seen(String instance, Instant time) {

	}

	/**
	 * Pollers and running jobs of one process.
	 */
	private static final class Worker {

		private Instant lastSeen = Instant.MIN;

		private int pollers;

		private int running;

		private void requested(Instant time) {
			this.pollers++;
			seen(time);
		}

		private void runs(Instant time) {
			this.running++;
			seen(time);
		}

		private void seen(Instant time) {
			this.lastSeen = time.isAfter(this.lastSeen) ? time : this.lastSeen;
		}

		private WorkerInfo expected(String instance, boolean quiet) {
			return new WorkerInfo(instance, this.lastSeen, this.pollers, this.running, quiet);
		}

	}

}
