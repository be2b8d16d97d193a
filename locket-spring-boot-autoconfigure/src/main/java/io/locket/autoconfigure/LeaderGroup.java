package io.locket.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.schedule.ScheduleRules;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The group of processes that elect one leader, which fires their schedules.
 *
 * @param namespace the namespace of the group, which other groups may share
 * @param name the name of the group
 */
public record LeaderGroup(String namespace, String name) {

	private static final int LONGEST = 100;

	/**
	 * The length of a hyphen and a hash.
	 */
	private static final int HASH = 9;

	/**
	 * Returns the group of this process: the configured one, or the application name. A
	 * name that is no valid group is altered and gets a hash of the original, so that two
	 * applications never become one group.
	 */
	static LeaderGroup of(LocketProperties properties, Environment environment) {
		String application = environment.getProperty("spring.application.name");
		String configured = properties.getNamespace();
		String fallback = StringUtils.hasText(application) ? application : LocketInstance.FALLBACK;
		String namespace = (configured != null) ? configured : fallback;
		String group = properties.getLeader().getGroup();
		return new LeaderGroup(namespace,
				(group != null) ? group : wellFormed(StringUtils.hasText(application) ? application : namespace));
	}

	private static String wellFormed(String name) {
		if (ScheduleRules.isGroup(name)) {
			return name;
		}
		String group = name.replaceAll("[^A-Za-z0-9._-]", "-");
		CRC32 hash = new CRC32();
		hash.update(name.getBytes(StandardCharsets.UTF_8));
		return group.substring(0, Math.min(group.length(), LONGEST - HASH)) + "-"
				+ String.format("%08x", hash.getValue());
	}

}
