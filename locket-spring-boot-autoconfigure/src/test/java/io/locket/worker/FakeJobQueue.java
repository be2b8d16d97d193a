package io.locket.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.WorkListener;
import org.jspecify.annotations.Nullable;

/**
 * Queue in memory that can fail, reply late and lose its replies, and that records its
 * calls. It has no keys: jobs are handed out unchanged.
 */
public final class FakeJobQueue implements JobQueue {

	public final List<ReservationRequest> requests = new CopyOnWriteArrayList<>();

	public final List<ReservationRequest> requestsWithEnds = new CopyOnWriteArrayList<>();

	public final List<List<RunEnd>> settlements = new CopyOnWriteArrayList<>();

	public final List<RunEnd> ends = new CopyOnWriteArrayList<>();

	public final List<RunProgress> progress = new CopyOnWriteArrayList<>();

	public final AtomicBoolean quiet = new AtomicBoolean();

	public final AtomicInteger minutes = new AtomicInteger();

	public final AtomicInteger calls = new AtomicInteger();

	public final AtomicInteger failing = new AtomicInteger();

	public final AtomicInteger losingReplies = new AtomicInteger();

	public final Map<String, RunRenewal> renewals = new HashMap<>();

	public final Set<String> refused = new LinkedHashSet<>();

	public volatile boolean renewalsFail;

	public volatile @Nullable Duration next;

	public volatile int cutShort;

	public volatile @Nullable WorkListener listener;

	public volatile Runnable onListen = () -> {
	};

	public volatile Runnable onListenEnd = () -> {
	};

	public volatile Runnable onProgress = () -> {
	};

	/**
	 * Action after the mark of a process was read, and before the reply arrives.
	 */
	public volatile Runnable onQuietRead = () -> {
	};

	public volatile Runnable beforeReply = () -> {
	};

	private final Map<String, Deque<ReservedJob>> ready = new HashMap<>();

	private final Map<String, Reservation> reservations = new HashMap<>();

	private int numbers;

	/**
	 * Makes a job ready and notifies the listener.
	 */
	public String add(String queue, String job) {
		String id = put(queue, job);
		tell(queue);
		return id;
	}

	public synchronized String put(String queue, String job) {
		return put(reserved(queue, job, Duration.ofSeconds(35)));
	}

	public synchronized String put(ReservedJob job) {
		this.ready.computeIfAbsent(job.record().queue(), (name) -> new ArrayDeque<>()).add(job);
		return job.record().id();
	}

	public void tell(@Nullable String queue) {
		WorkListener told = this.listener;
		if (told != null) {
			told.onWork(queue);
		}
	}

	public synchronized ReservedJob reserved(String queue, String job, Duration leaseFor) {
		this.numbers++;
		String id = "job-" + this.numbers;
		return new ReservedJob(record(id, queue, job, leaseFor, 0, JobRecord.VERSION), "token-" + this.numbers,
				this.numbers, true, null, null);
	}

	public static JobRecord record(String id, String queue, String job, Duration leaseFor, int attempt, int version) {
		return record(id, queue, job, "[]", leaseFor, attempt, version);
	}

	public static JobRecord record(String id, String queue, String job, String arguments, Duration leaseFor,
			int attempt, int version) {
		return new JobRecord(version, id, job, queue, arguments, new JobKey(job, "digest-" + id, "[]"),
				LockStrategy.WHILE_EXECUTING, ConflictStrategy.PARK, JobState.RUNNING, Instant.EPOCH, null,
				Instant.EPOCH.plusSeconds(1), null, attempt, 3, 0, "instance", leaseFor, false, null, null, null, null,
				null, null);
	}

	public static ReservedJob with(ReservedJob job, JobRecord record) {
		return new ReservedJob(record, job.token(), job.fence(), job.keyLeased(), job.conflict(), job.conflictFor());
	}

