package io.locket.actuate;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Write operations of the endpoint. The name of a constant is part of the type of its
 * audit events.
 */
enum EndpointWrite {

	QUEUE_PAUSED(QueuesSection.PATH, "queue", "pause", false, "create"),

	QUEUE_RESUMED(QueuesSection.PATH, "queue", "resume", false),

	QUEUE_REMOVED(QueuesSection.PATH, "queue", "remove", true),

	JOB_CANCELLED(JobsSection.PATH, "job", "cancel", false),

	JOB_REQUEUED(JobsSection.PATH, "job", "requeue", false),

	JOB_RUN_NOW(JobsSection.PATH, "job", "run-now", false),

	JOB_DISMISSED(JobsSection.PATH, "job", "dismiss", false),

	JOB_MOVED(JobsSection.PATH, "job", "move", false, "queue"),

	JOB_RESCHEDULED(JobsSection.PATH, "job", "reschedule", false, "at"),

	LEASE_RELEASED(LeasesSection.PATH, "lease", "release", true),

	SCHEDULE_PAUSED(SchedulesSection.PATH, "schedule", "pause", false),

	SCHEDULE_RESUMED(SchedulesSection.PATH, "schedule", "resume", false),

	SCHEDULE_TRIGGERED(SchedulesSection.PATH, "schedule", "trigger", false),

	SCHEDULE_REMOVED(SchedulesSection.PATH, "schedule", "remove", true),

	WORKER_QUIETED(WorkersSection.PATH, "worker", "quiet", false),

	WORKER_RESUMED(WorkersSection.PATH, "worker", "resume", false),

	VIOLATIONS_REPAIRED(ViolationsSection.PATH, "violation", "repair", false);

	private final String section;

	private final String subject;

	private final String action;

	private final boolean deletes;

	private final @Nullable String argument;

	EndpointWrite(String section, String subject, String action, boolean deletes) {
		this(section, subject, action, deletes, null);
	}

	EndpointWrite(String section, String subject, String action, boolean deletes, @Nullable String argument) {
		this.argument = argument;
		this.section = section;
		this.subject = subject;
		this.action = action;
		this.deletes = deletes;
	}

	String section() {
		return this.section;
	}

	/**
	 * Returns the kind of entry that the operation changes, in the singular.
	 */
	String subject() {
		return this.subject;
	}

	String action() {
		return this.action;
	}

	/**
	 * Returns the name of the operation's parameter, or {@code null}.
	 */
	@Nullable String argument() {
		return this.argument;
	}

	/**
	 * Returns the type of the audit event after success.
	 */
	String auditType() {
		return "LOCKET_" + name();
	}

	/**
	 * Returns the type of the audit event of a write to many.
	 */
	String batchAuditType() {
		return auditType().replace("_JOB_", "_JOBS_");
	}

	/**
	 * Returns the name of the parameter that a write to many needs, or {@code null}. A
	 * queue is among the filters then, so the target has a name of its own.
	 */
	@Nullable String batchArgument() {
		return "queue".equals(this.argument) ? "to" : this.argument;
	}

	/**
	 * Returns the operation of a POST request.
	 */
	static EndpointWrite ofAction(String section, String action) {
		return find(section, false, action).orElseThrow(() -> new UnknownEntryException(
				"'" + action + "' is not an operation below '" + section + "'" + actions(section)));
	}

	/**
	 * Returns the operation of a DELETE request.
	 */
	static EndpointWrite ofDeletion(String section) {
		return find(section, true, null)
			.orElseThrow(() -> new UnknownEntryException("Entries below '" + section + "' cannot be deleted"));
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
		return actions.isEmpty() ? "" : ". Write one of " + actions;
	}

}
