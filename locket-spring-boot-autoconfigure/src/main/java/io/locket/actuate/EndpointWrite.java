package io.locket.actuate;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * What the endpoint changes. The name of a constant is what audit events say was done.
 */
enum EndpointWrite {

	QUEUE_PAUSED(QueuesSection.PATH, "queue", "pause", false),

	QUEUE_RESUMED(QueuesSection.PATH, "queue", "resume", false),

	QUEUE_REMOVED(QueuesSection.PATH, "queue", "remove", true),

	JOB_CANCELLED(JobsSection.PATH, "job", "cancel", false),

	JOB_PUT_BACK(JobsSection.PATH, "job", "put-back", false),

	JOB_RUN_NOW(JobsSection.PATH, "job", "run-now", false),

	JOB_DISMISSED(JobsSection.PATH, "job", "dismiss", false),

	JOB_MOVED(JobsSection.PATH, "job", "move", false),

	LEASE_RELEASED(LeasesSection.PATH, "lease", "release", true),

	SCHEDULE_PAUSED(SchedulesSection.PATH, "schedule", "pause", false),

	SCHEDULE_RESUMED(SchedulesSection.PATH, "schedule", "resume", false),

	SCHEDULE_TRIGGERED(SchedulesSection.PATH, "schedule", "trigger", false),

	SCHEDULE_REMOVED(SchedulesSection.PATH, "schedule", "remove", true);

	private final String section;

	private final String subject;

	private final String action;

	private final boolean deletes;

	EndpointWrite(String section, String subject, String action, boolean deletes) {
		this.section = section;
		this.subject = subject;
		this.action = action;
		this.deletes = deletes;
	}

	String section() {
		return this.section;
	}

	/**
	 * Return what it is done to, in the singular.
	 */
	String subject() {
		return this.subject;
	}

	String action() {
		return this.action;
	}

	/**
	 * Return the type of the audit event that tells that it was done.
	 */
	String auditType() {
		return "LOCKET_" + name();
	}

	/**
	 * Find what a POST request asks for.
	 */
	static EndpointWrite ofAction(String section, String action) {
		return find(section, false, action).orElseThrow(() -> new UnknownEntryException(
				"'" + action + "' is nothing that can be done below '" + section + "'" + actions(section)));
	}

	/**
	 * Find what a DELETE request asks for.
	 */
	static EndpointWrite ofDeletion(String section) {
		return find(section, true, null)
			.orElseThrow(() -> new UnknownEntryException("Nothing below '" + section + "' can be deleted"));
	}

	private static Optional<EndpointWrite> find(String section, boolean deletes, @Nullable String action) {
		return Arrays.stream(values())
			.filter((write) -> write.section.equals(section) && write.deletes == deletes
					&& (action == null || write.action.equals(action)))
			.findFirst();
	}

	private static String actions(String section) {
		String actions = Arrays.stream(values())
			.filter((write) -> write.section.equals(section) && !write.deletes)
			.map(EndpointWrite::action)
			.collect(Collectors.joining(", "));
		return actions.isEmpty() ? "" : ": write one of " + actions;
	}

}
