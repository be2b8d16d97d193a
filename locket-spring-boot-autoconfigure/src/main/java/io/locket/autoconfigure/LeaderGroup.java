package io.locket.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

import io.locket.schedule.ScheduleRules;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The processes that elect one leader, which fires their schedules.
 *
 * @param namespace the namespace that they share, maybe with others
 * @param name the name of the group
 */
record LeaderGroup(String namespace, String name) {

	private static final String FALLBACK = "locket";

	private static final int LONGEST = 100;

	/**
	 * How long a hyphen and a hash are.
	 */
	private static final int HASH = 9;

	/**
	 * Find out the group of this process: what is configured, or as near to the name of
	 * the application as names of groups come: what is altered gets a hash of the name,
	 * so that no two applications come to be one group.
	 */
	static LeaderGroup of(LocketProperties properties, Environment environment) {
		String application = environment.getProperty("spring.application.name");
		String configured = properties.getNamespace();
		String fallback = StringUtils.hasText(application) ? application : FALLBACK;
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
