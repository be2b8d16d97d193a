package io.locket.queue.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Files of scripts for tests: with a manual clock, and with segments of ready jobs that
 * are so small that a few jobs need several of them.
 */
final class ChangedFiles implements Function<String, Resource> {

	private static final Resource CLOCK = new ClassPathResource("manual-clock.lua", QueueFixture.class);

	private final Map<String, Resource> files = new ConcurrentHashMap<>();

	private final UnaryOperator<String> change;

	private ChangedFiles(UnaryOperator<String> change) {
		this.change = change;
	}

	static ChangedFiles manual() {
		return manual(UnaryOperator.identity());
	}

	/**
	 * Also changes the text of each file.
	 */
	static ChangedFiles manual(UnaryOperator<String> change) {
		return new ChangedFiles((lua) -> change.apply(lua.replace("local SEGMENT = 64\n", "local SEGMENT = 4\n")));
	}

	@Override
	public Resource apply(String name) {
		return name.equals("clock") ? CLOCK : this.files.computeIfAbsent(name + ".lua", ChangedFile::new);
	}

	private byte[] read(String name) {
		try {
			Resource file = new ClassPathResource(
					StringUtils.cleanPath(ClassUtils.addResourcePathToPackagePath(QueueScripts.class, name)));
			return this.change.apply(file.getContentAsString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * File that includes such files.
	 */
	private final class ChangedFile extends ByteArrayResource {

		private final String name;

		ChangedFile(String name) {
			super(ChangedFiles.this.read(name), name);
			this.name = name;
		}

		@Override
		public Resource createRelative(String name) {
			return new ChangedFile(StringUtils.cleanPath(StringUtils.applyRelativePath(this.name, name)));
		}

	}

}
