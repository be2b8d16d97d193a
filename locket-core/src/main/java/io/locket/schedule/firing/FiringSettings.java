package io.locket.schedule.firing;

import java.time.Duration;

/**
 * Settings for firings.
 *
 * @param group the group of the schedules
 * @param ttl the time for which each firing renews the leader's lease. Missed firings are
 * made up for within twice that time, unless their schedule sets its own
 * @param misfireAfter the delay after which a firing counts as missed
 */
public record FiringSettings(String group, Duration ttl, Duration misfireAfter) {

	FiringPlan.MisfireRules rules() {
		return new FiringPlan.MisfireRules(this.misfireAfter, this.ttl.multipliedBy(2));
	}

}
