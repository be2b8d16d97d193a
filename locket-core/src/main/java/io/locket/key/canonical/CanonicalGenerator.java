package io.locket.key.canonical;

import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.Base64Variant;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TreeNode;
import tools.jackson.core.Version;
import tools.jackson.core.util.SimpleStreamWriteContext;
import tools.jackson.databind.json.JsonMapper;

/**
 * Generator of canonical JSON for one value. It keeps the text of open nodes, sorts when
 * an object or a set ends, and bounds depth and size.
 */
final class CanonicalGenerator extends OutputlessGenerator {

	/**
	 * Maximum nesting of a value.
	 */
	static final int MAX_DEPTH = 100;

	/**
	 * Maximum length of a value, in characters.
	 */
	static final int MAX_LENGTH = 16 * 1024 * 1024;

	private final JsonMapper mapper;

	private final int maxLength;

	private SimpleStreamWriteContext context = SimpleStreamWriteContext.createRootContext(null);

	private @Nullable CanonicalNode open;

	private @Nullable String result;

	private int depth;

	private long length;

	CanonicalGenerator(JsonMapper mapper) {
		this(mapper, MAX_LENGTH);
	}

	CanonicalGenerator(JsonMapper mapper, int maxLength) {
		this.mapper = mapper;
		this.maxLength = maxLength;
	}

	/**
	 * Returns the canonical text of the value.
	 * @return canonical JSON
	 */
	String result() {
		if (this.result == null || this.open != null) {
			throw new CanonicalJsonException("its serializer wrote no complete value");
		}
		return this.result;
	}

	private JsonGenerator add(String text) {
		grow(text.length());
		return attach(text);
	}

	private void grow(long characters) {
		this.length += characters;
		if (this.length > this.maxLength) {
			throw new CanonicalJsonException("its JSON is longer than " + this.maxLength + " characters");
		}
	}

	private JsonGenerator attach(String text) {
		this.context.writeValue();
		if (this.open != null) {
			grow(this.open.isEmpty() ? 0 : ",".length());
			this.open.add(text);
		}
		else {
			this.result = text;
		}
		return this;
	}

	private void open(CanonicalNode node) {
		if (++this.depth > MAX_DEPTH) {
			throw CanonicalJsonException.tooDeep(MAX_DEPTH);
		}
		grow("[]".length());
		this.open = node;
	}

	private JsonGenerator end() {
		CanonicalNode node = this.open;
		if (node == null) {
			throw new CanonicalJsonException("its serializer ended what it had not begun");
		}
		this.depth--;
		this.open = node.parent();
		this.context = this.context.clearAndGetParent();
		return attach(node.text());
	}

	@Override
	public JsonGenerator writeStartArray() {
		return writeStartArray(null);
	}

	@Override
	public JsonGenerator writeStartArray(@Nullable Object currentValue) {
		this.context = this.context.createChildArrayContext(currentValue);
		open(CanonicalNode.array(this.open, currentValue instanceof Set));
		return this;
	}

	@Override
	public JsonGenerator writeStartArray(@Nullable Object currentValue, int size) {
		return writeStartArray(currentValue);
	}

	@Override
	public JsonGenerator writeEndArray() {
		return end();
	}

	@Override
	public JsonGenerator writeStartObject() {
		return writeStartObject(null);
	}

	@Override
	public JsonGenerator writeStartObject(@Nullable Object currentValue) {
		this.context = this.context.createChildObjectContext(currentValue);
		open(CanonicalNode.object(this.open));
		return this;
	}

	@Override
	public JsonGenerator writeStartObject(@Nullable Object currentValue, int size) {
		return writeStartObject(currentValue);
	}

	@Override
	public JsonGenerator writeEndObject() {
		return end();
	}

	@Override
	public JsonGenerator writeName(String name) {
		this.context.writeName(name);
		grow(name.length() + 3L);
		if (this.open != null) {
			this.open.name(name);
		}
		return this;
	}

	@Override
	public JsonGenerator writePropertyId(long id) {
		return writeName(Long.toString(id));
	}

	@Override
	public JsonGenerator writeString(@Nullable String value) {
		return (value != null) ? add(CanonicalText.ofString(value)) : writeNull();
	}

	@Override
	public JsonGenerator writeString(char[] buffer, int offset, int len) {
		return writeString(new String(buffer, offset, len));
	}

	@Override
	public JsonGenerator writeString(SerializableString value) {
		return writeString(value.getValue());
	}

	@Override
	public JsonGenerator writeUTF8String(byte[] buffer, int offset, int len) {
		return writeString(new String(buffer, offset, len, StandardCharsets.UTF_8));
	}

	@Override
	public JsonGenerator writeBinary(Base64Variant variant, byte[] data, int offset, int len) {
		byte[] bytes = Arrays.copyOfRange(data, offset, offset + len);
		return writeString(Base64.getEncoder().encodeToString(bytes));
	}

	@Override
	public int writeBinary(Base64Variant variant, InputStream data, int len) {
		throw CanonicalJsonException.oneShot(InputStream.class);
	}

	@Override
	public JsonGenerator writeNumber(short value) {
		return add(Short.toString(value));
	}

	@Override
	public JsonGenerator writeNumber(int value) {
		return add(Integer.toString(value));
	}

	@Override
	public JsonGenerator writeNumber(long value) {
		return add(Long.toString(value));
	}

	@Override
	public JsonGenerator writeNumber(@Nullable BigInteger value) {
		return (value != null) ? add(CanonicalText.ofDecimal(new BigDecimal(value))) : writeNull();
	}

	@Override
	public JsonGenerator writeNumber(double value) {
		return add(CanonicalText.ofDouble(value));
	}

	@Override
	public JsonGenerator writeNumber(float value) {
		return add(CanonicalText.ofFloat(value));
	}

	@Override
	public JsonGenerator writeNumber(@Nullable BigDecimal value) {
		return (value != null) ? add(CanonicalText.ofDecimal(value)) : writeNull();
	}

	@Override
	public JsonGenerator writeNumber(@Nullable String value) {
		return add(CanonicalText.ofNumeral(value));
	}

	@Override
	public JsonGenerator writeBoolean(boolean value) {
		return add(Boolean.toString(value));
	}

	@Override
	public JsonGenerator writeNull() {
		return add("null");
	}

	@Override
	public JsonGenerator writePOJO(@Nullable Object value) {
		if (value == null) {
			return writeNull();
		}
		this.mapper.writeValue(this, value);
		return this;
	}

	@Override
	public JsonGenerator writeTree(@Nullable TreeNode tree) {
		return writePOJO(tree);
	}

	@Override
	public Version version() {
		return this.mapper.version();
	}

	@Override
	public TokenStreamContext streamWriteContext() {
		return this.context;
	}

	@Override
	public @Nullable Object currentValue() {
		return this.context.currentValue();
	}

	@Override
	public void assignCurrentValue(@Nullable Object value) {
		this.context.assignCurrentValue(value);
	}

}
