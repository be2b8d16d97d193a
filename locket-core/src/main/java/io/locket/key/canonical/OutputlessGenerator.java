package io.locket.key.canonical;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.ErrorReportConfiguration;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteCapability;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.base.GeneratorBase;
import tools.jackson.core.io.ContentReference;
import tools.jackson.core.io.IOContext;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.JacksonFeatureSet;

/**
 * Generator without an output. It keeps no buffers. It refuses raw JSON, because the same
 * value may be written in many ways.
 */
abstract class OutputlessGenerator extends GeneratorBase {

	OutputlessGenerator() {
		super(ObjectWriteContext.empty(),
				new IOContext(StreamReadConstraints.defaults(), StreamWriteConstraints.defaults(),
						ErrorReportConfiguration.defaults(), new BufferRecycler(), ContentReference.unknown(), false,
						JsonEncoding.UTF8),
				0);
	}

	@Override
	public JsonGenerator writeRawUTF8String(byte[] buffer, int offset, int len) {
		throw raw();
	}

	@Override
	public JsonGenerator writeRaw(String text) {
		throw raw();
	}

	@Override
	public JsonGenerator writeRaw(String text, int offset, int len) {
		throw raw();
	}

	@Override
	public JsonGenerator writeRaw(char[] text, int offset, int len) {
		throw raw();
	}

	@Override
	public JsonGenerator writeRaw(char c) {
		throw raw();
	}

	private CanonicalJsonException raw() {
		return new CanonicalJsonException("it writes raw JSON, which has no canonical form");
	}

	@Override
	public @Nullable Object streamWriteOutputTarget() {
		return null;
	}

	@Override
	public int streamWriteOutputBuffered() {
		return -1;
	}

	@Override
	public JacksonFeatureSet<StreamWriteCapability> streamWriteCapabilities() {
		return DEFAULT_TEXTUAL_WRITE_CAPABILITIES;
	}

	@Override
	public void flush() {
		// The text is complete at any time.
	}

	@Override
	protected void _closeInput() {
		// Nothing is open below.
	}

	@Override
	protected void _releaseBuffers() {
		// Nothing is pooled.
	}

	@Override
	protected void _verifyValueWrite(String typeMessage) {
		// The nodes hold the structure.
	}

}
