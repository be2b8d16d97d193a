package io.locket.actuate;

import java.util.List;

import io.locket.JobKeyException;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.schedule.Schedules;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The recurring jobs.
 */
final class SchedulesSection implements EndpointSection {

	static final String PATH = "schedules";

	private static final Log logger = LogFactory.getLog(SchedulesSection.class);

	private final Schedules schedules;

	SchedulesSection(Schedules schedules) {
		this.schedules = schedules;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public SchedulesDescriptor list(ListQuery query, ArgumentMask mask) {
		return new SchedulesDescriptor(
				this.schedules.list().stream().map((schedule) -> ScheduleDescriptor.of(schedule, mask)).toList());
	}

	@Override
	public ScheduleDescriptor entry(String name, ListQuery query, ArgumentMask mask) {
		return this.schedules.get(name)
			.map((schedule) -> ScheduleDescriptor.of(schedule, mask))
			.orElseThrow(() -> unknown(name));
	}

	@Override
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String queue) {
		return switch (write) {
			case SCHEDULE_PAUSED -> done(name, this.schedules.pause(name), "PAUSED");
			case SCHEDULE_RESUMED -> done(name, this.schedules.resume(name), "RESUMED");
			case SCHEDULE_REMOVED -> done(name, this.schedules.remove(name), "REMOVED");
			case SCHEDULE_TRIGGERED -> trigger(name);
			default -> throw new IllegalStateException(write + " is nothing that is done to schedules");
		};
	}

	private static ResultDescriptor done(String name, boolean known, String result) {
		if (!known) {
			throw unknown(name);
		}
		return ResultDescriptor.of(result);
	}

	/**
	 * What is wrong with arguments is not said, not by a cause either, since it may show
	 * them, and a JMX client gets the whole chain.
	 */
	private ResultDescriptor trigger(String name) {
		if (this.schedules.get(name).isEmpty()) {
			throw unknown(name);
		}
		try {
			return ResultDescriptor.of(this.schedules.triggerNow(name));
		}
		catch (UnreadableArgumentsException | JobKeyException ex) {
			logger.debug("Schedule '" + name + "' cannot be triggered: " + ex.getClass().getName());
			throw new IllegalArgumentException("The job of schedule '" + name
					+ "' does not take the arguments of the schedule: put the schedule with others");
		}
	}

	private static UnknownEntryException unknown(String name) {
		return new UnknownEntryException("There is no schedule '" + name + "'");
	}

	/**
	 * All schedules.
	 *
	 * @param schedules the schedules, by name
	 */
	public record SchedulesDescriptor(List<ScheduleDescriptor> schedules) implements OperationResponseBody {

	}

}
