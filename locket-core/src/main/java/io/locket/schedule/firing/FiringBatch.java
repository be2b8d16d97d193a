package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

import io.locket.job.JobTemplate;
import io.locket.queue.spi.NewJob;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.FiringTimes;
import io.locket.schedule.ScheduleDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Firings of one call of the leader: due times of one or several schedules. Each schedule
 * gets a share, so that one with many missed firings does not delay others. A failing
 * schedule is alone in its call. Each schedule that is taken from the queue is requeued.
 * Not thread-safe.
 */
final class FiringBatch {

	private static final Log logger = LogFactory.getLog(FiringBatch.class);

	private static final int SHARE = 20;

	private static final int COUNTED = 100;

	private static final Duration RETRY_CHANGED = Duration.ofSeconds(1);

	private final ScheduleQueue queue;

	private final Instant now;

	private final FiringPlan.MisfireRules rules;

	private final BiFunction<JobTemplate, String, NewJob> jobs;

	private final FiringReports reports;

	private final List<Share> shares = new ArrayList<>();

	private final List<Attempt> attempts = new ArrayList<>();

	/**
	 * Creates a batch.
	 * @param queue the active schedules
	 * @param now the time of the store
	 * @param rules the misfire rules
	 * @param jobs the factory of jobs from a template and an id
	 * @param reports the reports of the results
	 */
	FiringBatch(ScheduleQueue queue, Instant now, FiringPlan.MisfireRules rules,
			BiFunction<JobTemplate, String, NewJob> jobs, FiringReports reports) {
		this.queue = queue;
		this.now = now;
		this.rules = rules;
		this.jobs = jobs;
		this.reports = reports;
	}

	/**
	 * Takes due firings.
	 * @param most the maximum number of firings to take
	 */
	void compose(int most) {
		PlannedSchedule planned = this.queue.peek(this.now);
		while (planned != null && this.attempts.size() < most && (this.shares.isEmpty() || !planned.isFailing())) {
			int limit = planned.isFailing() ? 1 : Math.min(SHARE, most - this.attempts.size());
			Share share = share(this.queue.take(), limit);
			if (share == null) {
				this.queue.requeue(planned);
			}
			else {
				this.shares.add(share);
				share.firings().forEach((firing) -> this.attempts.add(new Attempt(share, firing)));
				if (planned.isFailing()) {
					return;
				}
			}
			planned = this.queue.peek(this.now);
		}
		this.attempts.sort(Comparator.comparing((attempt) -> attempt.firing().time()));
	}

	/**
	 * Plans the current firings of a schedule, if there are any. A schedule whose times
	 * fail does not affect others.
	 */
	private @Nullable Share share(PlannedSchedule planned, int limit) {
		FiringPlan plan;
		try {
			plan = planned.plan(this.now, this.rules);
			leaveOut(planned, plan);
		}
		catch (Throwable ex) {
			notMade(planned, this.now, ex);
			return null;
		}
		if (plan.due().isEmpty()) {
			planned.recover();
			planned.settle(plan.settled());
			planned.attend(plan.next());
			return null;
		}
		List<Firing> firings = firings(planned, plan.due(), limit);
		return firings.isEmpty() ? null : new Share(planned, plan, firings);
	}

	/**
	 * Creates the first firings of some times, up to one whose job cannot be created. The
	 * schedule fails if that is the first one. Otherwise its turn comes when the others
	 * have fired.
	 */
	private List<Firing> firings(PlannedSchedule planned, List<Instant> times, int limit) {
		List<Firing> firings = new ArrayList<>();
		for (Instant time : times.subList(0, Math.min(limit, times.size()))) {
			try {
				firings.add(firing(planned, time));
			}
			catch (Throwable ex) {
				if (firings.isEmpty()) {
					notMade(planned, time, ex);
				}
				return firings;
			}
		}
		return firings;
	}

	private void notMade(PlannedSchedule planned, Instant time, Throwable failure) {
		logger.debug("No job for " + planned.definition(), failure);
		if (planned.fail(this.now)) {
			this.reports.notMade(planned, time, failure);
		}
	}

	/**
	 * Reports times that will not fire any more.
	 */
	private void leaveOut(PlannedSchedule planned, FiringPlan plan) {
		Instant after = planned.notMissed();
		Instant before = plan.due().isEmpty() ? plan.settled().plusMillis(1) : plan.due().get(0);
		int count = planned.times().count(after, before, COUNTED);
		if (count > 0) {
			planned.settle(before.minusMillis(1));
			this.reports.missed(planned, after, before.minusMillis(1), count);
		}
	}

