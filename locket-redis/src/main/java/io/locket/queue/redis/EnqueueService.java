package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.redis.event.ScriptEventPublisher;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.DefinitionFormat;
import io.locket.queue.redis.format.EnqueueFormat;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.spi.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Enqueuing of jobs, by the cheapest script that can. Thread-safe.
 */
final class EnqueueService {

	private static final int BATCH = 100;

	private final QueueCommands commands;

	private final DefinitionFormat definitions = new DefinitionFormat();

	private final FastPathScript several;

	private final FastPathScript one;

	private final FastPathScript oneLater;

	private final FastPathScript oneWithClaim;

	private final FastPathScript oneReplacing;

	private final ScriptEventPublisher events;

	/**
	 * Creates a service.
	 * @param commands runs the scripts
	 * @param events the publisher of events
	 */
	EnqueueService(QueueCommands commands, ScriptEventPublisher events) {
		this.commands = commands;
		this.several = new FastPathScript(commands, QueueScript.ADMIT);
		this.one = new FastPathScript(commands, QueueScript.ADMIT_ONE);
		this.oneLater = new FastPathScript(commands, QueueScript.ADMIT_LATER);
		this.oneWithClaim = new FastPathScript(commands, QueueScript.ADMIT);
		this.oneReplacing = new FastPathScript(commands, QueueScript.REPLACE);
		this.events = events;
	}

	/**
	 * Enqueues jobs, in calls for at most 100 each.
	 * @param jobs the jobs
	 * @return the results in the order of the jobs
	 * @throws QueueUnavailableException if Redis does not reply or refuses a call. Jobs
	 * of earlier calls remain enqueued
	 */
	List<EnqueueResult> enqueue(List<NewJob> jobs) {
		List<EnqueueResult> results = new ArrayList<>(jobs.size());
		for (int from = 0; from < jobs.size(); from += BATCH) {
			results.addAll(enqueueBatch(jobs.subList(from, Math.min(jobs.size(), from + BATCH))));
		}
		return results;
	}

	private List<EnqueueResult> enqueueBatch(List<NewJob> jobs) {
		List<EnqueueResult> results = (jobs.size() > 1) ? enqueueSeveral(jobs) : enqueueOne(jobs.get(0));
		return (results != null) ? results : enqueueByScript(jobs);
	}

	private List<EnqueueResult> enqueueByScript(List<NewJob> jobs) {
		List<Object> args = new ArrayList<>(1 + jobs.size() * DefinitionFormat.ARGUMENTS);
		args.add(QueueExtension.KNOWN_FOR);
		jobs.forEach((job) -> this.definitions.add(job, args));
		List<Object> reply = send(jobs, (what) -> this.commands.runBinary(what, QueueScript.ENQUEUE, args)).texts();
		this.events.publish((List<?>) reply.get(1));
		return EnqueueFormat.read(reply.get(0));
	}

	/**
	 * Enqueues jobs by {@code admit.lua}.
	 * @return the results, or {@code null} if nothing was done
	 */
	private @Nullable List<EnqueueResult> enqueueSeveral(List<NewJob> jobs) {
		return jobs.stream().noneMatch(EnqueueService::replaces) ? admit(jobs, this.several) : null;
	}

	/**
	 * Enqueues a job by a fast path.
	 * @return the result, or {@code null} if nothing was done
	 */
	private @Nullable List<EnqueueResult> enqueueOne(NewJob job) {
		if (replaces(job)) {
			return job.lock().isUniqueWhileWaiting() ? replace(job) : null;
		}
		if (job.lock() == LockStrategy.UNTIL_EXPIRED) {
			return admit(List.of(job), this.oneWithClaim);
		}
		return admitOne(job, isDueNow(job) ? this.one : this.oneLater);
	}

	private @Nullable List<EnqueueResult> admit(List<NewJob> jobs, FastPathScript script) {
		BinaryReply reply = run(script, jobs, () -> this.definitions.plain(jobs));
		if (reply.size() == 0) {
			return null;
		}
		List<EnqueueResult> results = new ArrayList<>(jobs.size());
		BinaryReply delays = reply.reply(0);
		int delayed = 0;
		int refused = 1;
		for (NewJob job : jobs) {
			if (refused < reply.size() && reply.number(refused) == results.size() + 1) {
				results.add(duplicate(job, reply.from(refused + 1)));
				refused += 3;
			}
			else {
				results.add(accepted(job, isDueNow(job) ? 0 : delays.number(delayed++)));
			}
		}
		return results;
	}

	private @Nullable List<EnqueueResult> admitOne(NewJob job, FastPathScript script) {
		BinaryReply reply = run(script, List.of(job), () -> this.definitions.plain(job));
		return switch (reply.size()) {
			case 0 -> null;
			case 1 -> List.of(accepted(job, reply.number(0)));
			default -> List.of(duplicate(job, reply));
		};
	}

	private @Nullable List<EnqueueResult> replace(NewJob job) {
		BinaryReply reply = run(this.oneReplacing, List.of(job),
				() -> this.definitions.replacing(job, QueueExtension.KNOWN_FOR));
		if (reply.size() == 0) {
			return null;
		}
		return switch (reply.text(0)) {
			case "accepted" -> List.of(accepted(job, reply.number(2)));
			case "duplicate" -> List.of(duplicate(job, reply.from(1)));
			default -> List.of(replaced(job, reply.text(1)));
		};
	}

	/**
	 * Runs a fast path, unless it is to be skipped.
	 * @return the reply, empty if nothing was done
	 */
	private BinaryReply run(FastPathScript script, List<NewJob> jobs, Supplier<List<Object>> args) {
		return script.skipsNext() ? BinaryReply.EMPTY : send(jobs, (what) -> script.run(what, args.get()));
	}

	private EnqueueResult accepted(NewJob job, long delayMillis) {
		this.events.enqueued(job, Duration.ofMillis(delayMillis));
		return new EnqueueResult.Accepted(job.id());
	}

	private EnqueueResult duplicate(NewJob job, BinaryReply holder) {
		String id = holder.text(0).isEmpty() ? null : holder.text(0);
		this.events.duplicate(job, id);
		return new EnqueueResult.Duplicate(id, RecordFormat.knownState(holder.text(1)));
	}

	private EnqueueResult replaced(NewJob job, String id) {
		this.events.replaced(job, id);
		return new EnqueueResult.Replaced(id);
	}

	private static boolean isDueNow(NewJob job) {
		return job.start().equals(NewJob.Start.NOW);
	}

	private static boolean replaces(NewJob job) {
		return job.onDuplicate() == DuplicateStrategy.REPLACE;
	}

	private <T extends @Nullable Object> T send(List<NewJob> jobs, Function<String, T> call) {
		try {
			return call.apply("enqueue " + jobs.size() + " job(s)");
		}
		catch (QueueUnavailableException ex) {
			this.events.unavailable(jobs, ex);
			throw ex;
		}
	}

}
