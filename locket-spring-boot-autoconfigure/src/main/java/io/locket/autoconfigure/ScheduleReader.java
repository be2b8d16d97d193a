package io.locket.autoconfigure;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.JobTemplate;
import io.locket.job.JobTemplates;
import io.locket.job.UniqueJobDefinition;
import io.locket.queue.QueueNames;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleRules;
import io.locket.schedule.ScheduleStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Makes schedules of what is configured, or tells everything about them that cannot work,
 * of those that are disabled, too.
 */
final class ScheduleReader {

	private final JobTemplates templates;

	private final String group;

	private final PropertyProblems problems = new PropertyProblems();

	/**
	 * Create a reader.
	 * @param templates makes the jobs
	 * @param group the group of the schedules
	 */
	ScheduleReader(JobTemplates templates, String group) {
		this.group = group;
		this.templates = templates;
	}

	/**
	 * Make schedules.
	 * @param configured what is configured, by the names of the schedules
	 * @throws InvalidLocketConfigurationException if one cannot work
	 */
	List<ScheduleDefinition> read(Map<String, ScheduleProperties> configured) {
		List<ScheduleDefinition> definitions = new ArrayList<>();
		if (configured.size() > ScheduleStore.MOST) {
			this.problems.add("locket.schedules", configured.size() + " schedules", "are too many.",
					"Write " + ScheduleStore.MOST + " at the most.");
		}
		configured.forEach((name, schedule) -> {
			boolean works = checkTimes(name, schedule);
			ZoneId zone = zone(name, schedule);
			JobTemplate template = template(name, schedule);
			if (works && zone != null && template != null) {
				definitions.add(new ScheduleDefinition(name, this.group, template.job(), template.arguments(),
						template.queue(), text(schedule.getCron()), schedule.getEvery(), zone, schedule.getMisfire(),
						schedule.getCatchUp(), schedule.isEnabled(), text(schedule.getDescription()),
						ScheduleOrigin.CONFIGURED));
			}
		});
		this.problems.throwIfAny();
		return definitions;
	}

	private boolean checkTimes(String name, ScheduleProperties schedule) {
		String cron = text(schedule.getCron());
		Duration every = schedule.getEvery();
		if (cron == null && every == null) {
			return refuse(name, "", "nothing", "has no times to fire at.",
					"Write either cron, such as '0 30 3 * * *', or every, such as 1h.");
		}
		boolean works = true;
		if (cron != null && every != null) {
			works = refuse(name, ".every", PropertyProblems.text(every), "is written beside cron.",
					"Leave one of the two out.");
		}
		if (cron != null) {
			works &= checkCron(name, cron);
		}
		if (every != null) {
			works &= this.problems.checkRange(key(name, ".every"), every, ScheduleRules.SHORTEST_INTERVAL,
					ScheduleRules.LONGEST_TIME);
		}
		if (schedule.getCatchUp() != null) {
			works &= this.problems.checkRange(key(name, ".catch-up"), schedule.getCatchUp(), Duration.ZERO,
					ScheduleRules.LONGEST_TIME);
		}
		return works;
	}

	private boolean checkCron(String name, String cron) {
		if (cron.equals("-")) {
			return refuse(name, ".cron", "'-'", "is no time.", "Write enabled: false beside an expression.");
		}
		String problem = ScheduleRules.problemOfCron(cron);
		return problem == null
				|| refuse(name, ".cron", quoted(cron), problem + ".", "Write " + ScheduleRules.CRON + ".");
	}

	/**
	 * Return the time zone, or {@code null} if there is none of that name.
	 */
	private @Nullable ZoneId zone(String name, ScheduleProperties schedule) {
		String zone = text(schedule.getZone());
		if (zone == null) {
			return ZoneId.systemDefault();
		}
		if (schedule.getEvery() != null && text(schedule.getCron()) == null) {
			refuse(name, ".zone", quoted(zone), "is written beside every, which goes by the time that passes.",
					"Leave the zone out, or write cron.");
			return null;
		}
		try {
			return ZoneId.of(zone);
		}
		catch (DateTimeException ex) {
			List<String> near = ZoneNames.near(zone);
			refuse(name, ".zone", quoted(zone), "is no time zone.",
					near.isEmpty() ? "Write one such as Europe/Berlin or UTC."
							: "Write one such as " + String.join(" or ", near) + ".");
			return null;
		}
	}

	/**
	 * Return what is kept of the job, or {@code null} if there is none such.
	 */
	private @Nullable JobTemplate template(String name, ScheduleProperties schedule) {
		String queue = text(schedule.getQueue());
		if (queue != null && !QueueNames.isValid(queue)) {
			refuse(name, ".queue", quoted(queue), "is no name of a queue.", "Write " + QueueNames.RULE + ".");
			queue = null;
		}
		String job = text(schedule.getJob());
		if (job == null) {
			refuse(name, ".job", "nothing", "is missing.", "Write the name of a job.");
			return null;
		}
		JobRequest request = JobRequest.of(job, schedule.getArgs().toArray())
			.with((queue != null) ? EnqueueOptions.now().queue(queue) : EnqueueOptions.now());
		UniqueJobDefinition found;
		try {
			found = this.templates.find(request);
		}
		catch (IllegalArgumentException ex) {
			refuse(name, ".job", quoted(job), "cannot be enqueued. " + sentence(ex),
					"Write the name of a job that a bean here has, or one of its aliases.");
			return null;
		}
		if (!checkTexts(name, schedule.getArgs(), found.method().getParameterTypes())) {
			return null;
		}
		try {
			return this.templates.template(request);
		}
		catch (IllegalArgumentException ex) {
			refuse(name, ".args", schedule.getArgs().size() + " argument(s)", "do not fit. " + sentence(ex),
					"Write a list with an argument for each parameter, in their order.");
			return null;
		}
	}

	/**
	 * What YAML reads as a number or as a truth value need not be what was written.
	 */
	private boolean checkTexts(String name, List<Object> args, Class<?>[] types) {
		boolean works = true;
		for (int i = 0; i < Math.min(args.size(), types.length); i++) {
			if (types[i] == String.class && !(args.get(i) instanceof CharSequence)) {
				works = refuse(name, ".args[" + i + "]", "...",
						"is a number or a truth value as YAML reads it, and the parameter is text.",
						"Put it in quotes.");
			}
		}
		return works;
	}

	private static String sentence(RuntimeException ex) {
		String message = String.valueOf(ex.getMessage());
		return message.endsWith(".") ? message : message + ".";
	}

	private boolean refuse(String name, String property, Object value, String description, String action) {
		this.problems.add(key(name, property), value, description, action);
		return false;
	}

	private static String key(String name, String property) {
		return ScheduleKeys.property(name) + property;
	}

	private static String quoted(String text) {
		return "'" + text.replaceAll("\\p{Cntrl}", "?") + "'";
	}

	/**
	 * What is written empty is not written.
	 */
	private static @Nullable String text(@Nullable String value) {
		return StringUtils.hasText(value) ? value.trim() : null;
	}

}
