package io.locket.sample.artifact;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.jspecify.annotations.Nullable;

/**
 * Small jars for tests.
 */
public final class TestJars {

	private TestJars() {
	}

	/**
	 * Writes a directory of jars: {@code one.jar} with version 1.0, {@code sub/two.jar}
	 * with a bundle version, {@code fat.jar} with {@code inner.jar} inside. Package
	 * {@code shared} is in one and two.
	 * @param directory the directory
	 */
	public static void write(Path directory) {
		try {
			Files.createDirectories(directory.resolve("sub"));
			Files.write(directory.resolve("one.jar"),
					jar("Implementation-Version: 1.0", "shared/A.class", "a/b/C.class", "module-info.class"));
			Files.write(directory.resolve("sub/two.jar"),
					jar("Bundle-Version: 2.0.0.b7", "shared/B.class", "META-INF/versions/17/shared/B.class"));
			Map<String, byte[]> fat = new LinkedHashMap<>();
			fat.put("BOOT-INF/classes/app/Main.class", new byte[] { 1 });
			fat.put("BOOT-INF/lib/inner.jar", jar(null, "inner/I.class"));
			Files.write(directory.resolve("fat.jar"), zip(fat));
			Files.writeString(directory.resolve("readme.txt"), "no jar");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] jar(@Nullable String attribute, String... files) throws IOException {
		Map<String, byte[]> entries = new LinkedHashMap<>();
		for (String file : files) {
			entries.put(file, file.getBytes());
		}
		if (attribute != null) {
			entries.put("META-INF/MANIFEST.MF", ("Manifest-Version: 1.0\n" + attribute + "\n").getBytes());
		}
		return zip(entries);
	}

	private static byte[] zip(Map<String, byte[]> entries) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
			for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
				zip.putNextEntry(new ZipEntry(entry.getKey()));
				zip.write(entry.getValue());
			}
		}
		return bytes.toByteArray();
	}

}
