package io.locket.key.canonical;

import java.io.File;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Text of scalars that Jackson would write in a lossy or machine-dependent way. A value
 * whose text does not represent its whole value is refused.
 */
final class ScalarText {

	private ScalarText() {
	}

	/**
	 * Returns the writer of a type that is written as a string, as a value or as the key
	 * of a map.
	 * @param type the type
	 * @return the writer, or {@code null} if it is not written as a string
	 */
	static @Nullable Function<Object, String> writer(Class<?> type) {
		if (CharSequence.class.isAssignableFrom(type) || File.class.isAssignableFrom(type)) {
			return Object::toString;
		}
		if (ByteBuffer.class.isAssignableFrom(type)) {
			return (value) -> ofBuffer((ByteBuffer) value);
		}
		if (Path.class.isAssignableFrom(type)) {
			return (value) -> ofPath((Path) value);
		}
		if (InetAddress.class.isAssignableFrom(type)) {
			return (value) -> ((InetAddress) value).getHostAddress();
		}
		if (InetSocketAddress.class.isAssignableFrom(type)) {
			return (value) -> ofSocketAddress((InetSocketAddress) value);
		}
		if (Locale.class.isAssignableFrom(type)) {
			return (value) -> ofLocale((Locale) value);
		}
		if (Pattern.class.isAssignableFrom(type)) {
			return (value) -> ofPattern((Pattern) value);
		}
		return TimeText.writer(type);
	}

	/**
	 * Writes the remaining content of a buffer like an array of bytes. The buffer does
	 * not change.
	 */
	private static String ofBuffer(ByteBuffer buffer) {
		byte[] bytes = new byte[buffer.remaining()];
		buffer.duplicate().get(bytes);
		return Base64.getEncoder().encodeToString(bytes);
	}

	/**
	 * Writes a path as it was given. It depends neither on the content of the file system
	 * nor on the working directory. The text of a path of another file system does not
	 * identify that file system.
	 */
	private static String ofPath(Path path) {
		return whole(path, path.toString(), path.getFileSystem().equals(FileSystems.getDefault()));
	}

	/**
	 * Writes the address and not the host name; of an unresolved address, the name.
	 */
	private static String ofSocketAddress(InetSocketAddress socket) {
		InetAddress address = socket.getAddress();
		String host = (address != null) ? address.getHostAddress() : socket.getHostString().toLowerCase(Locale.ROOT);
		return ((address instanceof Inet6Address) ? "[" + host + "]" : host) + ":" + socket.getPort();
	}

	private static String ofLocale(Locale locale) {
		String tag = locale.toLanguageTag();
		return whole(locale, tag, Locale.forLanguageTag(tag).equals(locale));
	}

	/**
	 * Writes a regular expression. It is refused if it has flags that its text does not
	 * contain.
	 */
	private static String ofPattern(Pattern pattern) {
		String expression = pattern.pattern();
		boolean whole = (pattern.flags() & Pattern.LITERAL) == 0
				&& Pattern.compile(expression).flags() == pattern.flags();
		return whole(pattern, expression, whole);
	}

	/**
	 * Returns a text if it represents a whole value.
	 * @param value the value
	 * @param text its text
	 * @param whole whether the text represents the whole value
	 * @return the text
	 */
	static String whole(Object value, String text, boolean whole) {
		if (!whole) {
			throw CanonicalJsonException.lossy(value.getClass());
		}
		return text;
	}

}
