package io.locket.sample.artifact;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Counter of the classes of an artifact and their packages. Module and package
 * descriptors and the variants of a multi-release jar do not count.
 */
final class ClassCount {

	private static final String SUFFIX = ".class";

	private static final String FAT_JAR_CLASSES = "BOOT-INF/classes/";

	private int classes;

	private final Set<String> packages = new TreeSet<>();

	/**
	 * Adds a file.
	 * @param file its path in the artifact, with slashes
	 */
	void add(String file) {
		String path = file.startsWith(FAT_JAR_CLASSES) ? file.substring(FAT_JAR_CLASSES.length()) : file;
		if (!path.endsWith(SUFFIX) || path.startsWith("META-INF/") || path.equals("module-info.class")) {
			return;
		}
		this.classes++;
		int end = path.lastIndexOf('/');
		if (end > 0) {
			this.packages.add(path.substring(0, end).replace('/', '.'));
		}
	}

	int classes() {
		return this.classes;
	}

	List<String> packages() {
		return List.copyOf(this.packages);
	}

}
