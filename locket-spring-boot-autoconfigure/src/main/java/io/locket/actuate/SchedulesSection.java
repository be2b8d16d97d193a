package io.locket.actuate;

import java.util.List;

import io.locket.JobKeyException;
import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.actuate.descriptor.ScheduleDescriptor;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.schedule.Schedules;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The section of the recurring jobs.
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
	public ResultDescriptor write(EndpointWrite write, String name, @Nullable String argument) {
		return switch (write) {
			case SCHEDULE_PAUSED -> done(name, this.schedules.pause(name), "PAUSED");
			case SCHEDULE_RESUMED -> done(name, this.schedules.resume(name), "RESUMED");
			case SCHEDULE_REMOVED -> done(name, this.schedules.remove(name), "REMOVED");
			case SCHEDULE_TRIGGERED -> trigger(name);
			default -> throw new IllegalStateException(write + " is not an operation on schedules");
		};
	}

	private static ResultDescriptor done(String name, boolean known, String result) {
		if (!known) {
			throw unknown(name);
		}
		return ResultDescriptor.of(result);
	}

	/**
	 * Enqueues the job of a schedule now. For invalid arguments, neither the message nor
	 * the cause has details, because these may show the arguments and a JMX client
	 * receives the whole chain.
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
			throw new IllegalArgumentException("The arguments of schedule '" + name
					+ "' do not fit the parameters of its job. Put the schedule again with other arguments");
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
