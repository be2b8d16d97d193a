package io.locket.queue.memory;

import java.util.ArrayList;
import java.util.List;

import io.locket.JobState;
import io.locket.event.JobPromoted;
import io.locket.event.QueueEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.memory.KeyLock;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.UpdateResult;
import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.UpdateAction;
import org.jspecify.annotations.Nullable;

/**
 * Variants of the model with one fault each.
 */
enum PlantedFault {

	TICKET_KEPT_AT_START {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void start(MemoryJob job, String instance, MemoryJob.Run run) {
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
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				boolean endIfSuperseded(MemoryJob job, long due) {
					return false;
				}
			};
		}
	},

	DUE_TIME_NOT_PASSED_ON {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void inherit(MemoryJob job, long due) {
				}
			};
		}
	},

	INHERITED_TIME_PUT_OFF {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void inherit(MemoryJob job, long due) {
					super.inherit(job, due);
					job.dueAtLatest = Long.MAX_VALUE;
				}
			};
		}
	},

	PERIOD_NOT_MOVED_BY_A_REPLACEMENT {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void movePeriod(MemoryJob job) {
				}
			};
		}
	},

	CLAIM_KEPT_BY_WHAT_NEVER_RAN {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void releaseClaim(MemoryJob job) {
				}
			};
		}
	},

	PLACE_LOST_ON_RETURN {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void comeBack(MemoryJob job) {
					super.comeBack(job);
					if (job.is(JobState.READY)) {
						append(job);
					}
				}
			};
		}
	},

	PROMOTION_FORGOTTEN_AFTER_CANCELLATION {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void end(MemoryJob job, JobState state) {
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
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void release(MemoryJob job, MemoryJob.@Nullable Run run, long startedAt) {
					super.release(job, run, Long.MIN_VALUE / 2);
				}
			};
		}
	},

	REPLACEMENT_REPEATED {
		@Override
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events) {
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
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events) {
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
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events) {
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
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			MemoryLife life = life(space);
			return new InMemoryJobQueue(life, new MemoryDue(life, 3) {
				@Override
				void reclaim(MemoryJob job) {
					KeyLock lock = this.store.lock(job.digest());
					super.reclaim(job);
					if (lock != null) {
						this.store.space.put(job.digest(), lock.until(this.store.now + 1000));
					}
				}
			}, events);
		}
	},

	TICKET_LOST_BY_A_MOVE {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void move(MemoryJob job, String queue) {
					super.move(job, queue);
					this.store.tickets.remove(job.digest(), job.id());
				}
			};
		}
	},

	MOVED_JOB_KEEPS_ITS_PLACE {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void move(MemoryJob job, String queue) {
					long place = job.sequence;
					super.move(job, queue);
					this.store.change(job, () -> job.sequence = place);
				}
			};
		}
	},

	JOB_THAT_WAS_SET_ASIDE_LOSES_ITS_PLACE {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void bringBack(MemoryJob job) {
					super.bringBack(job);
					append(job);
				}
			};
		}
	},

	DEAD_LETTER_REQUEUED_TWICE {
		@Override
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events) {
				@Override
				public List<EnqueueResult> requeue(List<RequeuedJob> letters) {
					letters.forEach((letter) -> {
						MemoryJob job = this.store.jobs.get(letter.id());
						if (job != null && job.requeuedAs != null && !job.requeuedAs.equals(letter.newId())) {
							job.requeuedAs = null;
							job.dismissed = false;
						}
					});
					return super.requeue(letters);
				}
			};
		}
	},

	DISMISSED_LETTER_STAYS_ONE {
		@Override
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events) {
				@Override
				public List<UpdateResult> update(UpdateAction action, List<ExpectedJob> jobs) {
					List<UpdateResult> results = super.update(action, jobs);
					this.store.jobs.values().forEach((job) -> job.dismissed &= job.requeuedAs != null);
					return results;
				}
			};
		}
	},

	DISMISSED_LETTER_STAYS_COUNTED {
		@Override
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events) {
				@Override
				public QueueCounts counts(String queue) {
					QueueCounts counts = super.counts(queue);
					return new QueueCounts(queue, counts.paused(), counts.accepted(), counts.movedIn(),
							counts.movedOut(), counts.states(), counts.in(JobState.DEAD), 0, 0);
				}
			};
		}
	},

	WAIT_IS_NOT_TOLD {
		@Override
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events) {
				@Override
				public StoreOverview overview() {
					StoreOverview overview = super.overview();
					return new StoreOverview(overview.time(),
							overview.queues()
								.stream()
								.map((queue) -> new QueueOverview(queue.counts(), null))
								.toList());
				}
			};
		}
	},

	RUNS_OF_WORKERS_ARE_NOT_TOLD {
		@Override
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			return new InMemoryJobQueue(space, 3, events) {
				@Override
				public List<WorkerInfo> workers() {
					return super.workers().stream()
						.map((worker) -> new WorkerInfo(worker.instance(), worker.lastSeen(), worker.pollers(), 0))
						.toList();
				}
			};
		}
	},

	PROMOTION_IS_NOT_PUBLISHED {
		@Override
		MemoryLife life(LockSpace space) {
			return new MemoryLife(new MemoryStore(space)) {
				@Override
				void addEvent(QueueEvent event) {
					if (!(event instanceof JobPromoted)) {
						super.addEvent(event);
					}
				}
			};
		}
	},

	POISON_NEVER_DIES {
		@Override
		InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
			MemoryLife life = life(space);
			return new InMemoryJobQueue(life, new MemoryDue(life, Integer.MAX_VALUE), events);
		}
	};

	MemoryLife life(LockSpace space) {
		return new MemoryLife(new MemoryStore(space));
	}

	/**
	 * Returns a queue with the fault.
	 */
	InMemoryJobQueue queue(LockSpace space, JobEventPublisher events) {
		MemoryLife life = life(space);
		return new InMemoryJobQueue(life, new MemoryDue(life, 3), events);
	}

}
