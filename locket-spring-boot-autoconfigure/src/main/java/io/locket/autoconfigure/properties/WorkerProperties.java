package io.locket.autoconfigure.properties;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.WorkerThreads;
import org.jspecify.annotations.Nullable;

/**
 * Properties of the workers of this process.
 */
public class WorkerProperties {

	/**
	 * Whether this process runs queued jobs. If false, configured queues are not served.
	 */
	private boolean enabled = true;

	/**
	 * Queues to serve, in this order. With the weighted order, an entry may have a
	 * weight, as in high=5.
	 */
	private List<String> queues = new ArrayList<>();

	/**
	 * Order in which queues are served.
	 */
	private QueueOrder order = QueueOrder.STRICT;

	/**
	 * Maximum number of jobs that run at once.
	 */
	private int concurrency = 5;

	/**
	 * Kind of threads that run jobs. If not set, virtual threads if
	 * spring.threads.virtual.enabled is set on Java 21 or later, else platform threads.
	 */
	private @Nullable WorkerThreads threads;

	/**
	 * Maximum number of jobs that a thread takes at once. It takes a single job unless
	 * all threads are busy and bodies are short.
	 */
	private int batch = 8;

	/**
	 * Maximum time for which a thread holds jobs that it has taken and not started. They
	 * then return to their places in the queue.
	 */
	private Duration batchHold = Duration.ofMillis(100);

	/**
	 * Maximum time between two polls of the queues.
	 */
	private Duration pollInterval = Duration.ofSeconds(2);

	/**
	 * Time that running jobs have to finish on shutdown before they are interrupted.
	 */
	private Duration shutdownGrace = Duration.ofSeconds(30);

	/**
	 * Additional groups of workers with queues of their own, by name. A group inherits
	 * the worker settings that it does not set.
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

	public @Nullable WorkerThreads getThreads() {
		return this.threads;
	}

	public void setThreads(@Nullable WorkerThreads threads) {
		this.threads = threads;
	}

	public int getBatch() {
		return this.batch;
	}

	public void setBatch(int batch) {
		this.batch = batch;
	}

	public Duration getBatchHold() {
		return this.batchHold;
	}

	public void setBatchHold(Duration batchHold) {
		this.batchHold = batchHold;
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
	 * Properties of a group of workers.
	 */
	public static class Group {

		/**
		 * Queues to serve, in this order. With the weighted order, an entry may have a
		 * weight, as in high=5.
		 */
		private List<String> queues = new ArrayList<>();

		/**
		 * Order in which queues are served.
		 */
		private @Nullable QueueOrder order;

		/**
		 * Maximum number of jobs that run at once.
		 */
		private @Nullable Integer concurrency;

		/**
		 * Kind of threads that run jobs.
		 */
		private @Nullable WorkerThreads threads;

		/**
		 * Maximum number of jobs that a thread takes at once.
		 */
		private @Nullable Integer batch;

		/**
		 * Maximum time for which a thread holds jobs that it has taken and not started.
		 */
		private @Nullable Duration batchHold;

		/**
		 * Maximum time between two polls of the queues.
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

		public @Nullable Duration getBatchHold() {
			return this.batchHold;
		}

		public void setBatchHold(@Nullable Duration batchHold) {
			this.batchHold = batchHold;
		}

		public @Nullable Duration getPollInterval() {
			return this.pollInterval;
		}

		public void setPollInterval(@Nullable Duration pollInterval) {
			this.pollInterval = pollInterval;
		}

	}

}