	public static ReservedJob conflicting(ReservedJob job) {
		return new ReservedJob(job.record(), job.token(), job.fence(), false, LeaseHolder.foreign(),
				Duration.ofSeconds(9));
	}

	@Override
	public Reservation reserve(ReservationRequest request) {
		this.calls.incrementAndGet();
		this.requests.add(request);
		return reply(() -> hand(request));
	}

	@Override
	public Settlement settle(List<RunEnd> ended, @Nullable ReservationRequest request) {
		this.calls.incrementAndGet();
		if (request != null) {
			this.requests.add(request);
			this.requestsWithEnds.add(request);
		}
		// Tests that wait for a settlement then find its request.
		this.settlements.add(List.copyOf(ended));
		return reply(() -> {
			List<EndResult> results = ended.stream().map(this::end).toList();
			return new Settlement(results, (request != null) ? hand(request) : null);
		});
	}

	private <T> T reply(Supplier<T> question) {
		if (this.failing.get() > 0 && this.failing.getAndDecrement() > 0) {
			throw new QueueUnavailableException("no reply", null);
		}
		T result;
		synchronized (this) {
			result = question.get();
		}
		this.beforeReply.run();
		if (this.losingReplies.get() > 0 && this.losingReplies.getAndDecrement() > 0) {
			throw new QueueUnavailableException("the reply was lost", null);
		}
		return result;
	}

	private EndResult end(RunEnd end) {
		if (this.ends.stream().noneMatch((known) -> known.token().equals(end.token()))) {
			this.ends.add(end);
		}
		return new EndResult(end.id(), !this.refused.contains(end.id()), JobState.SUCCEEDED);
	}

	private Reservation hand(ReservationRequest request) {
		return this.reservations.computeIfAbsent(request.id(), (id) -> {
			List<ReservedJob> jobs = new ArrayList<>();
			Set<String> idle = new LinkedHashSet<>();
			for (ReservationRequest.QueueLimit limit : request.queues()) {
				Deque<ReservedJob> queue = this.ready.getOrDefault(limit.queue(), new ArrayDeque<>());
				while (jobs.size() < request.slots() && !queue.isEmpty()) {
					jobs.add(queue.remove());
				}
				if (queue.isEmpty()) {
					idle.add(limit.queue());
				}
			}
			boolean cut = this.cutShort > 0;
			this.cutShort = Math.max(0, this.cutShort - 1);
			return new Reservation(jobs, cut, idle, this.next);
		});
	}

	@Override
	public synchronized List<RunRenewal> renew(List<RunToken> runs) {
		if (this.renewalsFail) {
			throw new QueueUnavailableException("no reply", null);
		}
		return runs.stream()
			.map((run) -> this.renewals.getOrDefault(run.id(), new RunRenewal(true, null, false)))
			.toList();
	}

	@Override
	public void progress(List<RunProgress> runs) {
		this.onProgress.run();
		this.progress.addAll(runs);
	}

	@Override
	public boolean refreshQuiet(String instance, boolean quiet) {
		if (this.failing.get() > 0) {
			throw new QueueUnavailableException("no reply", new IllegalStateException());
		}
		boolean found = this.quiet.get();
		this.onQuietRead.run();
		return found;
	}

	@Override
	public Duration countMinute() {
		this.minutes.incrementAndGet();
		if (this.failing.get() > 0) {
			throw new QueueUnavailableException("no reply", new IllegalStateException());
		}
		return Duration.ofSeconds(50);
	}

	public synchronized void renewAs(String id, RunRenewal renewal) {
		this.renewals.put(id, renewal);
	}

	public List<RunEnd> endsOf(RunEnd.Kind kind) {
		return this.ends.stream().filter((end) -> end.kind() == kind).toList();
	}

	@Override
	public Listening listen(WorkListener told) {
		this.onListen.run();
		this.listener = told;
		return () -> {
			this.onListenEnd.run();
			this.listener = null;
		};
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		throw new UnsupportedOperationException();
	}

}
