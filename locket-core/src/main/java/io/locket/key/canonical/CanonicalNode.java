package io.locket.key.canonical;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Array, set or object that is being written, with the canonical texts of its content.
 */
final class CanonicalNode {

	private final @Nullable CanonicalNode parent;

	private final @Nullable Map<String, String> properties;

	private final List<String> elements = new ArrayList<>();

	private final boolean set;

	private @Nullable String name;

	private CanonicalNode(@Nullable CanonicalNode parent, @Nullable Map<String, String> properties, boolean set) {
		this.parent = parent;
		this.properties = properties;
		this.set = set;
	}

	static CanonicalNode array(@Nullable CanonicalNode parent, boolean set) {
		return new CanonicalNode(parent, null, set);
	}

	static CanonicalNode object(@Nullable CanonicalNode parent) {
		return new CanonicalNode(parent, new TreeMap<>(), false);
	}

	@Nullable CanonicalNode parent() {
		return this.parent;
	}

	boolean isEmpty() {
		return (this.properties != null) ? this.properties.isEmpty() : this.elements.isEmpty();
	}

	void name(String name) {
		this.name = name;
	}

	void add(String text) {
		if (this.properties == null) {
			this.elements.add(text);
			return;
		}
		if (this.name == null) {
			throw new CanonicalJsonException("its serializer wrote a value without a name");
		}
		if (this.properties.putIfAbsent(this.name, text) != null) {
			throw new CanonicalJsonException("two keys of a map in it, or two properties, are written alike");
		}
		this.name = null;
	}

	/**
	 * Returns the canonical text. Names are sorted by UTF-16 code units, and so are the
	 * texts of a set's elements.
	 * @return canonical JSON
	 */
	String text() {
		if (this.properties == null) {
			if (this.set) {
				Collections.sort(this.elements);
			}
			return "[" + String.join(",", this.elements) + "]";
		}
		StringBuilder text = new StringBuilder("{");
		this.properties.forEach((name, value) -> text.append((text.length() > 1) ? "," : "")
			.append(CanonicalText.ofString(name))
			.append(':')
			.append(value));
		return text.append('}').toString();
	}

}
