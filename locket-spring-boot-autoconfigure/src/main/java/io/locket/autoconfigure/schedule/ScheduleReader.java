package io.locket.autoconfigure.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.NearNames;
import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.autoconfigure.properties.ScheduleProperties;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.JobTemplate;
import io.locket.job.JobTemplates;
import io.locket.job.catalog.AsyncMethods;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.QueueNames;
import io.locket.queue.argument.ParameterText;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleRules;
import io.locket.schedule.ScheduleStore;
import io.locket.text.LineText;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

/**
 * Converter from {@code locket.schedules} to schedule definitions. It reports all
 * problems at once, including those of disabled schedules.
 */
final class ScheduleReader {

	private final JobTemplates templates;

	private final ConfigurableListableBeanFactory beanFactory;

	private final String group;

	private final PropertyProblems problems = new PropertyProblems();

	/**
	 * Creates a reader.
	 * @param templates creates the jobs
	 * @param beanFactory has the beans of the jobs
	 * @param group the group of the schedules
	 */
	ScheduleReader(JobTemplates templates, ConfigurableListableBeanFactory beanFactory, String group) {
		this.templates = templates;
		this.beanFactory = beanFactory;
		this.group = group;
	}

	/**
	 * Creates the schedule definitions.
	 * @param configured the properties, by schedule name
	 * @throws InvalidLocketConfigurationException if a schedule is invalid
	 */
	List<ScheduleDefinition> read(Map<String, ScheduleProperties> configured) {
		List<ScheduleDefinition> definitions = new ArrayList<>();
		if (configured.size() > ScheduleStore.MOST) {
			this.problems.add("locket.schedules", configured.size() + " schedules", "are too many.",
					"Write " + ScheduleStore.MOST + " at most.");
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
			this.problems.addMissing(key(name, ""), "has neither a cron expression nor an interval.",
					"Write either cron, such as '0 30 3 * * *', or every, such as 1h.");
			return false;
		}
		boolean works = true;
		if (cron != null && every != null) {
			works = refuse(name, ".every", every, "is set beside cron.", "Remove one of the two.");
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
			return refuse(name, ".cron", "'-'", "is not a cron expression.",
					"Write an expression, and enabled: false to disable the schedule.");
		}
		String problem = ScheduleRules.problemOfCron(cron);
		return problem == null
				|| refuse(name, ".cron", quoted(cron), problem + ".", "Write " + ScheduleRules.CRON + ".");
	}

	/**
	 * Returns the time zone, or {@code null} if it is invalid.
	 */
	private @Nullable ZoneId zone(String name, ScheduleProperties schedule) {
		String zone = text(schedule.getZone());
		if (zone == null) {
			return ZoneId.systemDefault();
		}
		if (schedule.getEvery() != null && text(schedule.getCron()) == null) {
			refuse(name, ".zone", quoted(zone), "is set beside every, which needs no time zone.",
					"Remove the zone, or write cron.");
			return null;
		}
		try {
			return ZoneId.of(zone);
		}
		catch (DateTimeException ex) {
			List<String> near = ZoneNames.near(zone);
			refuse(name, ".zone", quoted(zone), "is not a known time zone.",
					near.isEmpty() ? "Write a zone such as Europe/Berlin or UTC."
							: "Write a zone such as " + String.join(" or ", near) + ".");
			return null;
		}
	}

	/**
	 * Returns the template of the job, or {@code null} if it is invalid.
	 */
	private @Nullable JobTemplate template(String name, ScheduleProperties schedule) {
		String queue = text(schedule.getQueue());
		if (queue != null && !QueueNames.isValid(queue)) {
			refuse(name, ".queue", quoted(queue), "is not a valid queue name.", "Write " + QueueNames.RULE + ".");
			queue = null;
		}
		String job = text(schedule.getJob());
		if (job == null) {
			this.problems.addMissing(key(name, ".job"), "is not set.",
					"Write the name or alias of a job of a bean in this application.");
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
					NearNames.suggestion(job, this.templates.names())
							+ "Write the name or alias of a job of a bean in this application.");
			return null;
		}
		if (AsyncMethods.contain(this.beanFactory, found.beanName(), found.method())) {
			refuse(name, ".job", quoted(job), AsyncMethods.REFUSAL + ".", AsyncMethods.ADVICE + ".");
			return null;
		}
		if (!checkTexts(name, schedule.getArgs(), parameterTypes(found))) {
			return null;
		}
		try {
			return this.templates.template(request);
		}
		catch (IllegalArgumentException ex) {
			String parameters = ParameterText.of(found.method());
			refuse(name, ".args", schedule.getArgs().isEmpty() ? "[]" : "[...]", "does not fit. " + sentence(ex),
					parameters.isEmpty() ? "Leave the arguments out."
							: "Write a list with an argument for each parameter, in their order: " + parameters + ".");
			return null;
		}
	}

	private static Class<?>[] parameterTypes(UniqueJobDefinition job) {
		return IntStream.range(0, job.method().getParameterCount())
			.mapToObj((i) -> ResolvableType.forMethodParameter(job.method(), i, job.beanType()).toClass())
			.toArray(Class<?>[]::new);
	}

	/**
	 * Checks that text parameters get text. A number or a boolean as read by YAML may
	 * differ from the written text.
	 */
	private boolean checkTexts(String name, List<Object> args, Class<?>[] types) {
		boolean works = true;
		for (int i = 0; i < Math.min(args.size(), types.length); i++) {
			if (types[i] == String.class && !(args.get(i) instanceof CharSequence)) {
				works = refuse(name, ".args[" + i + "]", "...",
						"is a number or a boolean as read by YAML, but the parameter is text.", "Put it in quotes.");
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
		return "'" + LineText.of(text) + "'";
	}

	/**
	 * Returns the trimmed text, or {@code null} if it is empty.
	 */
	private static @Nullable String text(@Nullable String value) {
		return StringUtils.hasText(value) ? value.trim() : null;
	}

}
