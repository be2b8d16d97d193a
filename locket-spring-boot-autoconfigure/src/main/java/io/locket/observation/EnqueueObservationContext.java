package io.locket.observation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.locket.event.EnqueueCall;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;

/**
 * What an {@link EnqueueObservationConvention} can know. The carrier takes the fields
 * that travel with the jobs.
 */
public final class EnqueueObservationContext extends SenderContext<Map<String, String>> {

	private final EnqueueCall call;

	private String outcome = KeyValue.NONE_VALUE;

	/**
	 * Create a context.
	 * @param call the call
	 */
	public EnqueueObservationContext(EnqueueCall call) {
		super((carrier, field, value) -> Objects.requireNonNull(carrier, "'carrier' must not be null")
			.put(field, value), Kind.PRODUCER);
		this.call = call;
		setCarrier(new LinkedHashMap<>());
	}

	/**
	 * Return the call.
	 * @return the call
	 */
	public EnqueueCall getCall() {
		return this.call;
	}

	/**
	 * Return what became of the jobs.
	 * @return a word of {@link io.locket.event.EnqueueObservation#end}, or {@code none}
	 * before the end
	 */
	public String getOutcome() {
		return this.outcome;
	}

	void setOutcome(String outcome) {
		this.outcome = outcome;
	}

}
