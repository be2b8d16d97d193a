package io.locket.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.locket.worker.QueueOrder;
import io.locket.worker.WorkerThreads;
import org.jspecify.annotations.Nullable;

/**
 * How this process runs queued jobs.
 */
public class WorkerProperties {

	/**
	 * Whether this process runs queued jobs, where queues are configured.
	 */
	private boolean enabled = true;

	/**
	 * Queues to take jobs from, in this order. With the weighted order, each may be
	 * followed by its weight, as in high=5.
	 */
	private List<String> queues = new ArrayList<>();

	/**
	 * Order in which the queues are asked.
	 */
	private QueueOrder order = QueueOrder.STRICT;

	/**
	 * Number of jobs that run at once.
	 */
	private int concurrency = 5;

	/**
	 * Threads on which jobs run.
	 */
	private WorkerThreads threads = WorkerThreads.PLATFORM;

	/**
	 * Number of jobs that a thread takes at once, to run them one after another.
	 */
	private int batch = 1;

	/**
	 * Longest time between two looks at the queues.
	 */
	private Duration pollInterval = Duration.ofSeconds(1);

	/**
	 * How long jobs may go on when the application stops, before they are interrupted.
	 */
	private Duration shutdownGrace = Duration.ofSeconds(30);

	/**
	 * Groups of workers with queues of their own, by name. What a group leaves open is as
	 * for the worker.
	 */
	private final Map<String, Group> groups = new LinkedHashMap<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public List<String> getQueues() {
		return this.queues;
	}

	public void setQueues(List<String> queues) {
		this.queues = queues;
	}

	public QueueOrder getOrder() {
		return this.order;
	}

	public void setOrder(QueueOrder order) {
		this.order = order;
	}

	public int getConcurrency() {
		return this.concurrency;
	}

	public void setConcurrency(int concurrency) {
		this.concurrency = concurrency;
	}

	public WorkerThreads getThreads() {
		return this.threads;
	}

	public void setThreads(WorkerThreads threads) {
		this.threads = threads;
	}

	public int getBatch() {
		return this.batch;
	}

	public void setBatch(int batch) {
		this.batch = batch;
	}

	public Duration getPollInterval() {
		return this.pollInterval;
	}

	public void setPollInterval(Duration pollInterval) {
		this.pollInterval = pollInterval;
	}

	public Duration getShutdownGrace() {
		return this.shutdownGrace;
	}

	public void setShutdownGrace(Duration shutdownGrace) {
		this.shutdownGrace = shutdownGrace;
	}

	public Map<String, Group> getGroups() {
		return this.groups;
	}

	/**
	 * A group of workers.
	 */
	public static class Group {

		/**
		 * Queues to take jobs from, in this order. With the weighted order, each may be
		 * followed by its weight, as in high=5.
		 */
		private List<String> queues = new ArrayList<>();

		/**
		 * Order in which the queues are asked.
		 */
		private @Nullable QueueOrder order;

		/**
		 * Number of jobs that run at once.
		 */
		private @Nullable Integer concurrency;

		/**
		 * Threads on which jobs run.
		 */
		private @Nullable WorkerThreads threads;

		/**
		 * Number of jobs that a thread takes at once, to run them one after another.
		 */
		private @Nullable Integer batch;

		/**
		 * Longest time between two looks at the queues.
		 */
		private @Nullable Duration pollInterval;

		public List<String> getQueues() {
			return this.queues;
		}

		public void setQueues(List<String> queues) {
			this.queues = queues;
		}

		public @Nullable QueueOrder getOrder() {
			return this.order;
		}

		public void setOrder(@Nullable QueueOrder order) {
			this.order = order;
		}

		public @Nullable Integer getConcurrency() {
			return this.concurrency;
		}

		public void setConcurrency(@Nullable Integer concurrency) {
			this.concurrency = concurrency;
		}

		public @Nullable WorkerThreads getThreads() {
			return this.threads;
		}

		public void setThreads(@Nullable WorkerThreads threads) {
			this.threads = threads;
		}

		public @Nullable Integer getBatch() {
			return this.batch;
		}

		public void setBatch(@Nullable Integer batch) {
			this.batch = batch;
		}

		public @Nullable Duration getPollInterval() {
			return this.pollInterval;
		}

		public void setPollInterval(@Nullable Duration pollInterval) {
			this.pollInterval = pollInterval;
		}

	}

}
