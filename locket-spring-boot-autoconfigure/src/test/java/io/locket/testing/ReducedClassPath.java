package io.locket.testing;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;

/**
 * Class path of the tests without some of its entries. Unlike a filter on one class
 * loader, it also hides classes from the code that refers to them.
 */
public final class ReducedClassPath {

	private final String removed;

	private ReducedClassPath(String removed) {
		this.removed = removed;
	}

	/**
	 * Returns the class path without some entries.
	 * @param removed a pattern of the paths to remove
	 * @return the class path
	 */
	public static ReducedClassPath without(String removed) {
		return new ReducedClassPath(removed);
	}

	/**
	 * Loads a class from this class path and calls a new instance of it. Its result
	 * should be of a type of the JDK.
	 * @param type the class, with a public constructor without parameters
	 * @return the result
	 * @throws Exception the failure of the call
	 */
	public Object call(Class<? extends Callable<?>> type) throws Exception {
		try (URLClassLoader classLoader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader())) {
			Thread thread = Thread.currentThread();
			ClassLoader previous = thread.getContextClassLoader();
			thread.setContextClassLoader(classLoader);
			try {
				return ((Callable<?>) classLoader.loadClass(type.getName()).getDeclaredConstructor().newInstance())
					.call();
			}
			finally {
				thread.setContextClassLoader(previous);
			}
		}
	}

	private URL[] urls() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.matches(this.removed))
			.map(Path::of)
			.map(Path::toUri)
			.map(ReducedClassPath::url)
			.toArray(URL[]::new);
	}

	private static URL url(URI uri) {
		try {
			return uri.toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

}
