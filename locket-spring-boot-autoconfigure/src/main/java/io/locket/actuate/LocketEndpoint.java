package io.locket.actuate;

import java.util.Objects;
import java.util.function.LongSupplier;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Actuator endpoint {@code locket} with an overview. Operations with names in JMX and
 * paths on the web are in {@link LocketEndpointJmxExtension} and
 * {@link LocketEndpointWebExtension}. Read-only by default. Thread-safe.
 */
@Endpoint(id = "locket", defaultAccess = Access.READ_ONLY)
@ImportRuntimeHints(DescriptorHints.class)
public final class LocketEndpoint {

	private final EndpointSections sections;

	/**
	 * Creates an endpoint.
	 * @param parts the components
	 */
	public LocketEndpoint(EndpointParts parts) {
		this(parts, System::nanoTime);
	}

	/**
	 * Creates an endpoint with another clock for the age of shared reads.
	 */
	LocketEndpoint(EndpointParts parts, LongSupplier nanoTime) {
		this.sections = new EndpointSections(Objects.requireNonNull(parts, "'parts' must not be null"), nanoTime);
	}

	/**
	 * Returns the overview. It takes two calls of the store, for any number of jobs.
	 * @return the overview
	 * @throws io.locket.queue.QueueUnavailableException if the store of the queues does
	 * not respond
	 * @throws io.locket.LeaseUnavailableException if the store of the leases does not
	 * respond
	 */
	@ReadOperation
	public OverviewDescriptor overview() {
		return this.sections.overview();
	}

	EndpointSections sections() {
		return this.sections;
	}

}
