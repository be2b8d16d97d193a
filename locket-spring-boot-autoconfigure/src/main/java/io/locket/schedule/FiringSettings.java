package io.locket.schedule;

import java.time.Duration;

/**
 * What the leader fires, and how.
 *
 * @param group the group of its schedules
 * @param ttl for how long each firing renews the leader's lease; firings that were missed
 * are made up for within twice that, unless their schedule says so
 * @param misfireAfter how late a firing is missed
 */
public record FiringSettings(String group, Duration ttl, Duration misfireAfter) {

	FiringPlan.MisfireRules rules() {
		return new FiringPlan.MisfireRules(this.misfireAfter, this.ttl.multipliedBy(2));
	}

}
