package io.locket.sample.scan;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How to scan.
 *
 * @param offers how many threads offer every artifact at the same moment
 * @param inspectPause how much longer each inspection takes
 * @param pause for how long a scan goes on, and holds its lease, after its work is done
 * @param scanOnStart whether a replica scans when it starts
 */
@ConfigurationProperties("inventory")
record ScanProperties(@DefaultValue("7") int offers, @DefaultValue("0s") Duration inspectPause,
		@DefaultValue("0s") Duration pause, @DefaultValue("true") boolean scanOnStart) {

	ScanProperties {
		Assert.isTrue(offers >= 1 && offers <= 100, () -> "inventory.offers must be from 1 to 100, not " + offers);
		Assert.isTrue(!inspectPause.isNegative(),
				() -> "inventory.inspect-pause must not be negative, like " + inspectPause);
		Assert.isTrue(!pause.isNegative(), () -> "inventory.pause must not be negative, like " + pause);
	}

}
