package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

import io.locket.job.JobTemplate;
import io.locket.queue.NewJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What the leader fires in one call: the times of one schedule or several that have come,
 * each schedule with a share of them, so that one which has much to make up for holds up
 * no other. A schedule that fails is alone in its call. Every schedule that is taken out
 * of the agenda goes back into it. Not thread-safe.
 */
final class FiringRound {

	private static final Log logger = LogFactory.getLog(FiringRound.class);

	private static final int SHARE = 20;

	private static final int COUNTED = 100;

	private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

	private final ScheduleAgenda agenda;

	private final Instant now;

	private final FiringPlan.MisfireRules rules;

	private final BiFunction<JobTemplate, String, NewJob> jobs;

	private final FiringReports reports;

	private final List<Share> shares = new ArrayList<>();

	private final List<Attempt> attempts = new ArrayList<>();

	/**
	 * Create a round.
	 * @param agenda the schedules
	 * @param now the time of the store
	 * @param rules what is late
	 * @param jobs makes a job of a template and an id
	 * @param reports is told what becomes of firings
	 */
	FiringRound(ScheduleAgenda agenda, Instant now, FiringPlan.MisfireRules rules,
			BiFunction<JobTemplate, String, NewJob> jobs, FiringReports reports) {
		this.agenda = agenda;
		this.now = now;
		this.rules = rules;
		this.jobs = jobs;
		this.reports = reports;
	}

	/**
	 * Take what is due.
	 * @param most how many firings to take at the most
	 */
	void compose(int most) {
		PlannedSchedule planned = this.agenda.peek(this.now);
		while (planned != null && this.attempts.size() < most && (this.shares.isEmpty() || !planned.isFailing())) {
			int room = planned.isFailing() ? 1 : Math.min(SHARE, most - this.attempts.size());
			Share share = share(this.agenda.take(), room);
			if (share == null) {
				this.agenda.putBack(planned);
			}
			else {
				this.shares.add(share);
				share.firings().forEach((firing) -> this.attempts.add(new Attempt(share, firing)));
				if (planned.isFailing()) {
					return;
				}
			}
			planned = this.agenda.peek(this.now);
		}
		this.attempts.sort(Comparator.comparing((attempt) -> attempt.firing().time()));
	}

	/**
	 * Plan what a schedule fires now, if it does. Whatever its times or the classes of
	 * its job throw, other schedules do not suffer for it.
	 */
	private @Nullable Share share(PlannedSchedule planned, int room) {
		List<Firing> firings = new ArrayList<>();
		FiringPlan plan = null;
		Instant time = this.now;
		try {
			plan = planned.plan(this.now, this.rules);
			leaveOut(planned, plan);
			for (int i = 0; i < Math.min(room, plan.due().size()); i++) {
				time = plan.due().get(i);
				firings.add(firing(planned, time));
			}
		}
		catch (Throwable ex) {
			logger.debug("No job for " + planned.definition(), ex);
			if (firings.isEmpty()) {
				if (planned.fail(this.now)) {
					this.reports.notMade(planned, time, ex);
				}
				return null;
			}
		}
		if (plan != null && !firings.isEmpty()) {
			return new Share(planned, plan, firings);
		}
		if (plan != null) {
			planned.recover();
			planned.settle(plan.settled());
			planned.attend(plan.next());
		}
		return null;
	}

	/**
	 * Tell of times that will not fire any more.
	 */
	private void leaveOut(PlannedSchedule planned, FiringPlan plan) {
		Instant after = planned.settled();
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
				this.rules.latest(definition, planned.misfire(), time), job);
	}

	boolean isEmpty() {
		return this.attempts.isEmpty();
	}

	/**
	 * Whether it is another try for a schedule that fails, which is alone in its round.
	 */
	boolean isFailing() {
		return this.attempts.get(0).planned().isFailing();
	}

	List<Firing> firings() {
		return this.attempts.stream().map(Attempt::firing).toList();
	}

	/**
	 * The store has answered.
	 * @return how it has refused firings, if it has
	 */
	Set<FiringResult.Refused> answered(FiringReply reply) {
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
		putBack();
		return refusals;
	}

	private void fired(Attempt attempt, FiringResult.Fired fired, Instant time) {
		attempt.settle();
		if (attempt.planned().recover()) {
			this.reports.recovered(attempt.planned());
		}
		this.reports.fired(attempt.firing(), fired, time);
	}

	private void refused(Attempt attempt, FiringResult.Refused refused) {
		logger.debug("Firing " + attempt.firing().job().id() + " was refused: " + refused);
		switch (refused) {
			case PAST -> attempt.settle();
			case LATE -> late(attempt);
			case EARLY -> attempt.share().hold(attempt.firing().time());
			case CHANGED -> attempt.share().hold(this.now.plus(LOOK_AGAIN));
			case NOT_LEADER -> attempt.share().hold(this.now);
		}
	}

	/**
	 * It was on time when it was planned, and is missed now. What comes after it is
	 * planned anew.
	 */
	private void late(Attempt attempt) {
		Instant time = attempt.firing().time();
		attempt.settle();
		attempt.share().hold(this.now);
		this.reports.missed(attempt.planned(), time.minusMillis(1), time, 1);
	}

	/**
	 * The store answers, but not to the only firing of this round.
	 */
	void refused(RuntimeException failure) {
		Attempt attempt = this.attempts.get(0);
		if (attempt.planned().fail(this.now)) {
			this.reports.refused(attempt.planned(), attempt.firing().time(), failure);
		}
		putBack();
	}

	/**
	 * Nothing was asked, or the store gave no answer: all is as it was.
	 */
	void putBack() {
		this.shares.forEach((share) -> this.agenda.putBack(share.planned));
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
	 * What a schedule fires in this round.
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
		 * Something has not fired yet: try again at a time.
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
