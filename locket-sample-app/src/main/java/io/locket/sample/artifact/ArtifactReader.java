package io.locket.sample.artifact;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Reader of artifacts, each in one pass. Thread-safe.
 */
@Component
public class ArtifactReader {

	private static final List<String> VERSION_ATTRIBUTES = List.of(Attributes.Name.IMPLEMENTATION_VERSION.toString(),
			"Bundle-Version");

	private final Clock clock = Clock.systemUTC();

	/**
	 * Reads an artifact.
	 * @param artifact the artifact
	 * @return the report
	 * @throws IOException if it cannot be read
	 */
	public ArtifactReport read(Artifact artifact) throws IOException {
		return switch (artifact.kind()) {
			case MODULE -> readModule(artifact);
			case JAR -> {
				try (InputStream content = Files.newInputStream(artifact.file())) {
					yield readJar(artifact, content);
				}
			}
			case NESTED -> {
				try (ZipFile outer = new ZipFile(artifact.file().toFile())) {
					ZipEntry entry = outer.getEntry(artifact.entry());
					if (entry == null) {
						throw new IOException(artifact.location() + " no longer exists");
					}
					try (InputStream content = outer.getInputStream(entry)) {
						yield readJar(artifact, content);
					}
				}
			}
		};
	}

	private ArtifactReport readModule(Artifact artifact) throws IOException {
		MessageDigest digest = sha256();
		ClassCount count = new ClassCount();
		long size = 0;
		Path directory = artifact.file();
		List<Path> files;
		try (Stream<Path> walk = Files.walk(directory)) {
			files = walk.filter(Files::isRegularFile).sorted().toList();
		}
		for (Path file : files) {
			String name = directory.relativize(file).toString();
			byte[] content = Files.readAllBytes(file);
			digest.update(name.getBytes(StandardCharsets.UTF_8));
			digest.update(content);
			size += content.length;
			count.add(name);
		}
		String version = ModuleFinder.ofSystem()
			.find(artifact.name())
			.flatMap((module) -> module.descriptor().rawVersion())
			.orElse(null);
		return report(artifact, version, digest, size, count);
	}

	private ArtifactReport readJar(Artifact artifact, InputStream content) throws IOException {
		MessageDigest digest = sha256();
		CountingStream counted = new CountingStream(new DigestInputStream(content, digest));
		ClassCount count = new ClassCount();
		String version = null;
		// Not closed, because it reads ahead and the bytes after its last entry count,
		// too.
		ZipInputStream zip = new ZipInputStream(counted);
		int entries = 0;
		for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
			entries++;
			count.add(entry.getName());
			if (JarFile.MANIFEST_NAME.equalsIgnoreCase(entry.getName())) {
				version = version(new Manifest(zip));
			}
		}
		if (entries == 0) {
			throw new ZipException(artifact.location() + " is not a jar");
		}
		counted.transferTo(OutputStream.nullOutputStream());
		return report(artifact, version, digest, counted.count, count);
	}

	private static @Nullable String version(Manifest manifest) {
		return VERSION_ATTRIBUTES.stream()
			.map((name) -> manifest.getMainAttributes().getValue(name))
			.filter((value) -> value != null && !value.isBlank())
			.findFirst()
			.orElse(null);
	}

	private ArtifactReport report(Artifact artifact, @Nullable String version, MessageDigest digest, long size,
			ClassCount count) {
		return new ArtifactReport(artifact.id(), artifact.name(), artifact.kind(), artifact.location(), version,
				HexFormat.of().formatHex(digest.digest()), size, count.classes(), count.packages(),
				this.clock.instant());
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/**
	 * Stream that counts the bytes that are read.
	 */
	private static final class CountingStream extends FilterInputStream {

		private long count;

		CountingStream(InputStream in) {
			super(in);
		}

		@Override
		public int read() throws IOException {
			int value = super.read();
			this.count += (value >= 0) ? 1 : 0;
			return value;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			int read = super.read(bytes, offset, length);
			this.count += Math.max(0, read);
			return read;
		}

	}

}
