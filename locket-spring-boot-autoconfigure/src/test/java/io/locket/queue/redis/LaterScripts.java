package io.locket.queue.redis;

/**
 * Scripts of the queue as a later version has them, which reads the next version of
 * records, and still writes this one.
 */
final class LaterScripts {

	private static final String VERSION = "local VERSION = 1\n";

	private LaterScripts() {
	}

	static QueueScripts load() {
		return QueueScripts.load(ChangedFiles.manual(LaterScripts::later));
	}

	private static String later(String lua) {
		return lua.replace(VERSION, "local VERSION = 2\n")
			.replace("WITHOUT_HEAD + VERSION", "WITHOUT_HEAD + 1")
			.replace("struct.pack(HEAD, VERSION,", "struct.pack(HEAD, 1,")
			.replace("struct.pack(RUN_RECORD, VERSION,", "struct.pack(RUN_RECORD, 1,");
	}

}
