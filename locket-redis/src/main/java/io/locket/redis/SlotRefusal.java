package io.locket.redis;

import java.util.List;

import io.locket.lease.heartbeat.BatchRefusedException;

import org.springframework.core.NestedExceptionUtils;

/**
 * Detection of errors by which a Redis Cluster temporarily refuses a command, because the
 * slot of its keys moves to another node or no node serves it. Such a command has changed
 * nothing and may be repeated.
 */
public final class SlotRefusal {

	/**
	 * Errors of a moving slot, whose keys are on two nodes.
	 */
	private static final List<String> MOVING = List.of("TRYAGAIN ", "ASK ");

	private static final List<String> UNSERVED = List.of("CLUSTERDOWN ", "MOVED ");

	/**
	 * Errors of a script that is already running when it accesses such a key. Since
	 * version 7.2, Redis has the second one for a command with several keys.
	 */
	private static final List<String> IN_SCRIPT = List.of("attempted to access a non local key in a cluster node",
			"undeclared keys were accessed during rehashing of the slot");

	private SlotRefusal() {
	}

	/**
	 * Returns whether a failure is a temporary refusal.
	 * @param failure the failure, as Spring Data or the driver throws it
	 * @return whether the command changed nothing and may be repeated
	 */
	public static boolean isCause(Throwable failure) {
		String message = message(failure);
		return isOfMovingSlot(message) || UNSERVED.stream().anyMatch(message::startsWith);
	}

	/**
	 * Returns whether a failure is the refusal of a moving slot. A command for fewer keys
	 * may be served.
	 * @param failure the failure, as Spring Data or the driver throws it
	 * @return {@code true} if the slot moves
	 */
	public static boolean isOfMovingSlot(Throwable failure) {
		return isOfMovingSlot(message(failure));
	}

	/**
	 * Translates the refusal of several leases by a moving slot.
	 * @param failure the failure, as Spring Data, the driver or the queue throws it
	 * @return a {@link BatchRefusedException}, or the failure itself
	 */
	public static RuntimeException ofBatch(RuntimeException failure) {
		return isOfMovingSlot(failure) ? new BatchRefusedException(failure) : failure;
	}

	private static boolean isOfMovingSlot(String message) {
		return MOVING.stream().anyMatch(message::startsWith) || IN_SCRIPT.stream().anyMatch(message::contains);
	}

	private static String message(Throwable failure) {
		String message = NestedExceptionUtils.getMostSpecificCause(failure).getMessage();
		return (message != null) ? message : "";
	}

}