	private Firing firing(PlannedSchedule planned, Instant time) {
		ScheduleDefinition definition = planned.definition();
		NewJob job = this.jobs.apply(new JobTemplate(definition.job(), definition.arguments(), definition.queue()),
				Firing.id(definition.name(), time));
		return new Firing(definition.name(), planned.schedule().revision(), time,
				this.rules.latest(definition, planned.misfire(), time), planned.lastFired(), job);
	}

	boolean isEmpty() {
		return this.attempts.isEmpty();
	}

	/**
	 * Returns whether this is a retry of a failing schedule, which is alone in its batch.
	 */
	boolean isFailing() {
		return this.attempts.get(0).planned().isFailing();
	}

	List<Firing> firings() {
		return this.attempts.stream().map(Attempt::firing).toList();
	}

	/**
	 * Handles the reply of the store.
	 * @return the kinds of refusals in the reply
	 */
	Set<FiringResult.Refused> onReply(FiringReply reply) {
		Set<FiringResult.Refused> refusals = EnumSet.noneOf(FiringResult.Refused.class);
		for (int i = 0; i < this.attempts.size(); i++) {
			Attempt attempt = this.attempts.get(i);
			FiringResult result = reply.results().get(i);
			if (result instanceof FiringResult.Fired fired) {
				fired(attempt, fired, reply.time());
			}
			else if (result instanceof FiringResult.Refused refused) {
				refused(attempt, refused);
				refusals.add(refused);
			}
		}
		this.shares.forEach((share) -> share.end(this.now));
		requeue();
		return refusals;
	}

	private void fired(Attempt attempt, FiringResult.Fired fired, Instant time) {
		attempt.settle();
		attempt.planned().lastFired(attempt.firing().time());
		attempt.planned().recover();
		this.reports.recovered(attempt.planned());
		this.reports.fired(attempt.firing(), fired, time);
	}

	private void refused(Attempt attempt, FiringResult.Refused refused) {
		logger.debug("Firing " + attempt.firing().job().id() + " was refused: " + refused);
		switch (refused) {
			case PAST -> attempt.settle();
			case LATE -> late(attempt);
			case EARLY -> attempt.share().hold(attempt.firing().time());
			case CHANGED -> attempt.share().hold(this.now.plus(RETRY_CHANGED));
			case NOT_LEADER -> attempt.share().hold(this.now);
		}
	}

	/**
	 * Handles a firing that was on time when it was planned, and is missed now. Later
	 * times are planned again.
	 */
	private void late(Attempt attempt) {
		Instant time = attempt.firing().time();
		attempt.settle();
		attempt.share().hold(this.now);
		this.reports.missed(attempt.planned(), time.minusMillis(1), time, 1);
	}

	/**
	 * Handles a store that replies to other calls, but not to the only firing of this
	 * batch.
	 */
	void refused(RuntimeException failure) {
		Attempt attempt = this.attempts.get(0);
		if (attempt.planned().fail(this.now)) {
			this.reports.refused(attempt.planned(), attempt.firing().time(), failure);
		}
		requeue();
	}

	/**
	 * Requeues all schedules unchanged, if nothing was requested or the store did not
	 * reply.
	 */
	void requeue() {
		this.shares.forEach((share) -> this.queue.requeue(share.planned));
	}

	private record Attempt(Share share, Firing firing) {

		PlannedSchedule planned() {
			return this.share.planned;
		}

		void settle() {
			planned().settle(this.firing.time());
		}

	}

	/**
	 * Firings of a schedule in this batch.
	 */
	private static final class Share {

		private final PlannedSchedule planned;

		private final FiringPlan plan;

		private final List<Firing> firings;

		private @Nullable Instant heldUntil;

		Share(PlannedSchedule planned, FiringPlan plan, List<Firing> firings) {
			this.planned = planned;
			this.plan = plan;
			this.firings = firings;
		}

		List<Firing> firings() {
			return this.firings;
		}

		/**
		 * Schedules a retry at a time, because a firing is not done yet.
		 */
		void hold(Instant time) {
			if (this.heldUntil == null) {
				this.heldUntil = time;
			}
		}

		void end(Instant now) {
			if (this.heldUntil != null) {
				this.planned.attend(this.heldUntil);
			}
			else if (this.firings.size() < this.plan.due().size()) {
				this.planned.attend(now);
			}
			else {
				Instant next = this.plan.next();
				this.planned.settle(this.plan.settled());
				this.planned.attend((next != null) ? FiringTimes.latest(next, now) : null);
			}
		}

	}

}
