package io.locket.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.util.Assert;
import org.springframework.util.DigestUtils;
import org.springframework.util.StreamUtils;

/**
 * The files of the page, except the page itself. All of them are read once. Immutable.
 */
public final class DashboardFiles {

	private static final MediaType SCRIPT = new MediaType("text", "javascript", StandardCharsets.UTF_8);

	private static final MediaType STYLE = new MediaType("text", "css", StandardCharsets.UTF_8);

	private static final MediaType IMAGE = MediaType.parseMediaType("image/svg+xml");

	private final Map<String, DashboardFile> files = new LinkedHashMap<>();

	/**
	 * Create the files from the class path.
	 */
	public DashboardFiles() {
		add("library/", "preact.umd.js", SCRIPT);
		add("library/", "hooks.umd.js", SCRIPT);
		for (String script : new String[] { "app", "api", "actions", "address", "dialog", "elements", "execution",
				"focus", "format", "job", "jobs", "leases", "overview", "parked", "queues", "schedules", "state",
				"verdict", "violations", "workers" }) {
			add("", script + ".js", SCRIPT);
		}
		add("", "style.css", STYLE);
		add("", "icon.svg", IMAGE);
	}

	private void add(String directory, String name, MediaType type) {
		byte[] content = read(directory + name);
		this.files.put(name, new DashboardFile(new ByteArrayResource(content), type,
				'"' + DigestUtils.md5DigestAsHex(content) + '"'));
	}

	/**
	 * Returns the names of the files, without directories.
	 */
	Set<String> names() {
		return Collections.unmodifiableSet(this.files.keySet());
	}

	/**
	 * Returns a file.
	 * @param name one of the {@linkplain #names() names}
	 */
	DashboardFile get(String name) {
		DashboardFile file = this.files.get(name);
		Assert.notNull(file, () -> "The page has no file '" + name + "'");
		return file;
	}

	static byte[] read(String name) {
		try {
			return StreamUtils.copyToByteArray(new ClassPathResource(name, DashboardFiles.class).getInputStream());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
