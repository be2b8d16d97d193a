package io.locket.queue;

import java.util.ArrayList;
import java.util.List;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Models that are wrong in one place each.
 */
enum PlantedFault {

	TICKET_KEPT_AT_START {
		@Override
		ModelLife life() {
			return new ModelLife(new ModelStore()) {
				@Override
				void start(ModelJob job, String instance, ModelJob.Run run) {
					String ticket = this.store.tickets.get(job.digest());
					super.start(job, instance, run);
					if (ticket != null) {
						this.store.tickets.put(job.digest(), ticket);
					}
				}
			};
		}
	},

	TICKET_NOT_TAKEN_BACK {
		@Override
		ModelLife life() {
			return new ModelLife(new ModelStore()) {
				@Override
				boolean isSuperseded(ModelJob job) {
					return false;
				}
			};
		}
	},

	PLACE_LOST_ON_RETURN {
		@Override
		ModelLife life() {
			return new ModelLife(new ModelStore()) {
				@Override
				void comeBack(ModelJob job) {
					super.comeBack(job);
					if (job.is(JobState.READY)) {
						line(job);
					}
				}
			};
		}
	},

	PROMOTION_FORGOTTEN_AFTER_CANCELLATION {
		@Override
		ModelLife life() {
			return new ModelLife(new ModelStore()) {
				@Override
				void end(ModelJob job, JobState state) {
					super.end(job, state);
					job.promoted = false;
				}

				@Override
				void promote(String digest) {
					boolean hadPromoted = this.store.jobs.values()
						.stream()
						.anyMatch(
								(job) -> job.is(JobState.CANCELLED) && job.sequence > 0 && job.digest().equals(digest));
					if (!hadPromoted) {
						super.promote(digest);
					}
				}
			};
		}
	},

	REST_OF_THE_HOLD_FORGOTTEN {
		@Override
		ModelLife life() {
			return new ModelLife(new ModelStore()) {
				@Override
				void release(ModelJob job, ModelJob.@Nullable Run run, long startedAt) {
					super.release(job, run, Long.MIN_VALUE / 2);
				}
			};
		}
	},

	REPLACEMENT_REPEATED {
		@Override
		ModelQueue queue() {
			return new ModelQueue() {
				@Override
				public List<EnqueueResult> enqueue(List<NewJob> jobs) {
					jobs.forEach((job) -> this.store.replacements.remove(job.id()));
					return super.enqueue(jobs);
				}
			};
		}
	},

	RESERVATION_REPEATED {
		@Override
		ModelQueue queue() {
			return new ModelQueue() {
				@Override
				public Reservation reserve(ReservationRequest request) {
					this.store.requests.clear();
					return super.reserve(request);
				}
			};
		}
	},

	END_COUNTED_WITHOUT_THE_KEY_LEASE {
		@Override
		ModelQueue queue() {
			return new ModelQueue() {
				@Override
				public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
					List<EndResult> results = new ArrayList<>();
					super.settle(ends, next).ends()
						.forEach((end) -> results.add(new EndResult(end.id(), true, end.state())));
					return new Settlement(results, (next != null) ? reserve(next) : null);
				}
			};
		}
	},

	KEY_KEPT_BY_THE_DEAD {
		@Override
		ModelQueue queue() {
			ModelLife life = life();
			return new ModelQueue(life, new ModelDue(life, 3) {
				@Override
				void reclaim(ModelJob job) {
					ModelStore.Lock lock = this.store.lock(job.digest());
					super.reclaim(job);
					if (lock != null) {
						this.store.locks.put(job.digest(), lock.until(this.store.now + 1000));
					}
				}
			});
		}
	},

	POISON_NEVER_DIES {
		@Override
		ModelQueue queue() {
			ModelLife life = life();
			return new ModelQueue(life, new ModelDue(life, Integer.MAX_VALUE));
		}
	};

	ModelLife life() {
		return new ModelLife(new ModelStore());
	}

	/**
	 * Return a queue with the fault.
	 */
	ModelQueue queue() {
		return new ModelQueue(life());
	}

}
