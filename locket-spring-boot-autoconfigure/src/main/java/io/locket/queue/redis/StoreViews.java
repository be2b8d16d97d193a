package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.WorkerSighting;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Looks at what is stored as a whole: all queues, and all who take jobs.
 */
final class StoreViews {

	/**
	 * How many lanes a step looks at, about.
	 */
	private static final String LANES = "500";

	/**
	 * How many jobs, with their arguments, a step looks at, about.
	 */
	private static final String JOBS = "100";

	private static final Log logger = LogFactory.getLog(StoreViews.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	private final QueueCommands commands;

	private final QueueScripts scripts;

	private final RecordFormat format;

	StoreViews(QueueCommands commands, QueueScripts scripts, RecordFormat format) {
		this.commands = commands;
		this.scripts = scripts;
		this.format = format;
	}

	StoreOverview overview() {
		List<Object> reply = this.commands.run("tell of all queues", this.scripts.overview(),
				List.of(Integer.toString(StoreOverview.MAX_QUEUES + 1)));
		List<QueueOverview> queues = new ArrayList<>();
		for (int i = 1; i < reply.size(); i += 3) {
			String waited = reply.get(i + 2).toString();
			queues.add(new QueueOverview(
					CountsFormat.read(reply.get(i).toString(), this.format.tree(reply.get(i + 1).toString())),
					waited.isEmpty() ? null : Duration.ofMillis(Long.parseLong(waited))));
		}
		return new StoreOverview(Instant.ofEpochMilli(Reservations.number(reply.get(0))), first(queues));
	}

	private List<QueueOverview> first(List<QueueOverview> queues) {
		if (queues.size() <= StoreOverview.MAX_QUEUES) {
			return queues;
		}
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("There are more than " + StoreOverview.MAX_QUEUES
					+ " queues: overviews and meters leave out the last ones by name. Remove the queues that are not"
					+ " used any more (JobAdministration.remove; said once)");
		}
		return queues.subList(0, StoreOverview.MAX_QUEUES);
	}

	List<WorkerSighting> workers() {
		Map<String, Worker> workers = new TreeMap<>();
		scan("lanes", LANES, Integer.MAX_VALUE).values().forEach((lane) -> worker(workers, lane).asked(lane.time()));
		scan("running", JOBS, WorkerSighting.MAX_RUNNING).values()
			.forEach((job) -> worker(workers, job).runs(job.time()));
		return workers.entrySet().stream().map((worker) -> worker.getValue().sighting(worker.getKey())).toList();
	}

	private static Worker worker(Map<String, Worker> workers, Seen seen) {
		return workers.computeIfAbsent(seen.instance(), (instance) -> new Worker());
	}

	/**
	 * Look at what a scan tells of, until it has ended or told of so much. It may tell of
	 * the same twice.
	 */
	private Map<String, Seen> scan(String what, String step, int limit) {
		Map<String, Seen> seen = new LinkedHashMap<>();
		String cursor = "0";
		do {
			List<Object> reply = this.commands.run("tell who takes jobs", this.scripts.workers(),
					List.of(what, cursor, step));
			cursor = reply.get(0).toString();
			for (int i = 1; i < reply.size(); i += 3) {
				seen.put(reply.get(i).toString(), new Seen(reply.get(i + 1).toString(),
						Instant.ofEpochMilli(Reservations.number(reply.get(i + 2)))));
			}
		}
		while (!cursor.equals("0") && seen.size() < limit);
		return seen;
	}

	/**
	 * A lane that has asked for jobs, or a job that has started.
	 */
	private record Seen(String instance, Instant time) {

	}

	/**
	 * What was seen of a process.
	 */
	private static final class Worker {

		private Instant lastSeen = Instant.MIN;

		private int lanes;

		private int running;

		private void asked(Instant time) {
			this.lanes++;
			this.lastSeen = (time.isAfter(this.lastSeen)) ? time : this.lastSeen;
		}

		private void runs(Instant time) {
			this.running++;
			if (this.lanes == 0 && time.isAfter(this.lastSeen)) {
				this.lastSeen = time;
			}
		}

		private WorkerSighting sighting(String instance) {
			return new WorkerSighting(instance, this.lastSeen, this.lanes, this.running);
		}

	}

}
