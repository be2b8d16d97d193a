package io.locket.redis;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the reply of a script: an array, possibly nested, of numbers and bytes. The
 * driver sends a command again if its connection is closed before the reply is complete.
 * It keeps the output of the command, so {@link #begin()} drops what has been read of the
 * reply until then. Used by one thread at a time.
 */
final class ScriptReply extends CommandOutput<byte[], byte[], List<Object>> {

	/**
	 * Lists around the one that is being read, the innermost first.
	 */
	private final Deque<List<Object>> around = new ArrayDeque<>(2);

	private @Nullable List<Object> reading;

	private boolean isBegun;

	private boolean isRefused;

	private boolean isRepeated;

	ScriptReply() {
		super(ByteArrayCodec.INSTANCE, List.of());
	}

	/**
	 * Begins to read a reply.
	 */
	void begin() {
		this.isRepeated |= this.isBegun && !this.isRefused;
		this.isBegun = true;
		this.isRefused = false;
		this.around.clear();
		this.reading = null;
		this.output = List.of();
		this.error = null;
	}

	/**
	 * Returns whether the command was sent again without a reply to its first copy, which
	 * may have been executed. That is not so if a node of a cluster has referred the
	 * driver to another one.
	 */
	boolean isRepeated() {
		return this.isRepeated;
	}

	@Override
	public void setError(ByteBuffer error) {
		super.setError(error);
		this.isRefused = true;
	}

	@Override
	public void multi(int count) {
		open(count);
	}

	private List<Object> open(int count) {
		List<Object> outer = this.reading;
		List<Object> list = new ArrayList<>(Math.max(count, 1));
		if (outer == null) {
			this.output = list;
		}
		else {
			outer.add(list);
			this.around.push(outer);
		}
		this.reading = list;
		return list;
	}

	@Override
	public void complete(int depth) {
		if (depth > 0 && depth <= this.around.size()) {
			this.reading = this.around.pop();
		}
	}

	@Override
	public void set(long integer) {
		add(integer);
	}

	@Override
	public void set(double number) {
		add(number);
	}

	@Override
	public void set(@Nullable ByteBuffer bytes) {
		add((bytes != null) ? this.codec.decodeValue(bytes) : null);
	}

	@Override
	public void setSingle(@Nullable ByteBuffer bytes) {
		add((bytes != null) ? decodeString(bytes) : null);
	}

	@SuppressWarnings("NullAway") // The reply to a script may contain null.
	private void add(@Nullable Object value) {
		List<Object> list = this.reading;
		((list != null) ? list : open(1)).add(value);
	}

}
