package io.locket.sample.artifact;

import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * An artifact. It is an argument of a queued job, so all of it can be written as JSON.
 *
 * @param id its id, unique within one inventory and the same on each replica
 * @param kind its kind
 * @param path its path, or the path of the outermost jar for a nested one
 * @param entry the name of its entry if it is nested in a jar, else {@code null}
 */
public record Artifact(String id, Kind kind, String path, @Nullable String entry) {

	/**
	 * Returns the short name for display.
	 * @return the module name or the file name
	 */
	public String name() {
		return this.id.substring(Math.max(this.id.lastIndexOf('/'), this.id.lastIndexOf(':')) + 1);
	}

	/**
	 * Returns the file to read: the module's directory or the jar, for a nested jar the
	 * outer one.
	 * @return the path
	 */
	Path file() {
		return (this.kind == Kind.MODULE) ? FileSystems.getFileSystem(URI.create("jrt:/")).getPath(this.path)
				: Path.of(this.path);
	}

	/**
	 * Returns the location.
	 * @return the path, and the entry if it is nested
	 */
	public String location() {
		return (this.entry != null) ? this.path + "!/" + this.entry : this.path;
	}

	/**
	 * Kinds of artifacts.
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
