package io.locket.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;

/**
 * Arguments of a command that runs a script. Each time the driver writes them, the reply
 * begins anew.
 */
final class ScriptArguments extends CommandArgs<byte[], byte[]> {

	private final ScriptReply reply;

	ScriptArguments(ScriptReply reply) {
		super(ByteArrayCodec.INSTANCE);
		this.reply = reply;
	}

	@Override
	public void encode(ByteBuf buf) {
		this.reply.begin();
		super.encode(buf);
	}

	/**
	 * Describes the arguments as the driver's own descriptions of commands do. The method
	 * of the superclass calls {@link #encode}, which would drop the reply.
	 */
	@Override
	public String toString() {
		return toCommandString();
	}

}
