package io.locket.lease.redis;

import java.util.Objects;

import io.locket.JobKey;
import io.locket.LeaseKind;
import io.locket.LeaseUnavailableException;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseUnavailable;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.ClaimLease;
import io.locket.lease.LeaseAttempt;

/**
 * Publisher of the results of attempts to take a key.
 *
 * @param key the key
 * @param kind the kind of the lease
 * @param events the publisher
 */
record AttemptReports(JobKey key, LeaseKind kind, JobEventPublisher events) {

	/**
	 * Publishes the result of an attempt.
	 * @return the result
	 */
	LeaseAttempt publish(LeaseAttempt attempt) {
		if (attempt instanceof LeaseAttempt.Acquired acquired) {
			this.events.publish(new LeaseAcquired(this.key, acquired.lease().fencingToken(),
					acquired.lease() instanceof ClaimLease));
		}
		else if (attempt instanceof LeaseAttempt.Refused refused) {
			this.events.publish(new LeaseConflicted(this.key, refused.holder(), this.kind));
		}
		return attempt;
	}

	/**
	 * Publishes that the store did not reply.
	 * @return the failure
	 */
	LeaseUnavailableException failed(LeaseUnavailableException failure) {
		this.events.publish(new LeaseUnavailable(this.key, Objects.toString(failure.getMessage(), ""), this.kind));
		return failure;
	}

}
