package io.locket.sample.artifact;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;

/**
 * Catalog of the artifacts of this machine: the jars of a directory, or the modules of
 * the running JDK and the jars of this application. Jars inside a fat jar are artifacts,
 * too.
 */
@Component
public class ArtifactCatalog {

	private static final String NESTED = "BOOT-INF/lib/";

	private final @Nullable Path directory;

	ArtifactCatalog(ArtifactProperties properties) {
		this.directory = StringUtils.hasText(properties.dir()) ? directory(properties.dir()) : null;
	}

	private static Path directory(String dir) {
		try {
			Path directory = Path.of(dir);
			if (!Files.isDirectory(directory)) {
				throw new InventoryDirectoryException(dir,
						Files.exists(directory) ? "is not a directory" : "does not exist");
			}
			return directory;
		}
		catch (InvalidPathException ex) {
			throw new InventoryDirectoryException(dir, "is not a path: " + ex.getReason());
		}
	}

	/**
	 * Returns the current artifacts.
	 * @return the artifacts
	 * @throws IOException if a directory or a jar cannot be read
	 */
	public List<Artifact> artifacts() throws IOException {
		List<Artifact> artifacts = new ArrayList<>();
		if (this.directory != null) {
			addDirectory(artifacts, this.directory);
		}
		else {
			addModules(artifacts);
			addClassPath(artifacts);
		}
		return artifacts;
	}

	private void addModules(List<Artifact> artifacts) throws IOException {
		try (Stream<Path> modules = Files.list(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules"))) {
			for (Path module : modules.sorted().toList()) {
				artifacts
					.add(new Artifact("jrt:" + module.getFileName(), Artifact.Kind.MODULE, module.toString(), null));
			}
		}
	}

	private void addClassPath(List<Artifact> artifacts) throws IOException {
		List<Path> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter(ArtifactCatalog::isJar)
			.distinct()
			.toList();
		for (Path jar : jars) {
			addJar(artifacts, "jar:" + jar, jar);
		}
	}

	private void addDirectory(List<Artifact> artifacts, Path directory) throws IOException {
		List<Path> jars;
		try (Stream<Path> files = Files.walk(directory)) {
			jars = files.filter(ArtifactCatalog::isJar).sorted().toList();
		}
		for (Path jar : jars) {
			addJar(artifacts, "file:" + directory.relativize(jar).toString().replace(File.separatorChar, '/'), jar);
		}
	}

	private void addJar(List<Artifact> artifacts, String id, Path path) throws IOException {
		String location = path.toAbsolutePath().toString();
		artifacts.add(new Artifact(id, Artifact.Kind.JAR, location, null));
		try (ZipFile zip = new ZipFile(path.toFile())) {
			zip.stream()
				.map((entry) -> entry.getName())
				.filter((name) -> name.startsWith(NESTED) && name.endsWith(".jar"))
				.forEach((name) -> artifacts.add(new Artifact(id + "!/" + name, Artifact.Kind.NESTED, location, name)));
		}
		catch (ZipException ex) {
			// A file that is not a jar is an artifact whose inspection fails.
			return;
		}
	}

	private static boolean isJar(Path path) {
		return path.toString().endsWith(".jar") && Files.isRegularFile(path);
	}

}
