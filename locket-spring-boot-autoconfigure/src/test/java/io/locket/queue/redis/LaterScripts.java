package io.locket.queue.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;

/**
 * Scripts of the queue as a later version has them, which reads the next version of
 * records, and still writes this one.
 */
final class LaterScripts {

	private static final String VERSION = "local VERSION = 1\n";

	private LaterScripts() {
	}

	static QueueScripts load(Resource clock) {
		Map<String, Resource> files = new ConcurrentHashMap<>();
		return QueueScripts
			.load((name) -> name.equals("clock") ? clock : files.computeIfAbsent(name + ".lua", LaterFile::new));
	}

	/**
	 * File that includes such files.
	 */
	private static final class LaterFile extends ByteArrayResource {

		private final String name;

		LaterFile(String name) {
			super(later(name), name);
			this.name = name;
		}

		@Override
		public Resource createRelative(String name) {
			return new LaterFile(StringUtils.cleanPath(StringUtils.applyRelativePath(this.name, name)));
		}

		private static byte[] later(String name) {
			try {
				Resource file = QueueScripts.part(name.substring(0, name.length() - ".lua".length()));
				String lua = file.getContentAsString(StandardCharsets.UTF_8);
				if (name.equals("layout.lua") && !lua.contains(VERSION)) {
					throw new IllegalStateException("No version in " + lua);
				}
				return lua.replace(VERSION, "local VERSION = 2\n")
					.replace("WITHOUT_HEAD + VERSION", "WITHOUT_HEAD + 1")
					.replace("struct.pack(HEAD, VERSION,", "struct.pack(HEAD, 1,")
					.replace("struct.pack(RUN_RECORD, VERSION,", "struct.pack(RUN_RECORD, 1,")
					.getBytes(StandardCharsets.UTF_8);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
