package io.locket.sample.artifact;

import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Something that can be inventoried. It is an argument of a queued job: JSON can say all
 * of it.
 *
 * @param id what it is known by: unique within one inventory, the same on each replica
 * @param kind what it is
 * @param path where it is, or where the jar is that it is nested in, from the root
 * @param entry the name of its entry if it is nested in a jar, else {@code null}
 */
public record Artifact(String id, Kind kind, String path, @Nullable String entry) {

	/**
	 * Return the short name, for people.
	 * @return the module name or the file name
	 */
	public String name() {
		return this.id.substring(Math.max(this.id.lastIndexOf('/'), this.id.lastIndexOf(':')) + 1);
	}

	/**
	 * Return what to read: the module's directory or the jar, also the outer one.
	 * @return the path
	 */
	Path file() {
		return (this.kind == Kind.MODULE) ? FileSystems.getFileSystem(URI.create("jrt:/")).getPath(this.path)
				: Path.of(this.path);
	}

	/**
	 * Return where it is.
	 * @return the path, and the entry if it is nested
	 */
	public String location() {
		return (this.entry != null) ? this.path + "!/" + this.entry : this.path;
	}

	/**
	 * What an artifact is.
	 */
	public enum Kind {

		/**
		 * A module of the running JDK.
		 */
		MODULE,

		/**
		 * A jar file.
		 */
		JAR,

		/**
		 * A jar inside a fat jar.
		 */
		NESTED

	}

}
