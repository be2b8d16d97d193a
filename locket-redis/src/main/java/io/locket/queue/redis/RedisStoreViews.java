package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.ThroughputSample;
import io.locket.queue.WorkerInfo;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.CountsFormat;
import io.locket.queue.redis.format.MinutesFormat;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Read-only views of the whole store: the overview of all queues, and the workers.
 */
final class RedisStoreViews {

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

	private static final Log logger = LogFactory.getLog(RedisStoreViews.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	private final QueueCommands commands;

	private final QueueScripts scripts;

	RedisStoreViews(QueueCommands commands, QueueScripts scripts) {
		this.commands = commands;
		this.scripts = scripts;
	}

	StoreOverview overview() {
		BinaryReply reply = this.commands.runBinary("read the overview of all queues",
				this.scripts.get(QueueScript.OVERVIEW), List.of(Integer.toString(StoreOverview.MAX_QUEUES + 1)));
		List<QueueOverview> queues = new ArrayList<>();
		for (int i = 1; i < reply.size(); i += 3) {
			String waited = reply.text(i + 2);
			queues.add(new QueueOverview(CountsFormat.read(reply.text(i), reply.bytes(i + 1)),
					waited.isEmpty() ? null : Duration.ofMillis(Long.parseLong(waited))));
		}
		return new StoreOverview(Instant.ofEpochMilli(reply.number(0)), first(queues));
	}

	private List<QueueOverview> first(List<QueueOverview> queues) {
		if (queues.size() <= StoreOverview.MAX_QUEUES) {
			return queues;
		}
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("There are more than " + StoreOverview.MAX_QUEUES
					+ " queues: overviews and meters leave out the last ones by name. Remove unused queues with"
					+ " JobAdministration.remove. This is logged once");
		}
		return queues.subList(0, StoreOverview.MAX_QUEUES);
	}

	List<ThroughputSample> throughput(int minutes) {
		ThroughputSample.requireMinutes(minutes);
		BinaryReply reply = this.commands.runBinary("read the counts of the last minutes",
				this.scripts.get(QueueScript.MINUTES), List.of("read", Integer.toString(minutes)));
		Instant now = Instant.ofEpochMilli(reply.number(0));
		List<ThroughputSample> samples = new ArrayList<>();
		for (int i = 1; i < reply.size(); i++) {
			MinutesFormat.read(reply.bytes(i))
				.filter((sample) -> sample.isWithin(now, minutes))
				.ifPresent(samples::add);
		}
		samples.sort(Comparator.comparing(ThroughputSample::to));
		return samples;
	}

	List<WorkerInfo> workers() {
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

	/**
	 * Returns the quiet processes among some.
	 */
	private Set<String> quiet(Set<String> instances) {
		List<Object> fields = instances.stream().<Object>map((instance) -> "i:" + instance).toList();
		if (fields.isEmpty()) {
			return Set.of();
		}
		List<Object> marks = this.commands.ask("find quiet workers",
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
			List<Object> reply = this.commands.run("list the workers", this.scripts.get(QueueScript.WORKERS),
					List.of(what, cursor, step));
			cursor = reply.get(0).toString();
			for (int i = 1; i < reply.size(); i += 3) {
				seen.put(reply.get(i).toString(), new Seen(reply.get(i + 1).toString(),
						Instant.ofEpochMilli(ReservationCodec.number(reply.get(i + 2)))));
			}
		}
		while (!cursor.equals("0") && seen.size() < limit);
		return seen;
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
			this.lastSeen = (time.isAfter(this.lastSeen)) ? time : this.lastSeen;
		}

		private void runs(Instant time) {
			this.running++;
			if (this.pollers == 0 && time.isAfter(this.lastSeen)) {
				this.lastSeen = time;
			}
		}

		private WorkerInfo expected(String instance, boolean quiet) {
			return new WorkerInfo(instance, this.lastSeen, this.pollers, this.running, quiet);
		}

	}

}
