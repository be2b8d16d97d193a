package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.locket.queue.UnreadableRecord;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.redis.format.ReplyNumbers;

/**
 * Access to the records in Redis that this version cannot read and that are set aside.
 * Thread-safe.
 */
final class UnreadableRecords {

	private final QueueCommands commands;

	UnreadableRecords(QueueCommands commands) {
		this.commands = commands;
	}

	List<UnreadableRecord> list(int limit) {
		List<Object> reply = this.commands.run("list records that cannot be read", QueueScript.UNREADABLE,
				List.of("list", Integer.toString(limit)));
		List<UnreadableRecord> records = new ArrayList<>();
		for (int i = 0; i < reply.size(); i += 4) {
			String id = reply.get(i).toString();
			String version = reply.get(i + 1).toString();
			String queue = reply.get(i + 2).toString();
			records.add(new UnreadableRecord(id, version.isEmpty() ? null : Integer.valueOf(version),
					queue.isEmpty() ? null : queue, RecordFormat.knownState(reply.get(i + 3).toString()), text(id)));
		}
		return records;
	}

	private String text(String id) {
		byte[] record = this.commands.field("read the record of " + id, this.commands.keys().jobs(), id);
		return (record != null) ? new String(record, StandardCharsets.UTF_8) : "";
	}

	boolean discard(String id) {
		// A repeated call finds nothing, so it would return that there is no such record.
		List<Object> reply = this.commands.runOnce("discard the record of " + id, QueueScript.UNREADABLE,
				List.of("discard", id));
		return ReplyNumbers.number(reply.get(0)) == 1;
	}

}
