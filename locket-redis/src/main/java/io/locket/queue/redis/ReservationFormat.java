package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.lease.redis.HolderText;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.redis.format.RecordFormat.StoredJob;
import io.locket.queue.redis.format.RunTokens;
import io.locket.queue.redis.turn.PlainRun;
import io.locket.queue.redis.turn.PlainRuns;
import io.locket.queue.redis.turn.TurnReply;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of the requests of the scripts that hand out jobs, and decoder of their
 * replies.
 */
final class ReservationFormat {

	private final RecordFormat format = new RecordFormat();

	private final PlainRuns runs;

	private final List<String> limits;

	/**
	 * Creates a format.
	 * @param runs receives the runs of the jobs that are handed out
	 * @param settings the settings of the scripts
	 */
	ReservationFormat(PlainRuns runs, QueueSettings settings) {
		this.runs = runs;
		this.limits = settings.limits();
	}

	/**
	 * Adds the limits (see {@code read_limits} in {@code reservation.lua}) and a request
	 * (see {@code read_request} there) to the arguments.
	 * @param request the request, or {@code null} for none
	 * @param repeated whether it may have been sent before
	 * @param arguments the arguments
	 */
	void add(@Nullable ReservationRequest request, boolean repeated, List<Object> arguments) {
		arguments.addAll(this.limits);
		addRequest(request, repeated, arguments);
	}

	private static void addRequest(@Nullable ReservationRequest request, boolean repeated, List<Object> arguments) {
		if (request == null) {
			arguments.add("");
			return;
		}
		arguments.add(request.id());
		arguments.add("w:" + request.poller());
		arguments.add(request.instance());
		arguments.add(request.thread());
		arguments.add(repeated ? "1" : "");
		arguments.add(Integer.toString(request.slots()));
		arguments.add(Integer.toString(request.queues().size()));
		for (QueueLimit queue : request.queues()) {
			arguments.add(queue.queue());
			arguments.add(Integer.toString(queue.maxRunning()));
		}
		arguments.add(Integer.toString(request.leavesOut().size()));
		arguments.addAll(request.leavesOut());
	}

	Reservation read(BinaryReply reply) {
		List<ReservedJob> jobs = jobs(reply.reply(0), conflicts(reply.reply(1)));
		BinaryReply queues = reply.reply(3);
		Set<String> idle = new LinkedHashSet<>();
		for (int i = 0; i < queues.size(); i++) {
			idle.add(queues.text(i));
		}
		return new Reservation(jobs, reply.number(2) == 1, idle, millis(reply, 4));
	}

	/**
	 * Reads the reply of {@code turn.lua} or {@code handover.lua} to a turn.
	 * @param reply the reply
	 * @return the reservation
	 */
	Reservation readPlain(TurnReply reply) {
		return new Reservation(jobs(reply.jobs(), Map.of()), reply.isCutShort(), reply.idle(), reply.next());
	}

	private static Map<Integer, BinaryReply> conflicts(BinaryReply parts) {
		Map<Integer, BinaryReply> conflicts = new HashMap<>();
		for (int i = 0; i < parts.size(); i += 4) {
			conflicts.put((int) parts.number(i), parts.from(i + 1));
		}
		return conflicts;
	}

	/**
	 * Reads the jobs that were handed out.
	 * @param handed id and record of each
	 * @param conflicts the conflicts by the index of their job
	 */
	private List<ReservedJob> jobs(BinaryReply handed, Map<Integer, BinaryReply> conflicts) {
		List<ReservedJob> jobs = new ArrayList<>(handed.size() / 2);
		PlainRun last = null;
		for (int i = 0; i < handed.size(); i += 2) {
			byte[] bytes = handed.bytes(i + 1);
			StoredJob stored = this.format.readStored(handed.text(i), bytes);
			ReservedJob job = job(stored, conflicts.get(i / 2));
			PlainRun run = PlainRun.of(job.token(), stored, bytes, (last != null) ? last.begin() : null);
			if (run != null) {
				this.runs.add(run);
				last = run;
			}
			jobs.add(job);
		}
		return jobs;
	}

	private static ReservedJob job(StoredJob stored, @Nullable BinaryReply conflict) {
		return new ReservedJob(stored.record(), RunTokens.token(stored.record().id(), stored.nonce()), stored.fence(),
				stored.keyLease(), (conflict != null) ? HolderText.read(conflict.text(1), conflict.text(0)) : null,
				(conflict != null) ? millis(conflict, 2) : null);
	}

	private static @Nullable Duration millis(BinaryReply reply, int index) {
		return reply.text(index).isEmpty() ? null : Duration.ofMillis(Math.max(0, reply.number(index)));
	}

}
