package io.locket.sample.scan;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Properties of scans.
 *
 * @param offers number of threads that offer every artifact at the same time
 * @param inspectPause additional duration of each inspection
 * @param pause time for which a scan holds its lease after its work is done
 * @param scanOnStart whether a replica scans when it starts
 * @param examples whether a scan enqueues jobs that are parked, fail, die and are
 * reclaimed
 */
@ConfigurationProperties("inventory")
record ScanProperties(@DefaultValue("7") int offers, @DefaultValue("0s") Duration inspectPause,
		@DefaultValue("0s") Duration pause, @DefaultValue("true") boolean scanOnStart,
		@DefaultValue("true") boolean examples) {

	ScanProperties {
		Assert.isTrue(offers >= 1 && offers <= 100, () -> "inventory.offers must be from 1 to 100, not " + offers);
		Assert.isTrue(!inspectPause.isNegative(),
				() -> "inventory.inspect-pause must not be negative, but is " + inspectPause);
		Assert.isTrue(!pause.isNegative(), () -> "inventory.pause must not be negative, but is " + pause);
	}

}
